// The public pages that describe the interface: name and version at `/` and `/v1`, the OpenAPI description, the page
// behind the `type` of each Problem, the JSON Schema behind the `dataschema` of each event, and the public keys that
// verify events.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Middleware, Context as KoaContext } from 'koa';
import { builtInSchemas, type JsonSchema } from '../../domain/event-type/built-in.js';
import { publicKeyPath, publicKeysById } from '../../domain/endpoint/key-pairs.js';
import { readSchemas } from '../../domain/event-type/definitions.js';
import type { Read } from '../../domain/transaction/tx.js';
import { methodReply, readOnly, type RequestState, jsonReply, type Reply } from '../exchange.js';
import { matchesEtag, preferredType } from '../headers.js';
import { pageHeaders } from '../hosted/page.js';
import { style } from '../hosted/templates.js';
import { allProblems, ApiError } from '../problems.js';
import type { RateLimits } from '../rate-limits.js';
import { info } from '../rest/contract.js';

interface Page {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** A page of text: it loads and runs nothing, and no other page frames it. */
const htmlHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
};

/** Serves the public pages behind the `type` of a Problem and the `dataschema` of an event. */
export function serveReferencePages(origin: string): Middleware<RequestState> {
  const pages = new Map([...problemPages(), ...schemaPages(origin)]);
  return (ctx, next) => {
    const page = pages.get(ctx.path);
    if (!page) return next();
    ctx.state.reply = methodReply(ctx.method, readOnly) ?? { status: 200, ...page };
    return Promise.resolve();
  };
}

function problemPages(): [string, Page][] {
  return Object.entries(allProblems).map(([code, { status, title, page }]) => {
    const text = [
      '<!doctype html>',
      `<html lang="en"><meta charset="utf-8"><title>${escapeHtml(title)}</title>`,
      `<h1>${escapeHtml(title)}</h1>`,
      `<p>Status ${status}, code <code>${code}</code></p>`,
      `<p>${escapeHtml(page)}</p></html>`,
      '',
    ].join('\n');
    return [`/problems/${code.replaceAll('_', '-')}`, { headers: htmlHeaders, text }];
  });
}

