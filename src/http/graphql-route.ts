import type { IncomingMessage } from 'node:http';
import { internalBodyReader } from '../api/bodies.js';
import { ApiError } from '../api/problem.js';
import type { Reply } from '../api/replies.js';
import type { Viewer } from '../domain/account/credentials.js';
import { validationFailed } from '../domain/errors.js';
import { authenticate, type Authenticator, count } from '../graphql/admission.js';
import {
  type Context,
  contextOf,
  type ContextOptions,
  type TimeLimit,
} from '../graphql/context.js';
import { statusOf, toErrorExtensions } from '../graphql/errors.js';
import type {
  ExecuteOperation,
  KnownDocuments,
  OperationBody,
} from '../graphql/known-documents.js';
import { chooseMediaType, type MediaType } from '../graphql/media-type.js';
import { rejectUnstorableBody } from '../graphql/validation.js';
import { type OperationExchange, operationRoute, type OperationStages } from './operation.js';

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
interface Admitted {
  /** The media type of the response. */
  readonly accept: MediaType;
  readonly context: Context;
}

/** Internal GraphQL operations in progress per process, at most. */
export const maxConcurrentOperations = 500;

interface GraphQLOptions extends ContextOptions {
  readonly execute: ExecuteOperation;
}

export interface InternalGraphQLOptions extends GraphQLOptions {
  /** What clients may call by id. */
  readonly documents: Pick<KnownDocuments, 'find'>;
  readonly authenticator: Authenticator;
  /** Operations in progress, at most. */
  readonly maxConcurrent: number;
  readonly withBody: OperationStages<GraphQLExchange, Admitted>['withBody'];
  /** Called with the code of each error before GraphQL begins. */
  readonly countError: (code: string) => void;
}

/**
 * Serves /graphql: POST of one operation as JSON, with an internal credential or a dashboard token. Errors before
 * GraphQL begins have the form of a GraphQL response and the status of the matching Problem.
 */
export function internalGraphQLRoute(
  options: InternalGraphQLOptions,
): (exchange: GraphQLExchange) => Promise<Reply> {
  const { documents, dependencies, execute } = options;
  return operationRoute<GraphQLExchange, Admitted>({
    maxConcurrent: options.maxConcurrent,
    authenticate: ({ req }) => {
      const { authenticator } = options;
      return authenticate(req, { read: dependencies.read, authenticator });
    },
    count: async (viewer) => ({ headers: await count(viewer, options.limits) }),
    admit: (exchange, viewer) => {
      const { method, headers } = exchange.req;
      if (method !== 'POST') throw methodNotAllowed();
      const accept = chooseMediaType(headers.accept);
      return { accept, context: contextOf(viewer, options, exchange) };
    },
    withBody: options.withBody,
    execute: ({ admitted: { accept, context }, body, bytes }, exchange) => {
      const sent: OperationBody = body ?? {};
      const document = documents.find(sent);
      exchange.state.document = document?.name ?? nameOf(sent);
      rejectUnstorableBody(document?.text ?? sent.query, sent.variables, bytes);
      const { headers } = exchange.req;
      return execute({ headers, accept, body, document }, context);
    },
    refuse: (error) => refusalOf(error, options),
  });
}

/** What {@link knownDocumentRoute} needs. */
export interface KnownDocumentOptions extends GraphQLOptions {
  /** What clients may call. */
  readonly documents: Pick<KnownDocuments, 'byId'>;
  /** Finds who asks. @throws ApiError for a request that it refuses */
  readonly viewerOf: (request: IncomingMessage) => Promise<Viewer>;
}

/** The largest variables are the data of a test event. */
const bodyLimits = {
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
  const jsonHeaders = { 'Content-Type': 'application/json; charset=utf-8' };
  return operationRoute<GraphQLExchange, Context>({
    authenticate: ({ req }) => viewerOf(req),
    count: async (viewer) => ({ headers: await count(viewer, limits) }),
    admit: (exchange, viewer) => contextOf(viewer, options, exchange),
    withBody: internalBodyReader(() => Promise.resolve(() => undefined), bodyLimits),
    execute: async ({ admitted: context, body, bytes }, exchange) => {
      const sent = readKnownOperation(body);
      const document = documents.byId(sent.documentId);
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
      'Content-Type': 'application/json; charset=utf-8',
    },
    text: JSON.stringify({ errors: [{ message: detail, extensions: { ...extensions } }] }),
  };
}

function methodNotAllowed(): ApiError {
  const headers = { Allow: 'POST' };
  return new ApiError('method_not_allowed', 'Send operations by POST.', { headers });
}
