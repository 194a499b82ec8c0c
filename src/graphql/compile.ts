import type { DocumentNode, ExecutionResult, GraphQLSchema } from 'graphql';
import jit = require('graphql-jit');
import type { Context } from './context.js';

/** Runs one operation. The variables are coerced. Returns errors in `errors`. */
export type Runner = (
  variables: Readonly<Record<string, unknown>>,
  context: Context,
) => ExecutionResult | Promise<ExecutionResult>;

/**
 * Compiles a document that is valid and has exactly one operation. It takes milliseconds.
 * @returns the reason if graphql-jit cannot compile it
 */
export function compile(schema: GraphQLSchema, document: DocumentNode): Runner | string {
  const result = jit.compileQuery(schema, document, undefined, {
    disablingCapturingStackErrors: true,
  });
  if (!jit.isCompiledQuery(result)) {
    return result.errors?.map(({ message }) => message).join('; ') ?? 'unknown';
  }
  return (variables, context) => result.query(undefined, context, variables);
}
