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
import type { ExecuteOperation } from './handler.js';
import { createFormatError } from './errors.js';
import { checkVariableTypes } from './check-variables.js';
import { CompiledDocuments } from './compiled-documents.js';
import { limitOperations, operationLimits } from './limits.js';
import { checkLiterals } from './check-literals.js';
import { mediaTypes, statusesOfFailures } from './media-type.js';
import { checkOperationTypes } from './check-operation-types.js';

/** The context of an operation that Apollo handles. */
type ServerContext = Context & {
  /** The result of an operation that ran already, for Apollo to write its errors. */
  readonly executed?: ExecutionResult;
};

/** The log of Apollo and of errors in resolvers. */
export type ServerLog = NonNullable<ApolloServerOptions<ServerContext>['logger']> & {
  error(fields: object, message: string): void;
};

/** The server of /graphql and the compiled documents that it validated. */
export interface GraphQLServer {
  readonly apollo: ApolloServer<ServerContext>;
  readonly documents: CompiledDocuments;
}

/**
 * Creates the server of /graphql for internal tools and the dashboard. Call `start` before use.
 * `/v1` does not use it, see `execute.ts`.
 */
export function createGraphQLServer(
  schema: GraphQLSchema,
  log: ServerLog,
  countError: (code: string) => void = () => undefined,
): GraphQLServer {
  const report = (error: unknown) => log.error({ err: error }, 'internal error in a resolver');
  const documents = new CompiledDocuments(schema);
  const options = serverOptions(log, createFormatError(report, countError));
  const apollo = new ApolloServer<ServerContext>({
    ...options,
    gateway: executorOf(schema, documents, options.executionOptions),
  });
  return { apollo, documents };
}

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
    parseOptions: { maxLexicalTokens: 1_000 },
    validationOptions: { maxErrors: 10 },
    executionOptions: { maxCoercionErrors: 10 },
    validationRules: [checkOperationTypes, limitOperations(operationLimits), checkLiterals],
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
  documents: CompiledDocuments,
  options: NonNullable<ExecutionArgs['options']>,
): ApolloServerOptionsWithGateway<ServerContext>['gateway'] {
  return {
    onSchemaLoadOrUpdate: (load) => {
      load({ apiSchema: schema, coreSupergraphSdl: '' });
      return () => undefined;
    },
    load: () =>
      Promise.resolve({
        executor: async ({ source, queryHash, document, request, context }) => {
          const { executed } = context as ServerContext;
          if (executed) return executed;
          documents.note({ source, queryHash, document });
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
    stop: () => {
      documents.clear();
      return Promise.resolve();
    },
  };
}

/**
 * Returns a function that runs operations on a started server. A compiled operation that succeeds
 * does not pass through Apollo, whose response would have the same bytes.
 */
export function executeWith({ apollo, documents }: GraphQLServer): ExecuteOperation {
  return async ({ headers, accept, body }, context) => {
    const responseHeaders = responseHeadersByAccept.get(accept);
    const executed = responseHeaders && (await documents.run(body, context));
    if (executed && !executed.errors) {
      const string = `${JSON.stringify({ data: executed.data })}\n`;
      return { headers: responseHeaders, body: { kind: 'complete', string } };
    }
    const map = new HeaderMap();
    for (const [name, value] of Object.entries(headers)) map.set(name, String(value));
    map.set('accept', accept);
    return apollo.executeHTTPGraphQLRequest({
      httpGraphQLRequest: { method: 'POST', headers: map, search: '', body },
      context: () => Promise.resolve(executed ? { ...context, executed } : context),
    });
  };
}

/** Headers of a response without errors, by the type that the client accepts. */
const responseHeadersByAccept: ReadonlyMap<string, HeaderMap> = new Map(
  mediaTypes.map((type) => [type, new HeaderMap([['content-type', `${type}; charset=utf-8`]])]),
);

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
