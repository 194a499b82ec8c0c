// REDIS_URL. Apart from `redis.ts`, so that reading the settings does not load ioredis.
import { parseUrl } from '../domain/values/url.js';

/** Where Redis is: one server, a server that sentinels name, or a cluster. */
export type RedisAddress =
  | { readonly kind: 'server'; readonly url: string }
  | (SeveralNodes & { readonly kind: 'sentinel'; readonly name: string; readonly db: number })
  | (SeveralNodes & { readonly kind: 'cluster' });

interface SeveralNodes {
  readonly nodes: readonly { readonly host: string; readonly port: number }[];
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly tls: boolean;
}

const pattern =
  /^(redis|rediss)\+(sentinel|cluster):\/\/(?:([^:@/]*)(?::([^@/]*))?@)?([^@/?#]+)(?:\/([^/?#]*))?(?:\/(\d+))?$/;

const defaultPorts = { sentinel: 26_379, cluster: 6_379 } as const;

/**
 * Parses REDIS_URL: `redis://host:6379/0`, `redis+sentinel://one,two:26379/<name of the master>/0` or
 * `redis+cluster://one,two:6379`. `rediss` means TLS. Undefined for other texts.
 */
export function parseRedisUrl(text: string): RedisAddress | undefined {
  const [, scheme, kind, username, password, hosts, name, db] = pattern.exec(text) ?? [];
  if (hosts === undefined || (kind !== 'sentinel' && kind !== 'cluster')) {
    const isServer = ['redis:', 'rediss:'].includes(parseUrl(text)?.protocol ?? '');
    return isServer ? { kind: 'server', url: text } : undefined;
  }

  const nodes = hosts.split(',').map((host) => nodeOf(host, defaultPorts[kind]));
  if (!nodes.every((node) => node !== undefined)) return undefined;

  const several = {
    nodes,
    username: username ? decodeURIComponent(username) : undefined,
    password: password ? decodeURIComponent(password) : undefined,
    tls: scheme === 'rediss',
  };
  if (kind === 'cluster') return name ? undefined : { kind, ...several };

  return name ? { kind, ...several, name, db: Number(db ?? '0') } : undefined;
}

function nodeOf(host: string, port: number): { host: string; port: number } | undefined {
  const url = parseUrl(`redis://${host}`);
  if (!url) return undefined;
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? port : Number(url.port),
  };
}
