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

const maxLexicalTokens = 1_000;

/**
 * Creates the server of /graphql for internal tools and the dashboard. Call `start` before use.
 * `/v1` does not use it, see `execute.ts`.
 */
export function createGraphQLServer(
  schema: GraphQLSchema,
  log: Logger,
  countError: (code: string) => void = () => undefined,
): ApolloServer<Context> {
  const report = (error: unknown) => log.error({ err: error }, 'internal error in a resolver');
  return new ApolloServer<Context>({
    schema,
    logger: log,
    // Fixed, so that NODE_ENV changes nothing: the options below decide.
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

/** Returns a function that runs operations on a started server. */
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
 * Only internal credentials may introspect the schema. /graphql is on the internal port, but a
 * browser holds the dashboard token.
 */
const introspectionForInternals: ApolloServerPlugin<Context> = {
  requestDidStart: () =>
    Promise.resolve({
      didResolveOperation: ({ contextValue, document }) => {
        if (contextValue.viewer.kind === 'internal' || !introspects(document)) {
          return Promise.resolve();
        }
        const extensions = forbidden('Only internal credentials can introspect the schema.');
        throw new GraphQLError(extensions.detail, {
          originalError: extensions,
          // Without a status, Apollo would report an error before execution as internal.
          extensions: { http: { status: 403 } },
        });
      },
    }),
};

function introspects(document: DocumentNode): boolean {
  let found = false;
  visit(document, {
    Field({ name }) {
      if (name.value !== '__schema' && name.value !== '__type') return undefined;
      found = true;
      return BREAK;
    },
  });
  return found;
}
