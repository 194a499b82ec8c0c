import type { IncomingMessage } from 'node:http';
import { ApiError } from '../api/problem.js';
import type { Viewer } from '../domain/account/credentials.js';
import { validationFailed } from '../domain/errors.js';
import { count } from '../graphql/admission.js';
import { contextOf } from '../graphql/request-context.js';
import { rejectUnstorableBody } from '../graphql/storable-body.js';
import { authenticateRequest } from '../api/credential.js';
import { internalBodyReader } from '../api/json-body.js';
import type { DashboardOptions } from './dashboard-options.js';
import { viewerFinder } from './find-viewer.js';
import { rejectCrossSite } from './reject-cross-site.js';
import type { Handler } from './route-dashboard.js';
import type { TrustedDocuments } from './trusted-documents.js';

/** The largest variables are the data of a test event. */
const bodyLimits = {
  contentTypes: ['application/json'],
  maxBytes: 512 * 1_024,
  maxValues: 20_000,
};

/** Internal credentials are refused here: they belong to the internal listener. */
const acceptedKinds = ['live', 'legacy', 'dashboard'];

/** Runs known operations for the member who is signed in, or for the holder of a bearer token. */
export function graphqlRoute(options: DashboardOptions): Handler {
  const { origin, addressOf, graphql } = options;
  const ofSession = viewerFinder(options);
  const viewerOf = (request: IncomingMessage): Promise<Viewer> => {
    if (request.headers.authorization === undefined) {
      rejectCrossSite(request, origin);
      return ofSession(request);
    }
    // A page of another site cannot send this header: there is no CORS.
    const { authenticator } = graphql;
    const { read } = graphql.dependencies;
    const incoming = { request, address: addressOf(request) };
    return authenticateRequest({ read, authenticator }, incoming, acceptedKinds);
  };
  return documentRoute({ ...options, viewerOf });
}

/** What {@link documentRoute} needs. */
export interface DocumentRouteOptions extends Pick<
  DashboardOptions,
  'addressOf' | 'limits' | 'graphql'
> {
  /** Finds who asks. @throws ApiError for a request that it refuses */
  readonly viewerOf: (request: IncomingMessage) => Promise<Viewer>;
}

/**
 * Runs an operation that was known at build time for who asks: with the resolvers, permissions and
 * limits of internal GraphQL. It accepts no other text.
 */
export function documentRoute(options: DocumentRouteOptions): Handler {
  const { addressOf, limits, graphql, viewerOf } = options;
  const withBody = internalBodyReader(() => Promise.resolve(() => undefined), bodyLimits);
  return async ({ req, state }) => {
    const viewer = await viewerOf(req);
    state.caller = { account: viewer.account, credential: viewer.credential };
    const quota = await count(viewer, limits);
    const context = contextOf(viewer, { ...graphql, limits, addressOf }, { req, state });
    const response = await withBody(req, (body, bytes) => {
      const operation = operationOf(body, graphql.documents);
      rejectUnstorableBody(operation, bytes);
      const post = { headers: req.headers, accept: 'application/json', body: operation };
      return graphql.execute(post, context);
    });
    if (response.body.kind !== 'complete') throw new Error('Apollo sent no whole response.');
    return {
      status: response.status ?? 200,
      headers: { ...quota, 'Content-Type': 'application/json; charset=utf-8' },
      text: response.body.string,
    };
  };
}

/** Puts the text of the document in the place of its id. */
function operationOf(
  body: unknown,
  documents: TrustedDocuments,
): { readonly query: string; readonly variables?: unknown } {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  const { id, variables, ...others } = (isObject ? body : {}) as Record<string, unknown>;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) {
    const detail = 'Send only id and variables.';
    throw validationFailed([{ code: 'unknown_property', detail, param: unknown }]);
  }
  const query = typeof id === 'string' ? documents.get(id) : undefined;
  if (query !== undefined) return { query, ...(variables !== undefined && { variables }) };
  throw new ApiError(
    'document_unknown',
    'This release does not know the document. Load the page again.',
  );
}
