import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../graphql/execute.js';
import type { Route } from './call.js';
import type { OperationId } from './contract-types.js';
import { contract } from './contract.js';
import { compileOmitNulls } from './omit-nulls.js';
import { type OperationHandler, table } from './operations.js';
import { compileQuery } from '../api/query.js';
import { compileBody } from './validate-body.js';

/**
 * Compiles the contract and the table into routes at boot.
 * @param onInterpreted called with the name of each operation that cannot be compiled, and the reason
 */
export function compileRoutes(
  schema: GraphQLSchema,
  onInterpreted: (operation: string, why: string) => void,
): Readonly<Record<OperationId, Route>> {
  const compile = (document: { readonly text: string }) =>
    compileOperation(schema, document, onInterpreted);
  const routes = Object.entries(contract).map(([id, entry]) => {
    const handler: OperationHandler = table[id as OperationId];
    const { query, response, ...rest } = entry;
    const route: Route = {
      ...rest,
      id,
      path: rest.path.replace(/\{(\w+)\}/g, ':$1'),
      readQuery: query ? compileQuery(query) : undefined,
      validate: rest.body ? compileBody(rest.body.schema) : undefined,
      omit: response ? compileOmitNulls(response) : undefined,
      handler,
      operation: compile(handler.document) as Route['operation'],
      subject: handler.subject && compile(handler.subject),
    };
    return [id, route] as const;
  });
  return Object.fromEntries(routes) as Readonly<Record<OperationId, Route>>;
}
