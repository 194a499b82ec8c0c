import type { GraphQLSchema } from 'graphql';
import { compileOperation, type Operation } from '../graphql/execute.js';
import type { OperationId } from './contract-types.js';
import { contract, type ContractEntry } from './contract.js';
import { type OperationHandler, table } from './operations.js';
import { compileQuery, type Query } from '../api/query.js';
import { compileBody, type ValidateBody } from './validation.js';

/** An operation that {@link compileRoutes} compiled, with the path in the router's form: `/v1/…/:id`. */
export interface Route extends Omit<ContractEntry, 'query' | 'response'> {
  readonly id: string;
  readonly readQuery: ((search: string) => Query) | undefined;
  readonly validate: ValidateBody | undefined;
  readonly omit: ((response: unknown) => void) | undefined;
  readonly handler: OperationHandler;
  readonly operation: Operation<Readonly<Record<string, unknown>>, object>;
  readonly subject: Operation<unknown, { id: string }> | undefined;
}

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
      omit: response ? compileNullStripper(response) : undefined,
      handler,
      operation: compile(handler.document) as Route['operation'],
      subject: handler.subject && compile(handler.subject),
    };
    return [id, route] as const;
  });
  return Object.fromEntries(routes) as Readonly<Record<OperationId, Route>>;
}

/** The part of a JSON Schema that says where null may be. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
}

/** Removes nulls of a value in place. */
type StripNulls = (value: unknown) => void;

/**
 * Makes the function that removes nulls from a response where the contract says "optional, and not
 * null". Other nulls stay. Undefined when this schema has no such member.
 */
export function compileNullStripper(schema: Schema): StripNulls | undefined {
  const { items, oneOf, properties } = schema;
  if (items) return stripItems(items);
  if (oneOf) return stripAll(oneOf.map(compileNullStripper));
  return properties && stripMembers(properties, schema.required ?? []);
}

function stripItems(items: Schema): StripNulls | undefined {
  const omit = compileNullStripper(items);
  return (
    omit &&
    ((list) => {
      for (const item of list as unknown[]) omit(item);
    })
  );
}

function stripAll(all: readonly (StripNulls | undefined)[]): StripNulls | undefined {
  const some = all.filter((omit) => omit !== undefined);
  if (some.length === 0) return undefined;
  return (value) => {
    for (const omit of some) omit(value);
  };
}

function stripMembers(
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[],
): StripNulls | undefined {
  const optionalMembers = Object.entries(properties)
    .filter(([name, member]) => !required.includes(name) && !allowsNull(member))
    .map(([name]) => name);
  const nested = Object.entries(properties).flatMap(([name, member]) => {
    const omit = compileNullStripper(member);
    return omit ? [{ name, omit }] : [];
  });
  if (optionalMembers.length === 0 && nested.length === 0) return undefined;

  return (value) => {
    if (value === null || typeof value !== 'object') return;
    const object = value as Record<string, unknown>;
    // JSON.stringify skips undefined. Unlike `delete`, it keeps the object's shape.
    for (const name of optionalMembers) if (object[name] === null) object[name] = undefined;
    for (const { name, omit } of nested) omit(object[name]);
  };
}

function allowsNull({ type, oneOf }: Schema): boolean {
  return type === 'null' || (type?.includes('null') ?? false) || (oneOf?.some(allowsNull) ?? false);
}
