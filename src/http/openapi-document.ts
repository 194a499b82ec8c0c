import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Context as KoaContext, Middleware } from 'koa';
import { pageHeaders } from '../page/page-headers.js';
import { style } from '../page/style.js';
import { info } from '../rest/contract.js';
import { matchesEtag, preferredType } from '../api/headers.js';
import { jsonReply, methodReply, readOnly, type Reply, type RequestState } from '../api/replies.js';
import type { RateLimits } from '../api/rate-limit.js';

export interface OpenApiDocumentOptions {
  /** The base URL without a trailing slash. */
  readonly origin: string;
  /** That of the software; the description has that of the interface. */
  readonly version: string;
  readonly limits: Pick<RateLimits, 'admit'>;
  readonly addressOf: (request: KoaContext['req']) => string;
}

/** The base URL of the interface opens, too. */
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
  const built = await readFile(new URL(`../../schema/openapi.${format}`, import.meta.url), 'utf8');
  const text = built.replace('"@base_url@"', () => JSON.stringify(origin));
  const headers = {
    'Content-Type': format === 'yaml' ? 'application/yaml' : 'application/json; charset=utf-8',
    'Cache-Control': 'public, max-age=300',
    ETag: `"${createHash('sha256').update(text).digest('base64url')}"`,
    // Browser tools that show OpenAPI run on other origins.
    'Access-Control-Allow-Origin': '*',
  };
  return { status: 200, headers, text };
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
  const link = (url: string) => `<a href="${escape(url)}">${escape(url)}</a>`;
  const files = documentation.map((file) => `<code>${file}</code>`);
  return [
    '<!doctype html>',
    `<html lang="en"><meta charset="utf-8"><title>${escape(info.title)}</title>`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<style>${style}</style>`,
    `<main><h1>${escape(info.title)} ${escape(version)}</h1>`,
    `<p>${escape(info.summary)} The service is up.</p>`,
    `<p>OpenAPI description of version ${escape(info.version)} of the interface: ${description.map(link).join(' and ')}.</p>`,
    `<p>Dashboard: ${link(dashboard)}.</p>`,
    `<p>Documentation in the source code: ${files.join(' and ')}.</p></main></html>`,
    '',
  ].join('\n');
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

function lazily<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  return () => (value ??= make());
}
