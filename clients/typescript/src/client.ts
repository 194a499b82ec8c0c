// The client of `/v1`: its operations by method and path, with the types of the description, and the pages of its lists.
import { createSend, type ExchangeOptions, UnexpectedResponse } from './exchange.js';
import type { components, paths } from './generated/types.js';

/** The version of `clients/typescript/package.json`; a test compares the two. */
const version = '2.0.0';

type Paths = keyof paths;
type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** The paths that have an operation of this method. */
export type PathOf<Verb extends Method> = {
  [Path in Paths]: paths[Path] extends Record<Lowercase<Verb>, object> ? Path : never;
}[Paths];

type OperationOf<Verb extends Method, Path extends Paths> = paths[Path][Lowercase<Verb>];

type PathPart<Operation> = Operation extends { parameters: { path: infer Path extends object } }
  ? { readonly path: Path }
  : { readonly path?: never };

type QueryPart<Operation> = Operation extends { parameters: { query?: infer Query } }
  ? { readonly query?: { readonly [Name in keyof Query]: Query[Name] | undefined } | undefined }
  : never;

type JsonOf<Content> = Content extends { content: { 'application/json': infer Json } }
  ? Json
  : never;

type BodyPart<Operation> = Operation extends { requestBody: infer Body extends object }
  ? { readonly body: JsonOf<Body> }
  : Operation extends { requestBody?: infer Body }
    ? { readonly body?: JsonOf<Exclude<Body, undefined>> | undefined }
    : never;

/** What every request takes. */
export interface CallOptions {
  /** Of a change, at most 255 characters; the same change under it is made once. Defaults to a new one. */
  readonly idempotencyKey?: string | undefined;
  /** Ends the request, its repetitions and pauses. */
  readonly signal?: AbortSignal | undefined;
}

/** The parameters and the body of an operation, and what every request takes. */
export type InputOf<Verb extends Method, Path extends Paths> = CallOptions &
  PathPart<OperationOf<Verb, Path>> &
  QueryPart<OperationOf<Verb, Path>> &
  BodyPart<OperationOf<Verb, Path>>;

/** An argument that can be left out when nothing of it is required. */
type Argument<Input> = Partial<Input> extends Input ? [input?: Input] : [input: Input];

/** The body of the success of an operation; undefined for one without a body. */
export type OutputOf<Verb extends Method, Path extends Paths> =
  OperationOf<Verb, Path> extends { responses: infer Responses }
    ? Responses extends { 204: unknown }
      ? undefined
      : JsonOf<Responses[keyof Responses & (200 | 201)]>
    : never;

/** The paths of lists. */
export type ListPath = {
  [Path in PathOf<'GET'>]: OutputOf<'GET', Path> extends { data: readonly unknown[] }
    ? Path
    : never;
}[PathOf<'GET'>];

/** One item of a list. */
export type ItemOf<Path extends ListPath> =
  OutputOf<'GET', Path> extends { data: readonly (infer Item)[] } ? Item : never;

/** One page of a list, which says where the next one begins. */
export interface Page<Item> {
  readonly data: readonly Item[];
  /** Of a list with cursors. */
  readonly page?: components['schemas']['Page'];
  /** Of a list with page numbers. */
  readonly pagination?: components['schemas']['Pagination'];
}

/** What a list takes: its filters, the size of its pages, and where to begin. */
export type ListInput<Path extends ListPath> = Pick<InputOf<'GET', Path>, 'query' | 'signal'>;

/** A client of one service, for one API key. */
export interface Client {
  /**
   * Performs an operation, such as `request('GET', '/v1/webhooks/endpoints/{id}', { path: { id } })`, and
   * returns the body of its success.
   * @throws Problem when the service refuses; NoResponse or UnexpectedResponse when no answer of it arrives;
   *   TypeError for a parameter that no request can carry; the reason of `signal` when that aborts
   */
  request<Verb extends Method, Path extends PathOf<Verb>>(
    method: Verb,
    path: Path,
    ...input: Argument<InputOf<Verb, Path>>
  ): Promise<OutputOf<Verb, Path>>;
  /** Reads the pages of a list, from the one that `query` names to the last. Rejects as `request`. */
  pages<Path extends ListPath>(
    path: Path,
    input?: ListInput<Path>,
  ): AsyncGenerator<Page<ItemOf<Path>>, void>;
  /** Reads the items of a list, page by page as they are needed. Rejects as `request`. */
  list<Path extends ListPath>(
    path: Path,
    input?: ListInput<Path>,
  ): AsyncGenerator<ItemOf<Path>, void>;
}