function schemaPages(origin: string): [string, Page][] {
  return [...builtInSchemas()].map(([name, schema]) => {
    const path = `/schemas/events/${name}`;
    const text = JSON.stringify({ $id: origin + path, ...schema }, undefined, 2);
    return [path, { headers: { 'Content-Type': 'application/schema+json' }, text }];
  });
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

interface EventSchemaPagesOptions {
  readonly read: Pick<Read, 'sql'>;
  readonly limits: Pick<RateLimits, 'admit'>;
  /** The base URL without a trailing slash. */
  readonly origin: string;
  readonly addressOf: (request: KoaContext['req']) => string;
}

const pathPattern = /^\/schemas\/events\/([a-z0-9_.]{1,100})\/(v[1-9][0-9]{0,2})$/;

/**
 * Serves the `dataschema` of event types that operators registered, and of types without a schema, within the rate
 * limit of an address. The schemas of built-in types are reference pages.
 */
export function serveEventSchemas(options: EventSchemaPagesOptions): Middleware<RequestState> {
  return async (ctx, next) => {
    const [, type, version] = pathPattern.exec(ctx.path) ?? [];
    if (type === undefined || version === undefined) return next() as Promise<void>;
    ctx.state.operation = 'event-schema';
    await options.limits.admit(options.addressOf(ctx.req));
    ctx.state.reply = methodReply(ctx.method, readOnly);
    if (ctx.state.reply) return;
    const schema = await schemaOf(options.read, type, version);
    if (schema === undefined) throw new ApiError('not_found', 'No event type has this version.');
    const text = JSON.stringify({ $id: options.origin + ctx.path, ...schema }, undefined, 2);
    const headers = { 'Content-Type': 'application/schema+json', 'Cache-Control': 'no-cache' };
    ctx.state.reply = { status: 200, headers, text };
  };
}

/** A type without a schema accepts any object, as its first version. */
async function schemaOf(
  read: Pick<Read, 'sql'>,
  type: string,
  version: string,
): Promise<JsonSchema | undefined> {
  const [definition] = await readSchemas(read, [type]);
  if (!definition) return undefined;

  const { versions } = definition;
  if (versions.length === 0 && version === 'v1') {
    return { $schema: 'https://json-schema.org/draft/2020-12/schema', title: type, type: 'object' };
  }
  return versions.find((candidate) => candidate.version === version)?.schema;
}

const keysPattern = /^\/webhooks\/keys\/(whs_[A-Za-z0-9]{24})$/;

/**
 * Serves the public keys of endpoints to whoever knows the id of one, within the rate limit of an address. An endpoint
 * without public keys answers like one that does not exist.
 */
export function servePublicKeys(
  options: Omit<EventSchemaPagesOptions, 'origin'>,
): Middleware<RequestState> {
  return async (ctx, next) => {
    if (!ctx.path.startsWith(publicKeyPath(''))) return next() as Promise<void>;
    ctx.state.operation = 'public-keys';
    await options.limits.admit(options.addressOf(ctx.req));
    ctx.state.reply = methodReply(ctx.method, readOnly);
    if (ctx.state.reply) return;

    const [, id] = keysPattern.exec(ctx.path) ?? [];
    const keys = id && (await publicKeysById(options.read, [id])).get(id);
    if (!keys) throw new ApiError('not_found', 'No endpoint with this id has a public key.');

    const body = {
      keys: keys.map(({ publicKey, expiresAt }) => ({
        public_key: publicKey,
        expires_at: expiresAt,
      })),
    };
    ctx.state.reply = notModifiedOr(cacheable(jsonReply(200, body)), ctx.get('if-none-match'));
  };
}

interface OpenApiDocumentOptions {
  /** The base URL without a trailing slash. */
  readonly origin: string;
  /** Version of the software; the description has the version of the interface. */
  readonly version: string;
  readonly limits: Pick<RateLimits, 'admit'>;
  readonly addressOf: (request: KoaContext['req']) => string;
}

/** Clients also open the base URL of the interface. */
const rootPaths: ReadonlySet<string> = new Set(['/', '/v1']);

const documentation = ['docs/contract.md', 'docs/receiving.md'];

/**
 * Serves the name and version of the service at `/` and `/v1`, and its OpenAPI description. Both are public,
 * within the rate limit of an address.
 */
export function serveOpenApiDocument(options: OpenApiDocumentOptions): Middleware<RequestState> {
  const documents = new Map([
    ['/openapi.yaml', lazily(() => openapi(options.origin, 'yaml'))],
    ['/openapi.json', lazily(() => openapi(options.origin, 'json'))],
  ]);

  return async (ctx, next) => {
    const document = documents.get(ctx.path);
    if (!document && !rootPaths.has(ctx.path)) return next() as Promise<void>;
    ctx.state.operation = document ? 'openapi' : 'root';
    await options.limits.admit(options.addressOf(ctx.req));
    ctx.state.reply =
      methodReply(ctx.method, readOnly) ??
      (document
        ? notModifiedOr(await document(), ctx.get('if-none-match'))
        : rootDocument(ctx.req.headers.accept, options));
  };
}

/** Read on first use: the texts are large, and most processes never serve them. */
async function openapi(origin: string, format: 'yaml' | 'json'): Promise<Reply> {
  const built = await readFile(
    new URL(`../../../schema/openapi.${format}`, import.meta.url),
    'utf8',
  );
  const text = built.replace('"@base_url@"', () => JSON.stringify(origin));
  const headers = {
    'Content-Type': format === 'yaml' ? 'application/yaml' : 'application/json; charset=utf-8',
    // Browser tools that show OpenAPI run on other origins.
    'Access-Control-Allow-Origin': '*',
  };
  return cacheable({ status: 200, headers, text });
}

/** Lets clients keep a text for 5 minutes, and then ask whether it has changed. */
function cacheable({ status, headers, text }: Reply): Reply {
  const hash = createHash('sha256').update(text ?? '');
  const caching = {
    'Cache-Control': 'public, max-age=300',
    ETag: `"${hash.digest('base64url')}"`,
  };
  return { status, headers: { ...headers, ...caching }, text };
}

/** Returns 304 if the client already has this document. */
function notModifiedOr(document: Reply, ifNoneMatch: string): Reply {
  if (!matchesEtag(ifNoneMatch, document.headers['ETag'] ?? '')) return document;
  return { status: 304, headers: document.headers, text: null };
}

function rootDocument(
  accept: string | undefined,
  { origin, version }: Pick<OpenApiDocumentOptions, 'origin' | 'version'>,
): Reply {
  const description = [`${origin}/openapi.yaml`, `${origin}/openapi.json`];
  const dashboard = `${origin}/dashboard`;
  const common = { Vary: 'Accept' };

  if (preferredType(accept, ['application/json', 'text/html']) === 'text/html') {
    const headers = { ...pageHeaders({ frameAncestor: null, formTarget: null }), ...common };
    return { status: 200, headers, text: page(version, description, dashboard) };
  }

  const about = {
    name: info.title,
    version,
    summary: info.summary,
    status: 'up',
    api: `${origin}/v1`,
    api_version: info.version,
    description,
    dashboard,
  };
  return jsonReply(200, about, common);
}

function page(version: string, description: readonly string[], dashboard: string): string {
  const link = (url: string) => `<a href="${escapeHtml(url)}">${escapeHtml(url)}</a>`;
  const files = documentation.map((file) => `<code>${file}</code>`);
  return [
    '<!doctype html>',
    `<html lang="en"><meta charset="utf-8"><title>${escapeHtml(info.title)}</title>`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<style>${style}</style>`,
    `<main><h1>${escapeHtml(info.title)} ${escapeHtml(version)}</h1>`,
    `<p>${escapeHtml(info.summary)} The service is up.</p>`,
    `<p>OpenAPI description of version ${escapeHtml(info.version)} of the interface: ${description.map(link).join(' and ')}.</p>`,
    `<p>Dashboard: ${link(dashboard)}.</p>`,
    `<p>Documentation in the source code: ${files.join(' and ')}.</p></main></html>`,
    '',
  ].join('\n');
}

function lazily<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  return () => (value ??= make());
}
