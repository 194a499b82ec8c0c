import type { Context as KoaContext, Middleware } from 'koa';
import { type JsonSchema } from '../domain/event-type/built-in.js';
import { readSchemas } from '../domain/event-type/definitions.js';
import type { Read } from '../domain/tx.js';
import { methodReply, readOnly, type RequestState } from '../api/replies.js';
import { ApiError } from '../api/problem.js';
import type { RateLimits } from '../api/rate-limit.js';

export interface EventSchemaPagesOptions {
  readonly read: Pick<Read, 'sql'>;
  readonly limits: Pick<RateLimits, 'admit'>;
  /** The base URL without a trailing slash. */
  readonly origin: string;
  readonly addressOf: (request: KoaContext['req']) => string;
}

const pathPattern = /^\/schemas\/events\/([a-z0-9_.]{1,100})\/(v[1-9][0-9]{0,2})$/;

/**
 * Serves the `dataschema` of events of the types that operators put, and of types without a schema.
 * It is public, within the rate limit of an address. Those of the service are reference pages.
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

/** A type that has no schema takes any object as its first version. */
async function schemaOf(
  read: Pick<Read, 'sql'>,
  type: string,
  version: string,
): Promise<JsonSchema | undefined> {
  const [found] = await readSchemas(read, [type]);
  if (!found) return undefined;
  const { versions } = found;
  if (versions.length === 0 && version === 'v1') {
    return { $schema: 'https://json-schema.org/draft/2020-12/schema', title: type, type: 'object' };
  }
  return versions.find((each) => each.version === version)?.schema;
}