/** Where the service is, and who asks. */
export interface ClientOptions extends ExchangeOptions {
  /** The public URL of the service, such as `https://webhooks.example.com`. */
  readonly url: string;
  /** An API key, `sk_live_…`. */
  readonly key: string;
  /** Names the program in the log of the service. Defaults to this package and its version. */
  readonly userAgent?: string;
}

type Query = Readonly<Record<string, string | number | undefined>>;

/** The members of each input, whatever its operation. */
interface Input extends CallOptions {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Query;
  readonly body?: object;
}

/** Creates a client. @throws TypeError if `url` is not an http or https URL, or `key` is not an API key */
export function createClient(options: ClientOptions): Client {
  const { key, userAgent = `signalpost-client/${version}` } = options;
  const base = baseOf(options.url);
  // Not quoted: it is a secret.
  if (!/^[!-~]+$/.test(key)) throw invalid('key must be an API key, without white space');

  const send = createSend(options);
  const headers = { Authorization: `Bearer ${key}`, 'User-Agent': userAgent };

  const request = async (method: Method, path: string, input: Input = {}) => {
    const { body, signal } = input;
    // Only a change loads what makes random numbers.
    const idempotencyKey =
      method === 'GET' ? undefined : (input.idempotencyKey ?? crypto.randomUUID());
    if (idempotencyKey !== undefined && /(?!\t)\p{Cc}/u.test(idempotencyKey)) {
      throw invalid('idempotencyKey must not contain control characters');
    }

    return send({
      method,
      url: `${base}${filled(path, input.path)}${queryOf(input.query)}`,
      headers,
      body,
      signal,
      idempotencyKey,
    });
  };

  async function* pages(path: string, { query, signal }: Input = {}) {
    const unexpected = (what: string) =>
      new UnexpectedResponse(`${base}${path} answered ${what}.`, 200, undefined);

    for (let asked: Query | undefined = { ...query }; asked;) {
      const page = (await request('GET', path, { query: asked, signal })) as Page<unknown>;
      if (!Array.isArray(page.data)) throw unexpected('without a list');

      // Beyond the last page comes the last one again, when items went meanwhile.
      if (page.pagination && page.pagination.current_page < Number(asked['page'] ?? 1)) return;
      yield page;

      const next = nextOf(page);
      if (next && 'cursor' in next && [undefined, asked['cursor']].includes(next['cursor'])) {
        throw unexpected('with a page that follows itself');
      }
      asked = next && { ...asked, ...next };
    }
  }

  async function* list(path: string, input?: Input) {
    for await (const { data } of pages(path, input)) yield* data;
  }

  // Only the types know which operations there are, and what each takes.
  return { request, pages, list } as unknown as Client;
}

/** Returns the parameters that ask for the page after this one; undefined after the last. */
export function nextOf({ page, pagination }: Page<unknown>): Query | undefined {
  if (pagination && pagination.current_page < pagination.total_pages) {
    return { page: pagination.current_page + 1 };
  }
  return page?.has_more === true ? { cursor: page.next_cursor } : undefined;
}

function baseOf(text: string): string {
  const { protocol, origin, pathname } = new URL(text);
  if (protocol === 'http:' || protocol === 'https:') return origin + pathname.replace(/\/$/, '');
  throw invalid('url must be an http or https URL');
}

/** Fills in the parameters of a path. @throws TypeError for one that would name another path */
function filled(path: string, parameters: Readonly<Record<string, string>> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name] ?? '';
    if (/^\.{0,2}$/.test(value)) throw invalid(`path.${name} must be an id`);
    return encodeURIComponent(value);
  });
}

function queryOf(query: Query = {}): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) given.set(name, String(value));
  }
  return given.size === 0 ? '' : `?${given.toString()}`;
}

/** As errors of Node, so that programs can tell them from their own. */
function invalid(message: string): TypeError {
  return Object.assign(new TypeError(message), { code: 'ERR_INVALID_ARG_VALUE' });
}
