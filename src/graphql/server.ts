import { ApolloServer, type ApolloServerPlugin, HeaderMap } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import { BREAK, type DocumentNode, GraphQLError, type GraphQLSchema, visit } from 'graphql';
import type { Logger } from '../process/log.js';
import { forbidden } from './access.js';
import type { Context } from './context.js';
import type { ExecuteOperation } from './handler.js';
import { createFormatError } from './errors.js';
import { checkVariableTypes } from './check-variables.js';
import { limitOperations, operationLimits } from './limits.js';
import { checkLiterals } from './check-literals.js';
import { statusesOfFailures } from './media-type.js';
import { checkOperationTypes } from './check-operation-types.js';

/** Lexical tokens of one document. */
const maxLexicalTokens = 1_000;

/**
 * The server behind /graphql, for internal tools and the dashboard; call `start` before use.
 * The facade of /v1 does not run through it, see `execute.ts`.
 */
export function createGraphQLServer(
  schema: GraphQLSchema,
  log: Logger,
  countError: (code: string) => void = () => undefined,
): ApolloServer<Context> {
  const report = (error: unknown) => log.error({ err: error }, 'a resolver failed');
  return new ApolloServer<Context>({
    schema,
    logger: log,
    // NODE_ENV changes nothing: what is on and off is said here.
    nodeEnv: 'production',
    introspection: true,
    csrfPrevention: true,
    allowBatchedHttpRequests: false,
    persistedQueries: false,
    includeStacktraceInErrorResponses: false,
    hideSchemaDetailsFromClientErrors: true,
    maxRecursiveSelections: true,
    stopOnTerminationSignals: false,
    parseOptions: { maxLexicalTokens },
    validationOptions: { maxErrors: 10 },
    executionOptions: { maxCoercionErrors: 10 },
    validationRules: [checkOperationTypes, limitOperations(operationLimits), checkLiterals],
    formatError: createFormatError(report, countError),
    plugins: [
      statusesOfFailures,
      introspectionForInternals,
      checkVariableTypes,
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginInlineTraceDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginSchemaReportingDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
    ],
  });
}

/** What `server`, once started, answers. */
export function executeWith(server: ApolloServer<Context>): ExecuteOperation {
  return ({ headers, body }, context) => {
    const map = new HeaderMap();
    for (const [name, value] of Object.entries(headers)) map.set(name, String(value));
    return server.executeHTTPGraphQLRequest({
      httpGraphQLRequest: { method: 'POST', headers: map, search: '', body },
      context: () => Promise.resolve(context),
    });
  };
}

/**
 * Only internal credentials may ask for the schema: /graphql stands on the internal port, but a
 * dashboard token is held by a browser.
 */
const introspectionForInternals: ApolloServerPlugin<Context> = {
  requestDidStart: () =>
    Promise.resolve({
      didResolveOperation: ({ contextValue, document }) => {
        if (contextValue.viewer.kind === 'internal' || !asksForSchema(document)) {
          return Promise.resolve();
        }
        const extensions = forbidden('Only internal credentials can introspect the schema.');
        throw new GraphQLError(extensions.detail, {
          originalError: extensions,
          // Without one, what is refused before it runs would be answered as a fault of ours.
          extensions: { http: { status: 403 } },
        });
      },
    }),
};

function asksForSchema(document: DocumentNode): boolean {
  let asks = false;
  visit(document, {
    Field({ name }) {
      if (name.value !== '__schema' && name.value !== '__type') return undefined;
      asks = true;
      return BREAK;
    },
  });
  return asks;
}
