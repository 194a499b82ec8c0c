import type { ApolloServerPlugin } from '@apollo/server';
import type { Context } from '../../graphql/context.js';
import { preferredType } from '../headers.js';
import { ApiError } from '../problems.js';
import { statusOf } from './errors.js';

/** For clients that do not know the other type: every executed operation has status 200. */
const json = 'application/json';
/** With this type the status says whether there is data (GraphQL over HTTP). */
const graphqlResponse = 'application/graphql-response+json';

/** Media types of responses, the preferred one first. */
export const mediaTypes = [json, graphqlResponse] as const;
export type MediaType = (typeof mediaTypes)[number];

/**
 * Returns the media type that a client prefers by its Accept header.
 * @throws ApiError for a client that accepts none; its operation does not run
 */
export function chooseMediaType(accept: string | undefined): MediaType {
  const type = preferredType(accept, mediaTypes);
  if (type !== undefined) return type;
  const types = mediaTypes.join(' or ');
  throw new ApiError('not_acceptable', `The response is available only as ${types}.`);
}

/**
 * For clients that accept {@link graphqlResponse}: if `data` is null, omits it and sets the status
 * of the first error. What fields before the failed one changed stays committed.
 */
export const statusesOfFailures: ApolloServerPlugin<Context> = {
  requestDidStart: () =>
    Promise.resolve({
      willSendResponse: ({ request, response: { body, http } }) => {
        if (body.kind !== 'single' || request.http?.headers.get('accept') !== graphqlResponse) {
          return Promise.resolve();
        }
        const result = body.singleResult;
        const [first] = result.errors ?? [];
        if (result.data !== null || !first) return Promise.resolve();
        delete result.data;
        http.status = statusOf(first.extensions?.['code']);
        const seconds = first.extensions?.['retryAfterSeconds'];
        if (typeof seconds === 'number') http.headers.set('retry-after', String(seconds));
        return Promise.resolve();
      },
    }),
};
