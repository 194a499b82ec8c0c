// Documents that this release knows: those of the dashboard, the portal, the command line, and a few of the internal
// interface. Clients call them by id, and a text that equals one of them, whitespace apart, runs as by its id.
//
// graphql-jit compiles a document at its first call, if `npm run generate` has listed its id: a list of those whose
// compiled form answers as graphql-js does. Apollo and graphql-js run every other document and every other text as
// it is. Compiling a stranger's text would be a risk, because graphql-jit writes literals into code.
//
// A client cannot tell the two apart: status, headers, bytes, counted codes and changes are the same. Where the
// compiled form might differ for one request, because its variables are wrong or a query fails below its root,
// Apollo runs that request again. Nothing has been changed then.
import type { IncomingHttpHeaders } from 'node:http';
import {
  type ExecutionResult,
  getVariableValues,
  type GraphQLError,
  type GraphQLSchema,
  Lexer,
  locatedError,
  OperationTypeNode,
  parse,
  Source,
  type SourceLocation,
  TokenKind,
} from 'graphql';
import { validationFailed } from '../../domain/errors.js';
import type { Context } from '../../graphql/context.js';
import { compile, type CompiledDocument } from '../../graphql/execute.js';
import { findVariableMismatch } from '../../graphql/validation.js';
import type { Reply } from '../exchange.js';
import { ApiError } from '../problems.js';
import { compilable } from './generated/known-documents.js';
import type { MediaType } from './media-type.js';

/** The operation that a client sends, not yet checked. */
export interface OperationBody {
  readonly documentId?: unknown;
  readonly query?: unknown;
  readonly operationName?: unknown;
  readonly variables?: unknown;
  readonly extensions?: unknown;
}

/** One operation that was POSTed as JSON. */
export interface OperationPost {
  readonly headers: IncomingHttpHeaders;
  /** The media type of the response. */
  readonly accept: MediaType;
  readonly body: unknown;
  /** The document that the body names or sends, if the listener knows it. */
  readonly document?: KnownDocument | undefined;
}

/** Runs one operation. Errors of GraphQL are part of the response. */
export type ExecuteOperation = (post: OperationPost, context: Context) => Promise<Reply>;

/** Runs an operation as graphql-js does, or writes the errors of one that has already been executed. */
export type ExecuteText = (
  post: OperationPost,
  context: Context,
  executed?: ExecutionResult,
) => Promise<Reply>;

/** Runs known documents compiled, and everything else with `executeText`, which also writes all errors. */
export function runKnownDocuments(executeText: ExecuteText): ExecuteOperation {
  return async (post, context) => {
    const { document, accept, body } = post;
    const executed = await document?.run(body ?? {}, context);
    if (!executed || executed.errors) return executeText(post, context, executed);
    return {
      status: 200,
      headers: responseHeaders[accept],
      text: `${JSON.stringify({ data: executed.data })}\n`,
    };
  };
}

/** Headers of a response without errors. */
const responseHeaders: Readonly<Record<MediaType, Reply['headers']>> = {
  'application/json': { 'content-type': 'application/json; charset=utf-8' },
  'application/graphql-response+json': {
    'content-type': 'application/graphql-response+json; charset=utf-8',
  },
};

/** The documents of one listener. It knows no others. */
export class KnownDocuments {
  readonly #byId = new Map<string, KnownDocument>();
  /** Created for the first text: pages and the command line only send ids. */
  #textIndex: TextIndex | undefined;

  /**
   * @param texts by id
   * @param compilableIds the documents that may be compiled; all others are interpreted
   */
  constructor(
    schema: GraphQLSchema,
    texts: ReadonlyMap<string, string>,
    compilableIds: ReadonlySet<string> = compilable,
  ) {
    for (const [id, text] of texts) {
      this.#byId.set(id, new KnownDocument(schema, text, compilableIds.has(id)));
    }
  }

  /** @throws ApiError document_unknown */
  byId(id: unknown): KnownDocument {
    const document = typeof id === 'string' ? this.#byId.get(id) : undefined;
    if (document) return document;
    throw new ApiError(
      'document_unknown',
      'No document has this id here. If a page sent it, load the page again.',
    );
  }

  /** Returns the document that equals a text, whitespace apart; undefined for any other text. */
  byText(text: string): KnownDocument | undefined {
    this.#textIndex ??= new TextIndex(this.#byId.values());
    return this.#textIndex.find(text);
  }

  /**
   * Finds the document of a request: by its id, else by its text.
   * @returns undefined for a text that is not known
   * @throws ApiError document_unknown; DomainError validation_failed for an id and a text at once
   */
  find({ documentId, query }: OperationBody): KnownDocument | undefined {
    if (documentId == null) return typeof query === 'string' ? this.byText(query) : undefined;
    if (query == null) return this.byId(documentId);
    const detail = 'Send either documentId or query.';
    throw validationFailed([{ code: 'invalid_value', detail, param: 'query' }]);
  }
}

/**
 * Finds the document that equals a text, whitespace apart. It compares compact texts, which have no insignificant
 * whitespace. A text without a compact form must equal a document byte for byte.
 */
class TextIndex {
  /** By their texts, and by their compact texts. */
  readonly #documents = new Map<string, KnownDocument>();
  /** A longer text has too much whitespace to be worth compacting. */
  readonly #maxLength: number;

