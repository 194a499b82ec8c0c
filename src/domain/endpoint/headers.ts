// Static headers of endpoints: up to ten of an endpoint go with each of its requests, such as `Authorization` for a
// gateway in front of the receiver.
//
// - Values exist only sealed, in one row of `endpoint_secret`. The endpoint has the names, and when they were set.
// - They belong to an origin. A change of the URL to another one deletes the values and keeps the names, so that pages
//   can say what is missing. The origin is sealed with the values, and a sender compares it with that of each request
//   (headersFor): a process of an earlier release changes URLs and leaves headers as they are.
// - The audit log has names, never values.
//
// A crash leaves all of a change or nothing: each function runs in the transaction of its caller.
import type { FieldChange } from '../audit/audit-entry.entity.js';
import type { Header } from '../delivery/evidence.js';
import { type Issue, type IssueCode, validationFailed } from '../errors.js';
import type { Tx } from '../transaction/tx.js';
import { CannotOpen } from '../values/sealer.js';
import { originOf } from '../values/url.js';
import type { Endpoint } from './endpoint.entity.js';
import { findSealedHeaders, removeSealedHeaders, storeSealedHeaders } from './secrets.js';

/** A header to set. Without a value, it keeps the stored value of its name. */
export interface HeaderInput {
  readonly name: string;
  readonly value?: string | null | undefined;
}

/** The headers of an endpoint as they are shown: never with their values. */
export interface EndpointHeaders {
  readonly names: readonly string[];
  readonly setAt: Date;
  /** False when the values are gone, until they are set again. */
  readonly sent: boolean;
}

/** The columns that an endpoint has about its headers. */
export const headerFields = [
  'headerNames',
  'headersOrigin',
  'headersSetAt',
] as const satisfies readonly (keyof Endpoint)[];

type HeaderColumns = Readonly<Pick<Endpoint, (typeof headerFields)[number]>>;

/** What is sealed: the headers, and the origin to which they are sent. */
export interface OpenedHeaders {
  readonly origin: string;
  readonly headers: readonly Header[];
}

const maxHeaders = 10;
const maxBytes = 4_096;

