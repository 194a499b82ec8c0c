import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../graphql/execute.js';
import type { Route } from './call.js';
import type { OperationId } from './contract-types.js';
import { contract } from './generated/contract.js';
import type { BodyLimits } from './json-body.js';
import { compileOmitNulls } from './omit-nulls.js';
import { type OperationHandler, table } from './operations.js';
import { compileQuery, type Parameter } from './query.js';
import { compileBody } from './validate-body.js';

/** Any entry of the contract. */
interface Entry {
  readonly method: string;
  readonly path: string;
  readonly permission: Route['permission'];
  readonly credentials: readonly string[];
  readonly rateLimit: Route['rateLimit'];
  readonly takesKey: boolean;
  readonly query: readonly Parameter[] | null;
  readonly body: {
    readonly limits: BodyLimits;
    readonly required: boolean;
    readonly schema: object;
  } | null;
  readonly status: number;
  readonly response: object | null;
}

/**
 * Compiles the contract and the table into routes at boot.
 * @param onInterpreted called with the name of each operation that cannot be compiled, and the reason
 */
export function compileRoutes(
  schema: GraphQLSchema,
  onInterpreted: (operation: string, why: string) => void,
): Readonly<Record<OperationId, Route>> {
  const routes = Object.entries(contract).map(([id, entry]) => {
    const handler: OperationHandler = table[id as OperationId];
    const compile = (document: { readonly text: string }) =>
      compileOperation(schema, document, onInterpreted);
    return [
      id,
      {
        ...routeOf(id, entry, handler),
        operation: compile(handler.document) as Route['operation'],
        subject: handler.subject && compile(handler.subject),
      },
    ] as const;
  });
  return Object.fromEntries(routes) as Readonly<Record<OperationId, Route>>;
}

function routeOf(
  id: string,
  entry: Entry,
  handler: OperationHandler,
): Omit<Route, 'operation' | 'subject'> {
  const { method, path, status, permission, credentials, rateLimit, takesKey } = entry;
  const { query, body, response } = entry;
  return {
    id,
    method,
    path: path.replace(/\{(\w+)\}/g, ':$1'),
    status,
    permission,
    credentials,
    rateLimit,
    takesKey,
    readQuery: query ? compileQuery(query) : undefined,
    body: body
      ? {
          limits: body.limits,
          required: body.required,
          validate: compileBody(body.schema),
        }
      : undefined,
    omit: response ? compileOmitNulls(response) : undefined,
    handler,
  };
}