  constructor(documents: Iterable<KnownDocument>) {
    let longest = 0;

    for (const document of documents) {
      const { text } = document;
      longest = Math.max(longest, text.length);
      this.#documents.set(text, document);

      const compact = compactText(text);
      if (compact !== undefined) this.#documents.set(compact, document);
    }

    this.#maxLength = maxGrowth * longest;
  }

  find(text: string): KnownDocument | undefined {
    const document = this.#documents.get(text);
    if (document) return document;
    if (text.length > this.#maxLength) return undefined;

    const compact = compactText(text);
    return compact === undefined ? undefined : this.#documents.get(compact);
  }
}

/** A text may be this many times as long as the longest document, because of its indentation. */
const maxGrowth = 4;

/**
 * Returns a text without insignificant whitespace: one space between two words, none at punctuation. Undefined for a
 * text with a string or a comment, where whitespace is significant.
 */
function compactText(text: string): string | undefined {
  if (text.includes('"') || text.includes('#')) return undefined;
  return text
    .replace(/[ \t\r\n]+/g, ' ')
    .replace(/^ | $/g, '')
    .replace(/ ?([!$&():=@[\]{|}]) ?/g, '$1');
}

/** One document that the service knows. */
export class KnownDocument {
  readonly text: string;
  /** The name of its operation. */
  readonly name: string;
  readonly #schema: GraphQLSchema;
  readonly #isCompilable: boolean;
  #compiled: CompiledDocument | undefined;

  constructor(schema: GraphQLSchema, text: string, isCompilable: boolean) {
    this.#schema = schema;
    this.text = text;
    this.name = /^(?:query|mutation) (\w+)/.exec(text)?.[1] ?? '';
    this.#isCompilable = isCompilable;
  }

  /**
   * Runs the compiled operation. The first call compiles it.
   * @returns undefined if Apollo must execute it: the document may not be compiled, the request is wrong, or a
   *   query fails below its root, where graphql-jit may order errors otherwise. No change was made then.
   */
  async run(
    { query, operationName, variables, extensions }: OperationBody,
    context: Context,
  ): Promise<ExecutionResult | undefined> {
    if (!this.#isCompilable || extensions != null) return undefined;

    this.#compiled ??= compile(this.#schema, parse(this.text));

    const { definition, run } = this.#compiled;
    if (typeof run === 'string') return undefined;
    if (operationName != null && operationName !== definition.name?.value) return undefined;

    const values = this.#readVariables(this.#compiled, variables ?? {});
    if (!values) return undefined;

    const result = await run(values, context);
    if (!result.errors) return result;

    // Several errors of the root are arguments that must not be null: graphql-js ends with the first.
    const ofRoot = result.errors.find(({ path = [] }) => path.length === 1);
    if (!ofRoot && definition.operation === OperationTypeNode.QUERY) return undefined;

    const errors = ofRoot ? [ofRoot] : result.errors;
    const sentText = typeof query === 'string' ? query : this.text;
    const locate = locationsIn(sentText, this.text);
    return { ...result, errors: errors.map((error) => asGraphQLError(error, locate)) };
  }

  /** The request with the text of the document, for Apollo. */
  asText(body: OperationBody): object {
    if (body.query != null) return body;
    const request: Record<string, unknown> = { query: this.text };
    for (const name of ['operationName', 'variables', 'extensions'] as const) {
      if (body[name] !== undefined) request[name] = body[name];
    }
    return request;
  }

  /** The variables as graphql-js reads them; undefined if Apollo must write their errors. */
  #readVariables({ definition, isUnchanged }: CompiledDocument, variables: unknown) {
    if (typeof variables !== 'object' || variables === null || Array.isArray(variables)) {
      return undefined;
    }
    const values = variables as Readonly<Record<string, unknown>>;
    if (isUnchanged(values)) return values;
    if (findVariableMismatch(this.#schema, definition, values)) return undefined;

    // One error is enough to know that Apollo must write them all.
    const definitions = definition.variableDefinitions ?? [];
    return getVariableValues(this.#schema, definitions, values, { maxErrors: 1 }).coerced;
  }
}

/**
 * Errors of graphql-jit lack members that Apollo reads, and their locations are those of the compiled text.
 * @param locate maps such a location to that in the text of the client
 */
function asGraphQLError(
  { originalError, message, path, locations }: GraphQLError,
  locate: (location: SourceLocation) => SourceLocation,
): GraphQLError {
  const located = locatedError(originalError ?? new Error(message), undefined, path);
  if (located.locations) return located;
  return Object.assign(located, { locations: locations?.map(locate) });
}

/**
 * Maps locations in a compiled text to those in the text that a client sent. The two differ in whitespace only, so the
 * same token is the same location.
 */
function locationsIn(
  sentText: string,
  compiledText: string,
): (location: SourceLocation) => SourceLocation {
  if (sentText === compiledText) return (location) => location;

  const compiled = tokenLocations(compiledText);
  const sent = tokenLocations(sentText);
  return (location) => {
    const index = compiled.findIndex(
      ({ line, column }) => line === location.line && column === location.column,
    );
    return sent[index] ?? location;
  };
}

/** Returns where each token of a text begins. */
function tokenLocations(text: string): SourceLocation[] {
  const lexer = new Lexer(new Source(text));
  const locations: SourceLocation[] = [];

  for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
    locations.push({ line: token.line, column: token.column });
  }

  return locations;
}
