// The two ways to an operation of GraphQL: `/graphql` of the internal listener, which takes texts and ids, and the
// pages and the command line, which call documents by id only. Both pass `http/operation.ts`, run with the same
// resolvers, permissions and limits, and differ in who may ask, how large a body may be, and the form of errors.
//
// Text that cannot be stored is refused before GraphQL reads the body. A crash leaves what the resolvers committed.
import type { IncomingMessage } from 'node:http';
import { isPortalSession, type Viewer } from '../../domain/account/credentials.js';
import { validationFailed } from '../../domain/errors.js';
import type { Context } from '../../graphql/context.js';
import { rejectUnstorableBody } from '../../graphql/validation.js';
import { authenticateInternal, type Authenticator } from '../authentication.js';
import { operationBodyReader } from '../bodies.js';
import { jsonHeaders, methodNotAllowed, type Reply } from '../exchange.js';
import { type QuotaUse, type OperationExchange, operationRoute } from '../operation.js';
import { ApiError } from '../problems.js';
import { rateLimitExceeded } from '../rate-limits.js';
import { type ContextOptions, graphqlContext, type Limits, type TimeLimit } from './context.js';
import { statusOf, toErrorExtensions } from './errors.js';
import type { ExecuteOperation, KnownDocuments, OperationBody } from './known-documents.js';
import { chooseMediaType, type MediaType } from './media-type.js';

/** A request for an operation of GraphQL. */
export interface GraphQLExchange extends OperationExchange {
  readonly state: OperationExchange['state'] & {
    readonly deadline?: TimeLimit;
    readonly traceparent?: string | undefined;
    /** The name of the operation, for the log. */
    document?: string | undefined;
  };
}

/** What a request says besides its body. */
interface RequestDetails {
  /** The media type of the response. */
  readonly accept: MediaType;
  readonly context: Context;
}

interface GraphQLOptions extends ContextOptions {
  readonly execute: ExecuteOperation;
}

interface InternalGraphQLOptions extends GraphQLOptions {
  /** What clients may call by id. */
  readonly documents: Pick<KnownDocuments, 'find'>;
  readonly authenticator: Pick<Authenticator, 'authenticate'>;
  /** Operations in progress, at most. Defaults to 500. */
  readonly maxConcurrent?: number;
  /** Called with the code of each error before GraphQL begins. */
  readonly countError: (code: string) => void;
}

const maxConcurrentOperations = 500;

const internalLimits = {
  contentTypes: ['application/json'],
  maxBytes: 4 * 1_048_576,
  maxValues: 200_000,
};

/**
 * Serves /graphql: POST of one operation as JSON, with an internal credential or a dashboard token. Errors before
 * GraphQL begins have the form of a GraphQL response and the status of the matching Problem.
 */
export function internalGraphQLRoute(
  options: InternalGraphQLOptions,
): (exchange: GraphQLExchange) => Promise<Reply> {
  const { documents, dependencies, maxConcurrent = maxConcurrentOperations } = options;
  return operationRoute<GraphQLExchange, RequestDetails>({
    maxConcurrent,
    authenticate: ({ req }) => {
      const { authenticator } = options;
      return authenticateInternal({ read: dependencies.read, authenticator }, req);
    },
    count: (viewer) => count(viewer, options.limits),
    checkHeaders: (exchange, viewer) => {
      const { method = '', headers } = exchange.req;
      if (method !== 'POST') throw methodNotAllowed(method, 'POST');
      const accept = chooseMediaType(headers.accept);
      return { accept, context: graphqlContext(viewer, options, exchange) };
    },
    withBody: operationBodyReader(internalLimits),
    runOperation: ({ details, body, bytes }, exchange) => {
      const sent: OperationBody = body ?? {};
      const document = documents.find(sent);
      exchange.state.document = document?.name ?? nameOf(sent);
      rejectUnstorableBody(document?.text ?? sent.query, sent.variables, bytes);
      const { accept, context } = details;
      return options.execute({ headers: exchange.req.headers, accept, body, document }, context);
    },
    refuse: (error) => refusalOf(error, options),
  });
}

