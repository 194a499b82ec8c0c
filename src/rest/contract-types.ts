/**
 * The types that prove, when the project is compiled, that a document answers what the contract
 * promises: every member it names, none besides, each of a type that fits. What does not fit is
 * named in the compiler's message.
 */
import type { contract } from './generated/contract.js';
import type { documents, OperationDocument } from './generated/operations.js';
import type { operations } from './generated/openapi-types.js';

/** The operations of the public contract. */
export type OperationId = keyof typeof contract;

type Documents = typeof documents;
type Json<ResponseBody> = ResponseBody extends { content: { 'application/json': infer Body } }
  ? Body
  : never;
type Responses<Id extends OperationId> = operations[Id]['responses'];

/** The body of the success response; never for an answer without content. */
export type SuccessOf<Id extends OperationId> = Json<
  Responses<Id>[keyof Responses<Id> & (200 | 201 | 204)]
>;
export type ParamsOf<Id extends OperationId> = operations[Id]['parameters'] extends {
  path: infer Params;
}
  ? Params
  : unknown;
/** A body that may be left out is there as an empty object. */
export type BodyOf<Id extends OperationId> = [Sent<Id>] extends [never]
  ? undefined
  : Sent<Id> extends { content: { 'application/json': infer Body } }
    ? Body
    : undefined;
type Sent<Id extends OperationId> = NonNullable<operations[Id]['requestBody']>;
/** The query as it is after reading: defaults are filled in. */
export type QueryOf<Id extends OperationId> = operations[Id]['parameters'] extends {
  query?: infer Query;
}
  ? Query & Required<Pick<Query, keyof Query & ('limit' | 'page' | 'per_page')>>
  : unknown;

export type VariablesOf<Id extends OperationId> =
  Documents[Id] extends OperationDocument<unknown, infer Variables> ? Variables : never;
export type ResultOf<Id extends OperationId> =
  Documents[Id] extends OperationDocument<infer Result, unknown> ? Result : never;

/** A root field named `body` is the whole answer; one named `data` is its only member. */
export type ResponseBody<Result> = Result extends { body: infer Body } ? Body : Result;

/** What keeps the document of an operation from fitting its contract; never when it fits. */
export type MismatchOf<Id extends OperationId> = [SuccessOf<Id>] extends [never]
  ? never
  : Mismatch<SuccessOf<Id>, ResponseBody<ResultOf<Id>>, 'answer'>;

/** See {@link MismatchOf}; a null is allowed only where the contract allows it. */
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
    : // GraphQL has no constants: where the contract names the values of a string, a plain String is
      // taken at its word, an enum must match.
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
        // An optional member may be null: omit.ts leaves it out then.
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
