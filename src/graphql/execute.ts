import {
  type DocumentNode,
  execute as interpret,
  type ExecutionResult,
  getVariableValues,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  validate,
  type VariableDefinitionNode,
} from 'graphql';
import jit = require('graphql-jit');
import type { Context } from './context.js';
import { originalOf } from './errors.js';

/** The text of one operation; the types are only for the compiler. */
interface Document<Result, Variables> {
  readonly text: string;
  readonly result?: Result;
  readonly variables?: Variables;
}

/** An operation that was read, validated and compiled once and runs many times. */
export interface Operation<Result, Variables> {
  readonly name: string;
  /** False: graphql-jit could not compile it, graphql-js interprets it. */
  readonly compiled: boolean;
  /** Runs it as GraphQL does: faults are in `errors`, nothing is thrown. */
  run(variables: Variables, context: Context): ExecutionResult | Promise<ExecutionResult>;
  /** Only for the compiler: what {@link execute} resolves with. */
  readonly result?: Result;
}

/** A document and the variables that the facade gave it do not fit: our own fault. */
export class InvalidOperation extends Error {
  constructor(operation: string, issues: readonly GraphQLError[]) {
    super(`${operation}: ${issues.map(({ message }) => message).join('; ')}`);
    this.name = 'InvalidOperation';
  }
}

type Runner = (
  variables: Readonly<Record<string, unknown>>,
  context: Context,
) => ExecutionResult | Promise<ExecutionResult>;

/**
 * Compiles a document of exactly one operation; for boot, since it costs milliseconds.
 * @param interpreted is told the name of an operation that can only be interpreted, and why
 * @throws OperationMisuse when the document is not valid against the schema
 */
export function compileOperation<Result, Variables>(
  schema: GraphQLSchema,
  { text }: Document<Result, Variables>,
  interpreted: (operation: string, why: string) => void,
): Operation<Result, Variables> {
  const document = parse(text);
  const definition = onlyOperation(document);
  const name = definition.name?.value ?? definition.operation;
  const issues = validate(schema, document);
  if (issues.length > 0) throw new InvalidOperation(name, issues);
  const compiled = compile(schema, document);
  if (typeof compiled === 'string') interpreted(name, compiled);
  const runner: Runner =
    typeof compiled === 'string'
      ? (variableValues, contextValue) =>
          interpret({ schema, document, variableValues, contextValue })
      : compiled;
  const definitions = definition.variableDefinitions ?? [];
  const texts = namesOfTexts(definitions);
  return {
    name,
    compiled: typeof compiled !== 'string',
    run: (variables, context) => {
      if (texts && areTexts(variables, texts)) return runner(variables, context);
      // graphql-jit reads variables by rules of its own (an undefined member becomes null) and words
      // its refusals differently; read by graphql-js first, its second reading changes nothing.
      const { errors, coerced } = getVariableValues(
        schema,
        definitions,
        withoutUndefined(variables),
      );
      if (errors) return { errors: errors.map(asBadInput) };
      return runner(coerced, context);
    },
  };
}

/**
 * Runs a compiled operation and resolves with its `data`. An undefined variable counts as absent.
 * @throws what the resolver threw, as it is (DomainError for refusals); OperationMisuse when the
 *   variables do not fit
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

function compile(schema: GraphQLSchema, document: DocumentNode): Runner | string {
  const result = jit.compileQuery(schema, document, undefined, {
    disablingCapturingStackErrors: true,
  });
  if (!jit.isCompiledQuery(result)) {
    return result.errors?.map(({ message }) => message).join('; ') ?? 'unknown';
  }
  return (variables, context) => result.query(undefined, context, variables);
}

function onlyOperation(document: DocumentNode): OperationDefinitionNode {
  const operations = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  const [first] = operations;
  if (operations.length === 1 && first) return first as OperationDefinitionNode;
  throw new InvalidOperation('document', [new GraphQLError('must hold exactly one operation')]);
}

/** The names of the variables when all of them must be strings; else undefined. */
function namesOfTexts(definitions: readonly VariableDefinitionNode[]): string[] | undefined {
  const isText = ({ type }: VariableDefinitionNode) =>
    type.kind === Kind.NON_NULL_TYPE &&
    type.type.kind === Kind.NAMED_TYPE &&
    (type.type.name.value === 'ID' || type.type.name.value === 'String');
  if (!definitions.every(isText)) return undefined;
  return definitions.map(({ variable }) => variable.name.value);
}

/** Whether there is nothing to read: a string that must be one stays what it is. */
function areTexts(
  variables: unknown,
  names: readonly string[],
): variables is Readonly<Record<string, string>> {
  const given = variables as Readonly<Record<string, unknown>>;
  return names.every((name) => typeof given[name] === 'string');
}

function withoutUndefined(variables: unknown): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(variables as object).filter(([, value]) => value !== undefined),
  );
}

/** The code that Apollo gives to variables that do not fit. */
function asBadInput(error: GraphQLError): GraphQLError {
  const { message, nodes } = error;
  return new GraphQLError(message, {
    ...(nodes && { nodes }),
    originalError: error.originalError ?? error,
    extensions: { code: 'BAD_USER_INPUT' },
  });
}