/** How the pages of one kind run their documents. */
export interface DocumentOptions extends GraphQLOptions {
  /** What clients may call. */
  readonly documents: Pick<KnownDocuments, 'byId'>;
}

interface KnownDocumentOptions extends DocumentOptions {
  /** Finds who asks. @throws ApiError for a request that it refuses */
  readonly viewerOf: (request: IncomingMessage) => Promise<Viewer>;
}

/** The largest variables are the data of a test event. */
const knownDocumentLimits = {
  contentTypes: ['application/json'],
  maxBytes: 512 * 1_024,
  maxValues: 20_000,
};

/**
 * Runs operations that were known when the release was built: with the resolvers, permissions and limits of
 * internal GraphQL. It accepts no text.
 */
export function knownDocumentRoute(
  options: KnownDocumentOptions,
): (exchange: GraphQLExchange) => Promise<Reply> {
  const { documents, viewerOf, limits, execute } = options;
  return operationRoute<GraphQLExchange, Context>({
    authenticate: ({ req }) => viewerOf(req),
    count: (viewer) => count(viewer, limits),
    checkHeaders: (exchange, viewer) => graphqlContext(viewer, options, exchange),
    withBody: operationBodyReader(knownDocumentLimits),
    runOperation: async ({ details: context, body, bytes }, exchange) => {
      const sent = readKnownOperation(body);
      const document = documents.byId(sent.documentId);
      exchange.state.document = document.name;
      rejectUnstorableBody(document.text, sent.variables, bytes);
      const { headers } = exchange.req;
      const { status, text } = await execute(
        { headers, accept: 'application/json', body: sent, document },
        context,
      );
      return { status, headers: jsonHeaders, text };
    },
  });
}

/**
 * Counts one request for the account of the caller. Internal tools act for many accounts and have no limit.
 * @throws ApiError `rate_limit_exceeded`
 */
async function count(viewer: Viewer, limits: Limits): Promise<QuotaUse> {
  if (viewer.kind === 'internal') return { headers: {} };
  const quota = await limits.consume('default', viewer.account, isPortalSession(viewer));
  if (quota.exceeded) throw rateLimitExceeded(quota);
  return { headers: quota.headers };
}

/**
 * Reads the operation of a page or a command line. Those of 2.0.0 call `documentId` by the name `id`.
 * @throws DomainError validation_failed for another member
 */
function readKnownOperation(body: unknown): OperationBody {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  const sent = (isObject ? body : {}) as Readonly<Record<string, unknown>>;
  const idName = 'documentId' in sent ? 'documentId' : 'id';
  const unknown = Object.keys(sent).find((name) => name !== idName && name !== 'variables');
  if (unknown !== undefined) {
    const detail = 'Send only documentId and variables.';
    throw validationFailed([{ code: 'unknown_property', detail, param: unknown }]);
  }
  return { documentId: sent[idName], variables: sent['variables'] };
}

const maxNameLength = 100;

/** The name of an operation for the log; that of its first field if it has none. */
function nameOf({ operationName, query }: OperationBody): string | undefined {
  if (typeof operationName === 'string') return operationName.slice(0, maxNameLength);
  return typeof query === 'string'
    ? /\{\s*(?:\w+\s*:\s*)?(\w+)/.exec(query.slice(0, 2_000))?.[1]?.slice(0, maxNameLength)
    : undefined;
}

function refusalOf(error: unknown, { report, countError }: InternalGraphQLOptions): Reply {
  const extensions = toErrorExtensions(error);
  const { code, detail, retryAfterSeconds } = extensions;
  if (code === 'internal_error') report(error);
  countError(code);

  const known = error instanceof ApiError ? error : undefined;
  const retryAfter =
    retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) };

  return {
    status: statusOf(code),
    headers: {
      ...retryAfter,
      ...known?.headers,
      ...jsonHeaders,
    },
    text: JSON.stringify({ errors: [{ message: detail, extensions: { ...extensions } }] }),
  };
}
