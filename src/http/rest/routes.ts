// A route of `/v1`: an operation of the contract, compiled once when the process starts, and what one call of it carries.
// `contract.ts` says method, path, permission, limits and body; `operations.ts` the document and its variables.
import type { GraphQLSchema } from 'graphql';
import type { Viewer } from '../../domain/account/credentials.js';
import { type Actor, actorOf } from '../../domain/actor.js';
import type { AbortState, Read, Transact } from '../../domain/tx.js';
import type { Context } from '../../graphql/context.js';
import { compileOperation, type Operation } from '../../graphql/execute.js';
import type { Authenticator } from '../authentication.js';
import type { Reply } from '../exchange.js';
import type { OperationExchange } from '../operation.js';
import { compileQuery, type Query } from '../query.js';
import type { RateLimits } from '../rate-limits.js';
import { type OperationId, contract, type ContractEntry } from './contract.js';
import { type OperationHandler, table } from './operations.js';
import { compileBody, type ValidateBody } from './validation.js';

/** An operation that {@link compileRoutes} compiled, with the path in the router's form: `/v1/…/:id`. */
export interface Route extends Omit<ContractEntry, 'query' | 'response'> {
  readonly id: string;
  readonly readQuery: ((search: string) => Query) | undefined;
  readonly validate: ValidateBody | undefined;
  readonly stripNulls: ((response: unknown) => void) | undefined;
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
      stripNulls: response ? compileNullStripper(response) : undefined,
      handler,
      operation: compile(handler.document) as Route['operation'],
      subject: handler.subject && compile(handler.subject),
    };
    return [id, route] as const;
  });
  return Object.fromEntries(routes) as Readonly<Record<OperationId, Route>>;
}

/** What all operations of `/v1` share. */
export interface Dependencies {
  readonly read: Read;
  readonly transact: Transact;
  readonly waitForReplay: Context['waitForReplay'];
  readonly limits: RateLimits;
  readonly authenticator: Authenticator;
  /** Completes replays that other requests began. */
  readonly replay: Route;
  /** Timeout of a replay in milliseconds. It is longer than usual, since the caller waits for an attempt. */
  readonly replayLimitMs: number;
}

/** A request of `/v1`, with what the router found in it. */
export interface RestExchange extends OperationExchange {
  readonly state: OperationExchange['state'] & {
    /** Aborted once the request has timed out. */
    readonly deadline: AbortState;
    /** The trace of the request. */
    readonly traceparent?: string | undefined;
  };
  /** As requested, without the query. Part of the fingerprint. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly search: string;
  /** The client's address, as the trusted proxies report it. */
  readonly address: string;
}

/** A request that may be executed: who asks, under which key, with which body. */
export interface Call {
  readonly route: Route;
  readonly dependencies: Dependencies;
  readonly exchange: RestExchange;
  readonly viewer: Viewer;
  readonly key: string;
  readonly body: unknown;
}

/** The response to a request that succeeded. */
export interface RestResponse extends Reply {
  /** JSON; null for a response without content. */
  readonly text: string | null;
  /** The JSON value of the text; undefined without content. */
  readonly body?: unknown;
}

/** Where an operation reads and changes. */
export type DatabaseAccess = Pick<Context, 'read' | 'transact'>;

/** Who makes the changes of a request. */
export function actorOfCall({ viewer, exchange: { address, req } }: Call): Actor {
  return actorOf(viewer, { address, userAgent: req.headers['user-agent'] });
}

/** Makes the context of resolvers. */
export function restContext(
  { viewer, dependencies }: Pick<Call, 'viewer' | 'dependencies'>,
  { read, transact }: DatabaseAccess,
  waitForReplay = dependencies.waitForReplay,
): Context {
  return {
    viewer,
    read,
    transact,
    waitForReplay,
    publish: unavailable,
    publishAtomically: unavailable,
    schemas: unavailable,
    report: unavailable,
    toIssue: unavailable,
    rateLimited,
    transport: 'rest',
  };
}

/** Does not count again: the request was counted under the policy of its operation. */
function rateLimited<T>(_policy: string, work: () => Promise<T>): Promise<T> {
  return work();
}

/** Throws: reads of `/v1` open no transaction, and no operation of `/v1` publishes. */
export function unavailable(): never {
  throw new Error('An operation of /v1 requested what it is not given.');
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
  const strip = compileNullStripper(items);
  return (
    strip &&
    ((list) => {
      for (const item of list as unknown[]) strip(item);
    })
  );
}

function stripAll(all: readonly (StripNulls | undefined)[]): StripNulls | undefined {
  const strippers = all.filter((strip) => strip !== undefined);
  if (strippers.length === 0) return undefined;
  return (value) => {
    for (const strip of strippers) strip(value);
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
    const strip = compileNullStripper(member);
    return strip ? [{ name, strip }] : [];
  });
  if (optionalMembers.length === 0 && nested.length === 0) return undefined;

  return (value) => {
    if (value === null || typeof value !== 'object') return;
    const object = value as Record<string, unknown>;
    // JSON.stringify skips undefined. Unlike `delete`, it keeps the object's shape.
    for (const name of optionalMembers) if (object[name] === null) object[name] = undefined;
    for (const { name, strip } of nested) strip(object[name]);
  };
}

function allowsNull({ type, oneOf }: Schema): boolean {
  return type === 'null' || (type?.includes('null') ?? false) || (oneOf?.some(allowsNull) ?? false);
}