/** An RFC 9110 token without `%`: in a name, which the audit log keeps, an e-mail address could hide behind `%40`. */
const token = /^[A-Za-z0-9!#$&'*+.^_`|~-]+$/;
const visible = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/;

/** Names that the service sends, that HTTP gives a meaning for one connection, or that change how responses are read. */
const reserved = new Set([
  'accept',
  'accept-encoding',
  'baggage',
  'connection',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'te',
  'traceparent',
  'tracestate',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
]);
const reservedPrefix = /^(?:content-|proxy-|webhook-|x-service-)/;

/** Returns the headers for a request to `url`: none if they were set for another origin. */
export function headersFor({ origin, headers }: OpenedHeaders, url: string): readonly Header[] {
  return originOf(url) === origin ? headers : [];
}

/** Parses headers that a key has opened. */
export function parseHeaders(opened: string): OpenedHeaders {
  return JSON.parse(opened) as OpenedHeaders;
}

/** Returns what is shown of an endpoint's headers; null if it has none. */
export function shownHeaders(
  columns: HeaderColumns & Pick<Endpoint, 'url'>,
): EndpointHeaders | null {
  const { headerNames, headersOrigin, headersSetAt, url } = columns;
  if (headerNames === null || headersSetAt === null) return null;
  return { names: headerNames, setAt: headersSetAt, sent: headersOrigin === originOf(url) };
}

/** Validates a list of headers and returns all issues. Values that are kept are not validated. */
export function headerIssues(inputs: readonly HeaderInput[]): Issue[] {
  if (inputs.length > maxHeaders) {
    const detail = `Must have at most ${maxHeaders} headers.`;
    return [{ code: 'too_many_items', detail, param: 'headers' }];
  }

  const names = inputs.map(({ name }) => name.toLowerCase());
  const issues = inputs.flatMap(({ name, value }, index) => {
    const param = `headers[${index}]`;
    const isRepeated = names.indexOf(name.toLowerCase()) < index;
    return [
      ...nameIssues(`${param}.name`, name, isRepeated),
      ...valueIssues(`${param}.value`, value),
    ];
  });

  return issues.length > 0 ? issues : sizeIssues(inputs);
}

function nameIssues(param: string, name: string, isRepeated: boolean): Issue[] {
  const issue = (code: IssueCode, detail: string) => [{ code, detail, param }];
  if (!token.test(name)) {
    return issue('invalid_format', "Must have only letters, digits and !#$&'*+-.^_`|~.");
  }

  const lower = name.toLowerCase();
  if (reserved.has(lower) || reservedPrefix.test(lower)) {
    return issue('invalid_value', `The service does not let endpoints set ${name}.`);
  }

  return isRepeated ? issue('invalid_value', 'Must not be repeated.') : [];
}

function valueIssues(param: string, value: string | null | undefined): Issue[] {
  if (value == null || visible.test(value)) return [];
  const detail =
    value === ''
      ? 'Must not be empty.'
      : 'Must have only visible ASCII characters, and spaces and tabs between them.';
  return [{ code: 'invalid_value', detail, param }];
}

function sizeIssues(inputs: readonly HeaderInput[]): Issue[] {
  const bytes = inputs.reduce(
    (sum, { name, value }) => sum + name.length + (value?.length ?? 0),
    0,
  );
  if (bytes <= maxBytes) return [];
  const detail = `Names and values must have at most ${maxBytes.toLocaleString('en')} bytes together.`;
  return [{ code: 'too_long', detail, param: 'headers' }];
}

/** What {@link replaceHeaders} did. */
interface HeadersReplaced {
  /** The columns to write. */
  readonly columns: HeaderColumns;
  readonly change: FieldChange;
}

/**
 * Replaces the headers of an endpoint whose row the transaction has locked. The caller writes the columns.
 * @param inputs valid ones; null or an empty list removes all, undefined keeps them
 * @returns undefined if nothing changes
 * @throws DomainError validation_failed for a value to keep that is not stored, or if they are too long together
 */
export async function replaceHeaders(
  tx: Tx,
  endpoint: HeaderColumns & Pick<Endpoint, 'id' | 'url'>,
  inputs: readonly HeaderInput[] | null | undefined,
): Promise<HeadersReplaced | undefined> {
  const { id, url, headerNames } = endpoint;
  if (inputs === undefined) return undefined;

  const names = inputs?.map(({ name }) => name) ?? [];
  const change = changeOf(headerNames ?? [], names);

  if (inputs === null || inputs.length === 0) {
    if (headerNames === null) return undefined;
    await removeSealedHeaders(tx, [id]);
    return { columns: noHeaders, change };
  }

  const keepsValues = inputs.some(({ value }) => value == null);
  const stored = keepsValues ? await storedHeaders(tx, id, url) : [];
  const headers = resolveValues(inputs, stored);
  if (JSON.stringify(headers) === JSON.stringify(stored)) return undefined;

  const origin = originOf(url);
  await storeSealedHeaders(tx, id, sealedText({ origin, headers }));
  return {
    columns: {
      headerNames: names,
      headersOrigin: origin,
      headersSetAt: tx.now,
    },
    change,
  };
}

const noHeaders: HeaderColumns = { headerNames: null, headersOrigin: null, headersSetAt: null };

/** Returns the text to seal. */
function sealedText(headers: OpenedHeaders): string {
  return JSON.stringify(headers);
}

/** Fills in the values to keep. @throws DomainError validation_failed */
function resolveValues(
  inputs: readonly HeaderInput[],
  stored: readonly Header[],
): readonly Header[] {
  const storedValues = new Map(stored.map(([name, value]) => [name.toLowerCase(), value]));
  const missing: Issue[] = [];
  const headers = inputs.map(({ name, value }, index) => {
    const resolved = value ?? storedValues.get(name.toLowerCase());
    if (resolved === undefined) {
      const detail = 'Required: no value of this name is stored that could be kept.';
      missing.push({ code: 'required', detail, param: `headers[${index}].value` });
    }
    return [name, resolved ?? ''] as const;
  });

  const issues =
    missing.length > 0 ? missing : sizeIssues(headers.map(([name, value]) => ({ name, value })));
  if (issues.length > 0) throw validationFailed(issues);

  return headers;
}

/** Returns the stored headers whose values can be kept. */
async function storedHeaders(tx: Tx, id: string, url: string): Promise<readonly Header[]> {
  const [sealed] = await findSealedHeaders(tx, [id]);
  const opened = sealed && tx.rules.sealer.tryOpen(sealed, id);
  return typeof opened === 'string' ? headersFor(parseHeaders(opened), url) : [];
}

/** The names of an endpoint's headers whose values were deleted. */
export interface ForgottenHeaders {
  readonly endpointId: string;
  readonly names: readonly string[];
}

/** Deletes the values of headers of these endpoints, whose rows the transaction has locked, and keeps the names. */
export async function forgetHeaders(
  tx: Tx,
  endpointIds: readonly string[],
): Promise<ForgottenHeaders[]> {
  const forgotten = await tx.sql<ForgottenHeaders>(forgetStatement, [endpointIds]);
  if (forgotten.length > 0) await removeSealedHeaders(tx, endpointIds);
  return forgotten;
}

const forgetStatement = {
  name: 'endpoint-headers-forget',
  text: `update endpoint set headers_origin = null
         where id = any ($1::text[]) and headers_origin is not null
         returning id as "endpointId", header_names as names`,
};

/**
 * Removes the headers of these endpoints, whose rows the transaction has locked, whose value `isRemoved` names.
 * @returns how many endpoints had one
 * @throws Error if no key of the ring opens them
 */
export async function removeHeadersWhere(
  tx: Tx,
  endpointIds: readonly string[],
  isRemoved: (value: string) => boolean,
): Promise<number> {
  let changed = 0;

  for (const { endpointId, ...sealed } of await findSealedHeaders(tx, endpointIds)) {
    const opened = tx.rules.sealer.tryOpen(sealed, endpointId);
    if (opened instanceof CannotOpen) {
      throw new Error(`Cannot open the headers of ${endpointId}: ${opened.message}.`);
    }

    const { origin, headers } = parseHeaders(opened);
    const kept = headers.filter(([, value]) => !isRemoved(value));
    if (kept.length === headers.length) continue;

    if (kept.length === 0) await removeSealedHeaders(tx, [endpointId]);
    else await storeSealedHeaders(tx, endpointId, sealedText({ origin, headers: kept }));
    await tx.sql(setNamesStatement, [endpointId, kept.map(([name]) => name)]);
    changed += 1;
  }

  return changed;
}

const setNamesStatement = {
  name: 'endpoint-headers-set-names',
  text: `update endpoint
            set header_names = nullif($2::text[], '{}'),
                headers_origin = case when $2::text[] <> '{}' then headers_origin end,
                headers_set_at = case when $2::text[] <> '{}' then headers_set_at end
          where id = $1`,
};

/** Names the removed and the added headers; neither if only values may have changed. */
function changeOf(before: readonly string[], after: readonly string[]): FieldChange {
  const isIn = (names: readonly string[]) => {
    const lower = new Set(names.map((name) => name.toLowerCase()));
    return (name: string) => lower.has(name.toLowerCase());
  };
  const removed = before.filter((name) => !isIn(after)(name));
  const added = after.filter((name) => !isIn(before)(name));
  if (removed.length + added.length === 0) return { field: 'headers' };
  return { field: 'headers', from: removed.join(', '), to: added.join(', ') };
}
