// A route of `/v1` is an operation of the contract, compiled once when the process starts. `contract.ts` says method,
// path, permission, limits and body; `operations.ts` the document and its variables.
import type { GraphQLSchema } from 'graphql';
import { compileOperation, type Operation } from '../../graphql/execute.js';
import { compileQuery, type Query } from '../query.js';
import { contract, type ContractEntry, type OperationId } from './contract.js';
import { compileNullStripper, type StripNulls } from './null-stripper.js';
import { operations, type RoutedOperation } from './operations.js';
import { compileBody, type ValidateBody } from './validation.js';

/** An operation that {@link compileRoutes} compiled, with the path in the router's form: `/v1/…/:id`. */
export interface Route extends Omit<ContractEntry, 'query' | 'response'> {
  readonly id: string;
  readonly readQuery: ((search: string) => Query) | undefined;
  readonly validate: ValidateBody | undefined;
  readonly stripNulls: StripNulls | undefined;
  /** How its variables and headers are made. */
  readonly definition: RoutedOperation;
  readonly operation: Operation<Readonly<Record<string, unknown>>, object>;
  readonly subject: Operation<unknown, { id: string }> | undefined;
}

/**
 * Compiles the contract and its operations into routes when the process starts.
 * @param onInterpreted called with the name of each operation that cannot be compiled, and the reason
 */
export function compileRoutes(
  schema: GraphQLSchema,
  onInterpreted: (operation: string, why: string) => void,
): Readonly<Record<OperationId, Route>> {
  const compile = (document: { readonly text: string }) =>
    compileOperation(schema, document, onInterpreted);

  const routes = Object.entries(contract).map(([id, entry]) => {
    const definition: RoutedOperation = operations[id as OperationId];
    const { query, response, ...rest } = entry;
    const route: Route = {
      ...rest,
      id,
      path: rest.path.replace(/\{(\w+)\}/g, ':$1'),
      readQuery: query ? compileQuery(query) : undefined,
      validate: rest.body ? compileBody(rest.body.schema) : undefined,
      stripNulls: response ? compileNullStripper(response) : undefined,
      definition,
      operation: compile(definition.document) as Route['operation'],
      subject: definition.subject && compile(definition.subject),
    };

    return [id, route] as const;
  });

  return Object.fromEntries(routes) as Readonly<Record<OperationId, Route>>;
}
