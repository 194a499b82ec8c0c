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

/** The text of one operation. The other members exist only for the compiler. */
interface Document<Result, Variables> {
  readonly text: string;
  readonly result?: Result;
  readonly variables?: Variables;
}

/** An operation that is validated and compiled once and runs many times. */
export interface Operation<Result, Variables> {
  readonly name: string;
  /** False if graphql-jit cannot compile it; graphql-js then interprets it. */
  readonly compiled: boolean;
  /** Runs it as GraphQL does: returns errors in `errors` and throws none. */
  run(variables: Variables, context: Context): ExecutionResult | Promise<ExecutionResult>;
  /** Only for the compiler: the type that {@link execute} resolves with. */
  readonly result?: Result;
}

/** A document or its variables do not match the schema: a bug of the service. */
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
 * Compiles a document with exactly one operation. Call it at boot: it takes milliseconds.
 * @param onInterpreted called with the name of an operation that graphql-jit cannot compile, and
 *   the reason
 * @throws InvalidOperation when the document does not match the schema
 */
export function compileOperation<Result, Variables>(
  schema: GraphQLSchema,
  { text }: Document<Result, Variables>,
  onInterpreted: (operation: string, why: string) => void,
): Operation<Result, Variables> {
  const document = parse(text);
  const definition = onlyOperation(document);
  const name = definition.name?.value ?? definition.operation;
  const issues = validate(schema, document);
  if (issues.length > 0) throw new InvalidOperation(name, issues);
  const compiled = compile(schema, document);
  if (typeof compiled === 'string') onInterpreted(name, compiled);
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
      // graphql-jit has its own rules for variables, such as null for undefined, and its own
      // errors. Values that graphql-js has read pass through graphql-jit unchanged.
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
  throw new InvalidOperation('document', [
    new GraphQLError('A document must have exactly one operation.'),
  ]);
}

/** Names of the variables if all must be strings; else undefined. */
function namesOfTexts(definitions: readonly VariableDefinitionNode[]): string[] | undefined {
  const isText = ({ type }: VariableDefinitionNode) =>
    type.kind === Kind.NON_NULL_TYPE &&
    type.type.kind === Kind.NAMED_TYPE &&
    (type.type.name.value === 'ID' || type.type.name.value === 'String');
  if (!definitions.every(isText)) return undefined;
  return definitions.map(({ variable }) => variable.name.value);
}

/** Whether all are strings already, so graphql-js need not read them. */
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

/** Adds Apollo's code for invalid variables. */
function asBadInput(error: GraphQLError): GraphQLError {
  const { message, nodes } = error;
  return new GraphQLError(message, {
    ...(nodes && { nodes }),
    originalError: error.originalError ?? error,
    extensions: { code: 'BAD_USER_INPUT' },
  });
}
