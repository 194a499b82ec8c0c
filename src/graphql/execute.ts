// Compiles documents with graphql-jit and runs them. `/v1` compiles its documents when the process starts; known
// documents of the other routes are compiled by http/graphql/known-documents.ts.
//
// graphql-jit reads variables by other rules than graphql-js. So variables that graphql-js would change are read by
// graphql-js first, and variables that it would leave unchanged, which are most, skip that.
import {
  type DocumentNode,
  execute as interpret,
  type ExecutionResult,
  getOperationAST,
  getVariableValues,
  GraphQLError,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  type OperationDefinitionNode,
  parse,
  typeFromAST,
  validate,
  type VariableDefinitionNode,
} from 'graphql';
import jit = require('graphql-jit');
import type { Context } from './context.js';
import { Json, MinorUnits } from './scalars.js';

/** The text of one operation. The other members exist only as types. */
interface Document<Result, Variables> {
  readonly text: string;
  readonly result?: Result;
  readonly variables?: Variables;
}

/** An operation that is validated and compiled once and runs many times. */
export interface Operation<Result, Variables> {
  readonly name: string;
  /** False if graphql-jit could not compile it, so that graphql-js interprets it. */
  readonly compiled: boolean;
  /** Runs it as graphql-js does: returns errors in `errors` and throws none. */
  run(variables: Variables, context: Context): ExecutionResult | Promise<ExecutionResult>;
  /** Exists only as a type: what {@link execute} resolves with. */
  readonly result?: Result;
}

/** A document or its variables do not match the schema: a bug in the service. */
export class InvalidOperation extends Error {
  constructor(operation: string, issues: readonly GraphQLError[]) {
    super(`${operation}: ${issues.map(({ message }) => message).join('; ')}`);
    this.name = 'InvalidOperation';
  }
}

const notOneOperation = 'A document must have exactly one operation.';

/**
 * Compiles a document with exactly one operation, in milliseconds. Called when the process starts.
 * @param onInterpreted called with the name of an operation that graphql-jit cannot compile, and
 *   why
 * @throws InvalidOperation when the document does not match the schema
 */
export function compileOperation<Result, Variables>(
  schema: GraphQLSchema,
  { text }: Document<Result, Variables>,
  onInterpreted: (operation: string, why: string) => void,
): Operation<Result, Variables> {
  const document = parse(text);
  const definition = operationOf(document);
  const name = definition.name?.value ?? definition.operation;
  const issues = validate(schema, document);
  if (issues.length > 0) throw new InvalidOperation(name, issues);

  const compiled = compile(schema, document);
  if (typeof compiled.run === 'string') onInterpreted(name, compiled.run);

  const run: Run =
    typeof compiled.run === 'string'
      ? (variableValues, contextValue) =>
          interpret({ schema, document, variableValues, contextValue })
      : compiled.run;

  const definitions = definition.variableDefinitions ?? [];
  return {
    name,
    compiled: typeof compiled.run !== 'string',
    run: (variables, context) => {
      const given = variables as Readonly<Record<string, unknown>>;
      if (compiled.isUnchanged(given)) return run(given, context);

      // graphql-jit has its own rules for variables, such as null for undefined, and its own errors.
      // It leaves values unchanged that graphql-js has read.
      const { errors, coerced } = getVariableValues(schema, definitions, withoutUndefined(given));
      return errors ? { errors: errors.map(asBadInput) } : run(coerced, context);
    },
  };
}

/**
 * Runs a compiled operation and resolves with its `data`. An undefined variable counts as absent.
 * @throws what the resolver threw, unchanged
 * @throws InvalidOperation when the variables do not match
 */
export async function execute<Result, Variables>(
  operation: Operation<Result, Variables>,
  variables: Variables,
  context: Context,
): Promise<Result> {
  const { data, errors } = await operation.run(variables, context);
  const [first] = errors ?? [];
  if (!first) return data as Result;
  const thrown = originalOf(first);
  if (thrown instanceof GraphQLError) throw new InvalidOperation(operation.name, [thrown]);
  throw thrown;
}

/** The value behind a GraphQL error: what a resolver threw, if one did. */
export function originalOf(error: unknown): unknown {
  let inner = error;
  while (inner instanceof GraphQLError && inner.originalError) inner = inner.originalError;
  return inner;
}

function withoutUndefined(variables: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined));
}

/** Adds Apollo's code for invalid variables. */
function asBadInput(error: GraphQLError): GraphQLError {
  const { message, nodes } = error;
  return new GraphQLError(message, {
    ...(nodes && { nodes }),
    originalError: error.originalError ?? error,
    extensions: { code: 'BAD_USER_INPUT' },
  });
}

