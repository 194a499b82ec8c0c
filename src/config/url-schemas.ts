import { z } from 'zod';
import { hostUrls } from '../database/database-hosts.js';
import { parseUrl } from '../domain/parse-url.js';
import { parseRedisUrl } from '../redis/redis-address.js';

function isUrl(text: string, protocols: readonly string[]): boolean {
  return protocols.includes(parseUrl(text)?.protocol ?? '');
}

/** An absolute URL of one of these protocols, such as `https:`. */
export const serviceUrl = (protocols: readonly string[]) =>
  z
    .string()
    .refine(
      (text) => isUrl(text, protocols),
      `must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    );

const plainUrl = (protocols: readonly string[]) =>
  serviceUrl(protocols).refine((text) => {
    const url = parseUrl(text);
    if (!url) return true;
    return url.username === '' && url.password === '' && !/[?#]/.test(text);
  }, 'must have no user, password, query or fragment');

/** An http or https URL to which paths are appended, without user, query or fragment. */
export const baseAddress = plainUrl(['http:', 'https:']);

/** The URL of PostgreSQL. It may name several hosts, of which the service uses the primary. */
export const databaseUrl = z
  .string()
  .refine(
    (text) => hostUrls(text).every((url) => isUrl(url, ['postgres:', 'postgresql:'])),
    'must be a URL that starts with postgres:// or postgresql://',
  )
  .refine(
    (text) => !/[?&]target_session_attrs=(?!(?:read-write|primary)(?:&|$))/.test(text),
    'must have target_session_attrs=read-write, or leave it out',
  );

/** The URL of Redis, of its sentinels, or of nodes of a cluster. */
export const redisUrl = z
  .string()
  .refine(
    (text) => parseRedisUrl(text) !== undefined,
    'must be a URL such as redis://host, redis+sentinel://one,two/name or redis+cluster://one,two',
  );

/** The https URL of an OpenID provider. */
export const issuer = plainUrl(['https:']);
