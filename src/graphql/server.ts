import {
  ApolloServer,
  type ApolloServerOptions,
  type ApolloServerOptionsWithGateway,
  type ApolloServerPlugin,
  HeaderMap,
} from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import {
  BREAK,
  type DocumentNode,
  execute,
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  visit,
} from 'graphql';
import { forbidden } from './access.js';
import type { Context } from './context.js';
import { createFormatError } from './errors.js';
import type { ExecuteText, OperationBody } from './known-documents.js';
import { limitOperations, operationLimits } from './limits.js';
import { statusesOfFailures } from './media-type.js';
import { checkLiterals, checkOperationTypes, checkVariableTypes } from './validation.js';

/** The context of an operation that Apollo handles. */
type ServerContext = Context & {
  /** The result of an operation that ran already, for Apollo to write its errors. */
  readonly executed?: ExecutionResult;
};

/** The log of Apollo and of errors in resolvers. */
export type ServerLog = NonNullable<ApolloServerOptions<ServerContext>['logger']> & {
  error(fields: object, message: string): void;
};

/**
 * Creates the server that runs all texts of /graphql, and writes all errors. Call `start` before use.
 * `/v1` does not use it, see `execute.ts`.
 */
export function createGraphQLServer(
  schema: GraphQLSchema,
  log: ServerLog,
  countError: (code: string) => void = () => undefined,
): ApolloServer<ServerContext> {
  const report = (error: unknown) => log.error({ err: error }, 'internal error in a resolver');
  const options = serverOptions(log, createFormatError(report, countError));
  return new ApolloServer<ServerContext>({
    ...options,
    gateway: executorOf(schema, options.executionOptions),
  });
}

/** As a text is parsed. */
export const parseOptions = { maxLexicalTokens: 1_000 };

/** The rules for documents besides those of graphql-js. */
export const validationRules = [
  checkOperationTypes,
  limitOperations(operationLimits),
  checkLiterals,
];

/** Options of the server, which needs only a schema or an executor besides. */
export function serverOptions(log: ServerLog, formatError: ReturnType<typeof createFormatError>) {
  return {
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
    parseOptions,
    validationOptions: { maxErrors: 10 },
    executionOptions: { maxCoercionErrors: 10 },
    validationRules,
    formatError,
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
  } satisfies Partial<ApolloServerOptions<ServerContext>>;
}

/** Apollo's interface for executors of one's own: it parses and validates, and writes the response. */
function executorOf(
  schema: GraphQLSchema,
  options: NonNullable<ExecutionArgs['options']>,
): ApolloServerOptionsWithGateway<ServerContext>['gateway'] {
  return {
    onSchemaLoadOrUpdate: (load) => {
      load({ apiSchema: schema, coreSupergraphSdl: '' });
      return () => undefined;
    },
    load: () =>
      Promise.resolve({
        executor: async ({ document, request, context }) => {
          const { executed } = context as ServerContext;
          if (executed) return executed;
          const { operationName, variables } = request;
          return execute({
            schema,
            document,
            operationName,
            options,
            contextValue: context,
            variableValues: variables,
          });
        },
      }),
    stop: () => Promise.resolve(),
  };
}

/** Returns a function that runs operations on a started server. */
export function executeWith(apollo: ApolloServer<ServerContext>): ExecuteText {
  return async ({ headers, accept, body, document }, context, executed) => {
    const map = new HeaderMap();
    for (const [name, value] of Object.entries(headers)) map.set(name, String(value));
    map.set('accept', accept);

    const response = await apollo.executeHTTPGraphQLRequest({
      httpGraphQLRequest: {
        method: 'POST',
        headers: map,
        search: '',
        body: document ? document.asText(body as OperationBody) : body,
      },
      context: () => Promise.resolve(executed ? { ...context, executed } : context),
    });
    if (response.body.kind !== 'complete') throw new Error('Apollo sent no whole response.');

    return {
      status: response.status ?? 200,
      headers: Object.fromEntries(response.headers),
      text: response.body.string,
    };
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