/** Runs one operation with variables that graphql-js has read. Returns errors in `errors`. */
type Run = (
  variables: Readonly<Record<string, unknown>>,
  context: Context,
) => ExecutionResult | Promise<ExecutionResult>;

/** A document that graphql-jit compiled. */
export interface CompiledDocument {
  readonly definition: OperationDefinitionNode;
  /** Whether graphql-js would leave these variables unchanged, so that it need not read them. */
  readonly isUnchanged: (variables: Readonly<Record<string, unknown>>) => boolean;
  /** Runs the operation; if graphql-jit cannot compile it, the reason. */
  readonly run: Run | string;
}

/**
 * Compiles a valid document with exactly one operation, in milliseconds.
 * @throws InvalidOperation when it has no operation, or several
 */
export function compile(schema: GraphQLSchema, document: DocumentNode): CompiledDocument {
  const definition = operationOf(document);
  const isUnchanged = createUnchangedCheck(schema, definition.variableDefinitions ?? []);
  const result = jit.compileQuery(schema, document, undefined, {
    disablingCapturingStackErrors: true,
  });
  if (!jit.isCompiledQuery(result)) {
    const why = result.errors?.map(({ message }) => message).join('; ') ?? 'unknown';
    return { definition, isUnchanged, run: why };
  }

  return {
    definition,
    isUnchanged,
    run: (variables, context) => result.query(undefined, context, variables),
  };
}

function operationOf(document: DocumentNode): OperationDefinitionNode {
  const definition = getOperationAST(document);
  if (definition) return definition;
  throw new InvalidOperation('document', [new GraphQLError(notOneOperation)]);
}

/** Whether graphql-js would leave a value unchanged. The value is never undefined. */
type Check = (value: unknown) => boolean;

/**
 * Creates the function that says whether graphql-js would leave the variables of one operation
 * unchanged. It takes a tenth of the time that graphql-js takes to read them. If it says false, they
 * may be wrong, or need conversion, such as dates.
 */
function createUnchangedCheck(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
): (variables: Readonly<Record<string, unknown>>) => boolean {
  const expected = definitions.map((definition) => {
    const type = typeFromAST(schema, definition.type);
    const check: Check = isInputType(type) ? checkOf(type) : () => false;
    const mayBeAbsent = !isNonNullType(type) && definition.defaultValue === undefined;
    return { name: definition.variable.name.value, check, mayBeAbsent };
  });
  return (variables) =>
    expected.every(({ name, check, mayBeAbsent }) =>
      Object.hasOwn(variables, name) ? check(variables[name]) : mayBeAbsent,
    );
}

function checkOf(type: GraphQLInputType): Check {
  if (isNonNullType(type)) {
    const check = checkOf(type.ofType);
    return (value) => value !== null && check(value);
  }
  const check = checkOfNullable(type);
  return (value) => value === null || check(value);
}

/** Scalars that graphql-js leaves unchanged. It converts values of others, such as dates. */
const scalarChecks: Readonly<Record<string, Check>> = {
  ID: (value) => typeof value === 'string',
  String: (value) => typeof value === 'string',
  Boolean: (value) => typeof value === 'boolean',
  Int: (value) => typeof value === 'number' && (value | 0) === value,
  Float: Number.isFinite,
  [MinorUnits.name]: Number.isSafeInteger,
  [Json.name]: (value) => value !== undefined,
};

function checkOfNullable(type: GraphQLInputType): Check {
  if (isListType(type)) {
    const check = checkOf(type.ofType);
    return (value) => Array.isArray(value) && value.every(check);
  }
  if (isInputObjectType(type)) return checkOfObject(type);
  if (isEnumType(type)) {
    return (value) => typeof value === 'string' && type.getValue(value)?.value === value;
  }
  return (!isNonNullType(type) && scalarChecks[type.name]) || (() => false);
}

function checkOfObject(type: GraphQLInputObjectType): Check {
  let checks: ReadonlyMap<string, Check> | undefined;
  const fields = Object.values(type.getFields());
  const expected = fields
    .filter((field) => isRequiredInputField(field) || field.defaultValue !== undefined)
    .map(({ name }) => name);
  return (value) => {
    if (type.isOneOf || typeof value !== 'object' || value === null || Array.isArray(value)) {
      return false;
    }
    // Created with the first value, because a type may contain itself.
    checks ??= new Map(fields.map((field) => [field.name, checkOf(field.type)]));
    for (const name of Object.keys(value)) {
      const check = checks.get(name);
      if (!check?.((value as Readonly<Record<string, unknown>>)[name])) return false;
    }
    return expected.every((name) => Object.hasOwn(value, name));
  };
}
