// The contract of `/v1`, as the build resolved it from schema/openapi.yaml: as data for the router, and as types.
//
// The types prove at compile time that the document of an operation returns what the contract promises: each member, no
// additional one, each of a matching type. The message of the compiler names what does not match.
import { readFileSync } from 'node:fs';
import type { BodyLimits } from '../bodies.js';
import type { Parameter } from '../query.js';
import type { Policy } from '../rate-limits.js';
import type { operations } from './generated/openapi-types.js';
import type { documents, OperationDocument } from './generated/operations.js';

/** An operation of the contract. */
export interface ContractEntry {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly permission: { readonly name: 'webhooks' | 'orders'; readonly level: 'read' | 'write' };
  readonly credentials: readonly string[];
  readonly rateLimit: Policy;
  /** Whether an Idempotency-Key is required. */
  readonly takesKey: boolean;
  readonly query: readonly Parameter[] | null;
  readonly body: {
    readonly limits: BodyLimits;
    /** If false, a missing body counts as an empty object. */
    readonly required: boolean;
    readonly schema: object;
  } | null;
  readonly response: object | null;
  /** The statuses of its problems. */
  readonly problems: readonly number[];
}

/** What `npm run build` reads from schema/openapi.yaml. */
interface Contract {
  readonly operations: Readonly<Record<OperationId, ContractEntry>>;
  readonly info: Readonly<Record<'title' | 'version' | 'summary', string>>;
  readonly commonProblems: Readonly<Record<string, readonly string[]>>;
}

const file = new URL('../../../schema/contract.json', import.meta.url);
const read = JSON.parse(readFileSync(file, 'utf8')) as Contract;

/** The operations of the public contract by operationId. */
export const contract = read.operations;

/** Title, version and summary of the interface. */
export const { info } = read;

/** Codes that any request may get, by status. */
export const { commonProblems } = read;

/** The name of an operation of the contract that has a document. */
export type OperationId = keyof operations & keyof Documents;

type Documents = typeof documents;
type Json<ResponseBody> = ResponseBody extends { content: { 'application/json': infer Body } }
  ? Body
  : never;
type Responses<Id extends OperationId> = operations[Id]['responses'];

/** The body of the success response; `never` for a response without content. */
type SuccessOf<Id extends OperationId> = Json<
  Responses<Id>[keyof Responses<Id> & (200 | 201 | 204)]
>;
export type ParamsOf<Id extends OperationId> = operations[Id]['parameters'] extends {
  path: infer Params;
}
  ? Params
  : unknown;
/** An optional body is an empty object when absent. */
export type BodyOf<Id extends OperationId> = [Sent<Id>] extends [never]
  ? undefined
  : Sent<Id> extends { content: { 'application/json': infer Body } }
    ? Body
    : undefined;
type Sent<Id extends OperationId> = NonNullable<operations[Id]['requestBody']>;
/** The query after reading, with defaults filled in. */
export type QueryOf<Id extends OperationId> = operations[Id]['parameters'] extends {
  query?: infer Query;
}
  ? Query & Required<Pick<Query, keyof Query & ('limit' | 'page' | 'per_page')>>
  : unknown;

export type VariablesOf<Id extends OperationId> =
  Documents[Id] extends OperationDocument<unknown, infer Variables> ? Variables : never;
export type ResultOf<Id extends OperationId> =
  Documents[Id] extends OperationDocument<infer Result, unknown> ? Result : never;

/** A root field named `body` is the whole response; one named `data` is its only member. */
export type ResponseBody<Result> = Result extends { body: infer Body } ? Body : Result;

/** Where the document of an operation differs from its contract; `never` if it matches. */
export type MismatchOf<Id extends OperationId> = [SuccessOf<Id>] extends [never]
  ? never
  : Mismatch<SuccessOf<Id>, ResponseBody<ResultOf<Id>>, 'answer'>;

/** Where a result differs from its contract; it may be null only where the contract allows it. See {@link MismatchOf}. */
export type Mismatch<Contract, Result, Path extends string> = null extends Result
  ? null extends Contract
    ? ValueMismatch<NonNullable<Contract>, NonNullable<Result>, Path>
    : `${Path} can be null`
  : ValueMismatch<NonNullable<Contract>, Result, Path>;

type ValueMismatch<Contract, Result, Path extends string> = [Result] extends [
  readonly (infer Item)[],
]
  ? [Contract] extends [readonly (infer Wanted)[]]
    ? Mismatch<Wanted, Item, `${Path}[]`>
    : `${Path} is a list`
  : [Result] extends [object]
    ? [Contract] extends [object]
      ? string extends keyof Contract
        ? never
        : MemberMismatch<Contract, Result, Path>
      : `${Path} is an object`
    : // GraphQL has no constants. A plain String passes where the contract lists values; an enum
      // must match.
      [string] extends [Result]
      ? [Contract] extends [string]
        ? never
        : `${Path} is a string`
      : [Result] extends [Contract]
        ? never
        : `${Path} has another type`;

type MemberMismatch<Contract, Result, Path extends string> =
  | MissingNames<Path, Exclude<NamesOf<Contract>, keyof Result>>
  | ExtraNames<Path, Exclude<keyof Result, NamesOf<Contract>>>
  | {
      [Name in keyof Result & NamesOf<Contract>]: Mismatch<
        Exclude<MemberOf<Contract, Name>, undefined>,
        // An optional member may be null: null-stripper.ts then removes it.
        MayBeAbsent<Contract, Name> extends true ? NonNullable<Result[Name]> : Result[Name],
        `${Path}.${Name & string}`
      >;
    }[keyof Result & NamesOf<Contract>];

type MissingNames<Path extends string, Names> = Names extends string
  ? `${Path} lacks ${Names}`
  : never;
type ExtraNames<Path extends string, Names> = Names extends string ? `${Path} has ${Names}` : never;
type NamesOf<Contract> = Contract extends unknown ? keyof Contract : never;
type MemberOf<Contract, Name> = Contract extends unknown
  ? Name extends keyof Contract
    ? Contract[Name]
    : never
  : never;
type MayBeAbsent<Contract, Name> = true extends (
  Contract extends unknown
    ? Name extends keyof Contract
      ? object extends Pick<Contract, Name>
        ? true
        : false
      : true
    : never
)
  ? true
  : false;
