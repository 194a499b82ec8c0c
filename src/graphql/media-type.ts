import type { ApolloServerPlugin } from '@apollo/server';
import type { Context } from './context.js';
import { statusOf } from './errors.js';

/** Of whoever knows nothing else: with it, what was executed is always 200. */
const json = 'application/json';
/** With it the status tells whether there is data (GraphQL over HTTP). */
const graphqlResponse = 'application/graphql-response+json';

/** What an answer can be sent as, the preferred one first. */
export const mediaTypes = [json, graphqlResponse] as const;

/**
 * Leaves out `data` of an answer where it is null as a whole, and says by the status why, for clients
 * that take {@link graphqlResponse}. Changes that fields before the failed one made stay made.
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
