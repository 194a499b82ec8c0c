import {
  type DocumentNode,
  type ExecutionResult,
  getOperationAST,
  getVariableValues,
  type GraphQLError,
  type GraphQLSchema,
  locatedError,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql';
import { findVariableMismatch } from './check-variables.js';
import { compile, type Runner } from './compile.js';
import { countSelections, whyInterpreted } from './compilable.js';
import type { Context } from './context.js';
import { Lru } from '../domain/lru.js';
import { createUnchangedCheck } from './unchanged-variables.js';

/** What a client sends to /graphql, not yet checked. */
interface Body {
  readonly query?: unknown;
  readonly operationName?: unknown;
  readonly variables?: unknown;
  readonly extensions?: unknown;
}

/** A validated document. */
export interface ValidDocument {
  readonly source: string;
  readonly queryHash: string;
  readonly document: DocumentNode;
}

interface CompiledDocument {
  readonly definition: OperationDefinitionNode;
  readonly isUnchanged: ReturnType<typeof createUnchangedCheck>;
  readonly runner: Runner;
  readonly weight: number;
}

/** Selections of all compiled documents and {@link documentWeight} for each: about 20 MB of code. */
const maxCompiledWeight = 10_000;
const documentWeight = 20;
const maxSeen = 2_000;

/** A longer text is interpreted each time. */
const maxTextLength = 20_000;

/**
 * Compiles the documents that clients of /graphql repeat: a text is compiled when it was validated
 * for the second time, so a text that is sent once costs nothing and displaces nothing.
 */
export class CompiledDocuments {
  readonly #schema: GraphQLSchema;
  /** By hash: the texts seen once, and those that stay interpreted. */
  readonly #seen = new Lru<'once' | 'interpreted'>(maxSeen);
  readonly #compiled = new Lru<CompiledDocument>(maxCompiledWeight);

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
  }

  /** Notes a document that is about to be executed without {@link run}. */
  note({ source, queryHash, document }: ValidDocument): void {
    // Apollo also executes requests of a compiled document that are wrong or fail, or came before.
    if (this.#compiled.get(source)) return;
    const seen = this.#seen.get(queryHash);
    if (seen === 'interpreted' || source.length > maxTextLength) return;
    if (seen === undefined) {
      this.#seen.set(queryHash, 'once');
      return;
    }
    const compiled = this.#compile(document);
    if (compiled) this.#compiled.set(source, compiled, compiled.weight);
    else this.#seen.set(queryHash, 'interpreted');
  }

  /**
   * Runs an operation whose document is compiled.
   * @returns undefined if Apollo must execute it: the document is not compiled, the request is wrong,
   *   or a query fails below its root, where graphql-jit may order errors otherwise. No change was
   *   made then.
   */
  async run(body: unknown, context: Context): Promise<ExecutionResult | undefined> {
    const { query, operationName, variables, extensions } = (body ?? {}) as Body;
    const compiled = typeof query === 'string' ? this.#compiled.get(query) : undefined;
    if (!compiled || extensions != null) return undefined;
    const { definition, runner } = compiled;
    if (operationName != null && operationName !== definition.name?.value) return undefined;
    const coerced = this.#coerce(compiled, variables ?? {});
    if (!coerced) return undefined;
    const result = await runner(coerced, context);
    if (!result.errors) return result;
    // Several errors of the root are arguments that must not be null: graphql-js ends with the first.
    const ofRoot = result.errors.find(({ path = [] }) => path.length === 1);
    if (!ofRoot && definition.operation === OperationTypeNode.QUERY) return undefined;
    const errors = ofRoot ? [ofRoot] : result.errors;
    return { ...result, errors: errors.map(asGraphQLError) };
  }

  /** Forgets all: Apollo answers what comes after it was stopped. */
  clear(): void {
    this.#compiled.clear();
  }

  #compile(document: DocumentNode): CompiledDocument | undefined {
    const definition = getOperationAST(document);
    if (!definition || whyInterpreted(this.#schema, document) !== undefined) return undefined;
    const runner = compile(this.#schema, document);
    if (typeof runner === 'string') return undefined;
    const isUnchanged = createUnchangedCheck(this.#schema, definition.variableDefinitions ?? []);
    const weight = documentWeight + countSelections(document, definition);
    return { definition, isUnchanged, runner, weight };
  }

  /** Undefined if Apollo must write the errors of the variables. */
  #coerce({ definition, isUnchanged }: CompiledDocument, variables: unknown) {
    if (typeof variables !== 'object' || variables === null || Array.isArray(variables)) {
      return undefined;
    }
    const given = variables as Readonly<Record<string, unknown>>;
    if (isUnchanged(given)) return given;
    if (findVariableMismatch(this.#schema, definition, given)) return undefined;
    return getVariableValues(this.#schema, definition.variableDefinitions ?? [], given).coerced;
  }
}

/** Errors of graphql-jit lack members that Apollo reads. */
function asGraphQLError({ originalError, message, path, locations }: GraphQLError): GraphQLError {
  const located = locatedError(originalError ?? new Error(message), undefined, path);
  return located.locations ? located : Object.assign(located, { locations });
}
