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
  /** Made for the first text: pages and the command line only send ids. */
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

/** Finds documents by their text. */
class TextIndex {
  readonly #byText = new Map<string, KnownDocument>();
  #longest = 0;

  constructor(documents: Iterable<KnownDocument>) {
    for (const document of documents) {
      const { text } = document;
      this.#byText.set(text, document);
      const compact = compactText(text);
      if (compact !== undefined) this.#byText.set(compact, document);
      this.#longest = Math.max(this.#longest, text.length);
    }
  }

  find(text: string): KnownDocument | undefined {
    const same = this.#byText.get(text);
    if (same || text.length > maxGrowth * this.#longest) return same;
    const compact = compactText(text);
    return compact === undefined ? undefined : this.#byText.get(compact);
  }
}

/** Indentation makes a text longer; one longer than this factor is not compared. */
const maxGrowth = 4;

/**
 * Removes insignificant whitespace. Undefined for a text that may hold significant whitespace: that inside a
 * string, or the end of a comment.
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
    const isOther = typeof query === 'string' && query !== this.text;
    const placeOf = isOther ? placesOfTokens(this.text, query) : (place: SourceLocation) => place;
    return { ...result, errors: errors.map((error) => asGraphQLError(error, placeOf)) };
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

/** Errors of graphql-jit lack members that Apollo reads, and their locations are those of the compiled text. */
function asGraphQLError(
  { originalError, message, path, locations }: GraphQLError,
  placeOf: (place: SourceLocation) => SourceLocation,
): GraphQLError {
  const located = locatedError(originalError ?? new Error(message), undefined, path);
  if (located.locations) return located;
  return Object.assign(located, { locations: locations?.map(placeOf) });
}

/** Maps the location of a token to its location in another text that differs only in whitespace. */
function placesOfTokens(text: string, other: string): (place: SourceLocation) => SourceLocation {
  const places = tokenPlaces(text);
  const others = tokenPlaces(other);
  return (place) => {
    const index = places.findIndex(
      ({ line, column }) => line === place.line && column === place.column,
    );
    return others[index] ?? place;
  };
}

function tokenPlaces(text: string): SourceLocation[] {
  const lexer = new Lexer(new Source(text));
  const places: SourceLocation[] = [];

  for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
    places.push({ line: token.line, column: token.column });
  }

  return places;
}
