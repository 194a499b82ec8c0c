import {
  execute as interpret,
  type ExecutionResult,
  getOperationAST,
  getVariableValues,
  GraphQLError,
  type GraphQLSchema,
  parse,
  validate,
} from 'graphql';
import { compile, type Runner } from './compile.js';
import type { Context } from './context.js';
import { originalOf } from './errors.js';
import { createUnchangedCheck } from './unchanged-variables.js';

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

const notOneOperation = 'A document must have exactly one operation.';

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
  const definition = getOperationAST(document);
  if (!definition) throw new InvalidOperation('document', [new GraphQLError(notOneOperation)]);
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
  const isUnchanged = createUnchangedCheck(schema, definitions);
  return {
    name,
    compiled: typeof compiled !== 'string',
    run: (variables, context) => {
      const given = variables as Readonly<Record<string, unknown>>;
      if (isUnchanged(given)) return runner(given, context);
      // graphql-jit has its own rules for variables, such as null for undefined, and its own
      // errors. Values that graphql-js has read pass through graphql-jit unchanged.
      const { errors, coerced } = getVariableValues(schema, definitions, withoutUndefined(given));
      return errors ? { errors: errors.map(asBadInput) } : runner(coerced, context);
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
