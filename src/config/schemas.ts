// The parsers of settings. `settings.ts` lists the settings.
import { BlockList, isIP } from 'node:net';
import { z } from 'zod';
import type { PrivateTargets } from '../domain/values/private-targets.js';
import type { SecretKey } from '../domain/values/sealer.js';
import { hostUrls } from '../database/address.js';
import { parseUrl } from '../domain/values/url.js';
import { parseRedisUrl } from '../queue/redis-address.js';

/** A role of a worker process. WORKER_ROLES defaults to all of them. */
export type WorkerRole = (typeof workerRoles)[number];
const workerRoles = ['deliver', 'replay', 'notify', 'expire'] as const;

/** The keys that seal secrets, newest first. */
export type KeyRing = readonly [SecretKey, ...SecretKey[]];

/**
 * Creates a parser.
 * @param read returns undefined for a text to reject with `message`
 */
const parser = <Value>(message: string, read: (text: string) => Value | undefined) =>
  z.string().transform((text, context) => {
    const value = read(text);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

/** A whole number from `min` to `max`. */
export const integer = (min: number, max: number) =>
  parser(`must be a whole number from ${min} to ${max}`, (text) => {
    const value = /^\d{1,15}$/.test(text.trim()) ? Number(text) : NaN;
    return value >= min && value <= max ? value : undefined;
  });

/** A TCP port; 0 for any free one. */
export const port = integer(0, 65_535);

const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

function parseDuration(text: string): number | undefined {
  const match = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h|d)$/.exec(text.trim());
  if (!match) return undefined;
  return Math.round(Number(match[1]) * units[match[2] as keyof typeof units]);
}

/** Such as `15s`; becomes milliseconds, more than 0. */
export const duration = parser(
  'must be a duration such as 15s, 5m or 120h',
  (text) => parseDuration(text) || undefined,
);

/** As {@link duration}, at most one minute; 0 for none. */
export const shortDuration = parser('must be 0 or a duration of at most 1m, such as 5s', (text) => {
  const milliseconds = text.trim() === '0' ? 0 : parseDuration(text);
  return milliseconds !== undefined && milliseconds <= units.m ? milliseconds : undefined;
});

/**
 * The schedule must end before retention deletes the event after 40 days, and a replay may begin 30
 * days after the event. Jitter lengthens each delay by up to a tenth.
 */
const maxScheduleMs = (10 * units.d) / 1.1;

/** Durations separated by commas, at most 218 hours in total; becomes milliseconds. */
export const schedule = parser(
  'must be at most 100 durations such as 5s,5m,30m',
  parseSchedule,
).refine(endsInTime, 'must end within 218 hours of the first attempt');

function parseSchedule(text: string): number[] | undefined {
  const delays = text.split(',').map(parseDuration);
  const valid = delays.filter((delay) => delay !== undefined);
  return delays.length <= 100 && valid.length === delays.length ? valid : undefined;
}

function endsInTime(delays: readonly number[]): boolean {
  return delays.reduce((sum, delay) => sum + delay, 0) <= maxScheduleMs;
}

const maxSchedules = 20;

/** `<name>=<schedule>`, separated by semicolons; becomes the delays in milliseconds by name. */
export const namedSchedules = parser(
  `must be at most ${maxSchedules} schedules such as fast=1s,5s;slow=1h,6h, named once each in a-z, 0-9 and -, but not default`,
  (text) => {
    const entries = text.split(';').map((entry) => {
      const [, name = '', delays = ''] = /^([a-z0-9-]{1,32})=(.*)$/s.exec(entry.trim()) ?? [];
      return [name, parseSchedule(delays)] as const;
    });

    const named = new Map(entries.flatMap(([name, delays]) => (delays ? [[name, delays]] : [])));
    const areValid = named.size === entries.length && !named.has('') && !named.has('default');
    return areValid && named.size <= maxSchedules ? named : undefined;
  },
).refine(
  (named) => [...named.values()].every(endsInTime),
  'must each end within 218 hours of the first attempt',
);

/** 0, 1 or CIDRs: the private addresses that deliveries may reach. */
export const privateTargets = parser<PrivateTargets>(
  'must be 0, 1 or CIDRs such as 10.1.0.0/16',
  (text) => {
    if (text === '0') return { kind: 'none' };
    if (text === '1') return { kind: 'private' };
    const cidrs = text.split(',').map((cidr) => cidr.trim());
    return cidrs.every(isCidr) ? { kind: 'cidrs', cidrs } : undefined;
  },
);

function isCidr(text: string): boolean {
  const [address = '', prefix = ''] = text.split('/');
  const family = isIP(address);
  if (family === 0 || !/^\d{1,3}$/.test(prefix)) return false;
  try {
    new BlockList().addSubnet(address, Number(prefix), family === 4 ? 'ipv4' : 'ipv6');
    return true;
  } catch {
    return false;
  }
}

/** Names of hosts, separated by commas; becomes lower case. */
export const hostNames = parser('must be names such as metrics.example.com', (text) => {
  const names = text
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
  return names.every((name) => /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/.test(name)) ? names : undefined;
});

/** 0 or 1; becomes a boolean. */
export const flag = z.enum(['0', '1'], 'must be 0 or 1').transform((text) => text === '1');

/** `<id>:<32 bytes in base64>`, separated by commas or white space, newest first. */
export const keyRing = parser<KeyRing>(
  'must be <id>:<32 bytes in base64>, several separated by commas, newest first',
  (text) => {
    const keys = text
      .split(/[\s,]+/)
      .filter((entry) => entry !== '')
      .map((entry) => {
        const [id, encoded] = entry.includes(':') ? entry.split(':', 2) : ['k1', entry];
        return { id: id ?? '', key: Buffer.from(encoded ?? '', 'base64') };
      });

    const [newest, ...older] = keys;
    const ids = new Set(keys.map(({ id }) => id));
    const areValid =
      ids.size === keys.length &&
      keys.every(({ id, key }) => /^[A-Za-z0-9]{1,16}$/.test(id) && key.length === 32);
    return newest && areValid ? [newest, ...older] : undefined;
  },
);

/** `all`, or worker roles separated by commas. */
export const roles = z.string().transform((text, context) => {
  if (text === 'all') return [...workerRoles];
  const named = text.split(',').map((role) => role.trim());
  const unknown = named.filter((role) => !(workerRoles as readonly string[]).includes(role));
  if (unknown.length > 0) {
    context.addIssue({
      code: 'custom',
      message: `must be all or some of ${workerRoles.join(', ')}; not ${unknown.join(', ')}`,
    });
    return z.NEVER;
  }
  return named as WorkerRole[];
});

/** Sender of mails: one line with an address, or a name and an address in angle brackets. */
export const mailAddress = z
  .string()
  .regex(
    /^(?:[^<>@\p{Cc}]* ?<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u,
    'must be an address such as signalpost@example.com or Signalpost <signalpost@example.com>',
  );

/** One environment variable: its parser, its default as text, and one line for docs/settings.md. */
export interface Setting<
  Schema extends z.ZodType,
  Fallback extends string | undefined = string | undefined,
> {
  readonly schema: Schema;
  readonly fallback: Fallback;
  readonly secret?: true;
  readonly description: string;
}

/** A setting that may be shown. */
export const setting = <Schema extends z.ZodType, Fallback extends string | undefined>(
  schema: Schema,
  fallback: Fallback,
  description: string,
): Setting<Schema, Fallback> => ({ schema, fallback, description });

/** A setting that is never shown, and that a file may hold. */
export const secret = <Schema extends z.ZodType>(
  schema: Schema,
  description: string,
): Setting<Schema, undefined> => ({ schema, fallback: undefined, secret: true, description });

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

/** An http or https URL of a proxy, with user and password if it needs them. */
export const proxyUrl = serviceUrl(['http:', 'https:']).refine((text) => {
  const url = parseUrl(text);
  if (!url) return true;
  const isDecodable = !/%(?![\da-f]{2})/i.test(url.username + url.password);
  return isDecodable && url.pathname === '/' && !/[?#]/.test(text);
}, 'must have no path, query or fragment, and a percent-encoded user and password');

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
