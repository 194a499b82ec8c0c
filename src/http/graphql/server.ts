// Apollo Server for the documents that the service does not know, and for errors: it writes those of compiled
// documents, too, so that all have the same form. Apollo parses and validates; graphql-js executes.
//
// It is loaded with the first text or error (lazy-server.ts). It keeps no state between operations.
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
import { isUnavailable } from '../../domain/transaction/unavailable.js';
import { forbidden } from '../../graphql/access.js';
import type { Context } from '../../graphql/context.js';
import { findVariableMismatch, parseOptions, validationRules } from '../../graphql/validation.js';
import { createFormatError } from './errors.js';
import type { ExecuteText, OperationBody } from './known-documents.js';
import { statusesOfFailures } from './media-type.js';

/** The context of an operation that Apollo handles. */
type ServerContext = Context & {
  /** The result of an operation that has already run, for Apollo to write its errors. */
  readonly executed?: ExecutionResult;
};

/** The log of Apollo and of errors in resolvers. */
export type ServerLog = NonNullable<ApolloServerOptions<ServerContext>['logger']> & {
  error(fields: object, message: string): void;
  warn(fields: object, message: string): void;
};

/**
 * Creates the server that runs unknown texts and writes all errors of `/graphql` and the dashboard. Call `start`
 * before use. `/v1` does not use it: see src/graphql/execute.ts.
 */
export function createGraphQLServer(
  schema: GraphQLSchema,
  log: ServerLog,
  countError: (code: string) => void = () => undefined,
): ApolloServer<ServerContext> {
  const report = (error: unknown) => {
    if (isUnavailable(error)) log.warn({ err: error }, 'an operation was temporarily unavailable');
    else log.error({ err: error }, 'internal error in a resolver');
  };
  const options = serverOptions(log, createFormatError(report, countError));
  return new ApolloServer<ServerContext>({
    ...options,
    gateway: executorOf(schema, options.executionOptions),
  });
}

/** Options of the server, except its schema or executor. */
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

/** Lets Apollo parse, validate and write the response, and runs the operation with graphql-js in between. */
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

/** Refuses large variables of the wrong type before graphql-js writes each of them into an error. */
const checkVariableTypes: ApolloServerPlugin<Context> = {
  requestDidStart: () =>
    Promise.resolve({
      didResolveOperation: ({ request: { variables }, operation, schema }) => {
        const error = variables && operation && findVariableMismatch(schema, operation, variables);
        if (error) throw error;
        return Promise.resolve();
      },
    }),
};

/**
 * Only internal credentials may introspect the schema. `/graphql` is on the internal port, but the
 * dashboard token is held by a browser.
 */
const introspectionForInternals: ApolloServerPlugin<Context> = {
  requestDidStart: () =>
    Promise.resolve({
      didResolveOperation: ({ contextValue, document }) => {
        if (contextValue.viewer.kind === 'internal' || !introspects(document)) {
          return Promise.resolve();
        }
        const originalError = forbidden('Only internal credentials can introspect the schema.');
        throw new GraphQLError(originalError.detail, {
          originalError,
          // Without a status, Apollo would report an error before execution as internal.
          extensions: { http: { status: 403 } },
        });
      },
    }),
};

function introspects(document: DocumentNode): boolean {
  let introspection = false;
  visit(document, {
    Field({ name }) {
      if (name.value !== '__schema' && name.value !== '__type') return undefined;
      introspection = true;
      return BREAK;
    },
  });
  return introspection;
}
