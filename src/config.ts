import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { PrivateTargets } from './domain/endpoint/private-targets.js';
import {
  baseAddress,
  duration,
  flag,
  keyRing,
  type KeyRing,
  port,
  privateTargets,
  roles,
  schedule,
  secret,
  sender,
  serviceUrl,
  setting,
  type Setting,
  whole,
  type WorkerRole,
} from './setting-schemas.js';

/**
 * The settings of every process, read once from the environment and validated all together.
 * Durations are milliseconds. The README's table is checked against {@link settings} by a test.
 */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly internalHost: string;
  readonly internalPort: number;
  readonly workerPort: number;
  readonly workerRoles: readonly WorkerRole[];
  /** Without a trailing slash; what problem types, event sources and checkout pages start with. */
  readonly baseUrl: string;
  readonly dataDir: string;
  /** Undefined: the launcher brings an embedded PostgreSQL. */
  readonly databaseUrl: string | undefined;
  readonly databasePool: number;
  /** Undefined: BullMQ runs on PostgreSQL. */
  readonly redisUrl: string | undefined;
  /** Key ring, newest first; undefined only where the launcher makes one. */
  readonly secretKeys: KeyRing | undefined;
  readonly webhooks: {
    /** Delay before attempts 2, 3, …; `max_attempts` is one more than its length (H62, H63). */
    readonly retryScheduleMs: readonly number[];
    readonly timeoutMs: number;
    readonly allowPrivateTargets: PrivateTargets;
    readonly caFile: string | undefined;
    readonly contentType: 'application/json' | 'application/cloudevents+json';
    readonly disableAfterMs: number;
  };
  readonly workerConcurrency: number;
  readonly workerEndpointConcurrency: number;
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string;
  /** Whether a hosted checkout is paid by its sandbox method, which moves no money. */
  readonly sandboxPayments: boolean;
  /** Requests per minute and account (H95). */
  readonly rateLimit: number;
  /** Number of proxies in front whose `X-Forwarded-For` entries are believed. */
  readonly trustedProxies: number;
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
}

/** Settings that name a database and keys: what everything but the launcher and its tools needs. */
export type ServiceConfig = Config & {
  readonly databaseUrl: string;
  readonly secretKeys: KeyRing;
};

/** Environment variables, by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment of this process; nobody else reads `process.env`. */
export const ownEnvironment: Environment = process.env;

/** All faults of the environment at once; the message lists one fault a line. */
export class ConfigError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(`The settings are not valid:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/** Every environment variable that the service reads; a secret one also as `<NAME>_FILE`. */
export const settings = {
  HOST: setting(z.string().min(1), '127.0.0.1', 'Address of the public REST listener'),
  PORT: setting(port, '8080', 'Port of the public REST listener'),
  INTERNAL_HOST: setting(
    z.string().min(1),
    '127.0.0.1',
    'Address of the internal listener and of a worker’s own',
  ),
  INTERNAL_PORT: setting(port, '8081', 'Port of GraphQL, health and metrics of the API process'),
  WORKER_PORT: setting(port, '8082', 'Port of health and metrics of a worker process'),
  WORKER_ROLES: setting(
    roles,
    'all',
    'What a worker does: all, or some of deliver, replay, notify, expire',
  ),
  BASE_URL: setting(
    baseAddress,
    undefined,
    'Public address of the service; unset: http://HOST:PORT',
  ),
  DATA_DIR: setting(z.string().min(1), '.data', 'Folder of the embedded PostgreSQL, keys and mail'),
  DATABASE_URL: secret(
    serviceUrl(['postgres:', 'postgresql:']),
    'PostgreSQL 14 or newer; unset: embedded, brought by npm start',
  ),
  DATABASE_POOL: setting(whole(1, 1_000), '10', 'Connections of one process to PostgreSQL'),
  REDIS_URL: secret(
    serviceUrl(['redis:', 'rediss:']),
    'Redis for the queue and the rate limits; unset: PostgreSQL, and each API process counts alone',
  ),
  SECRET_KEY: secret(
    keyRing,
    'Keys that seal signing secrets, newest first: <id>:<32 bytes in base64>; made in DATA_DIR by npm start',
  ),
  WEBHOOKS_RETRY_SCHEDULE: setting(
    schedule,
    '5s,5m,30m,2h,5h,10h,14h,20h,24h',
    'Delays before attempts 2, 3, …; 218 hours in all at most',
  ),
  WEBHOOKS_TIMEOUT: setting(duration, '15s', 'Time for one attempt, connect to last byte'),
  WEBHOOKS_ALLOW_PRIVATE_TARGETS: setting(
    privateTargets,
    '0',
    '1: deliveries may reach loopback and private ranges; or a list of CIDRs; with the embedded PostgreSQL 127.0.0.0/8,::1/128',
  ),
  WEBHOOKS_CA_FILE: setting(
    z.string().min(1),
    undefined,
    'PEM file of further CAs for deliveries; with the embedded PostgreSQL the one of npm run receiver',
  ),
  WEBHOOKS_CONTENT_TYPE: setting(
    z.enum(['application/json', 'application/cloudevents+json']),
    'application/json',
    'Content type of deliveries',
  ),
  WEBHOOKS_DISABLE_AFTER: setting(
    duration,
    '120h',
    'How long an endpoint may fail without a break before it is disabled',
  ),
  WORKER_CONCURRENCY: setting(
    whole(1, 10_000),
    '200',
    'Attempts in flight per worker process; replays have up to 100 besides',
  ),
  WORKER_ENDPOINT_CONCURRENCY: setting(
    whole(1, 10_000),
    '20',
    'Attempts in flight per endpoint and worker process; replays have as many besides',
  ),
  SMTP_URL: secret(
    serviceUrl(['smtp:', 'smtps:']),
    'Mail server for notices; unset: they are written to the folder mail of DATA_DIR',
  ),
  MAIL_FROM: setting(sender, 'Signalpost <signalpost@localhost>', 'Sender of notices'),
  SANDBOX_PAYMENTS: setting(
    flag,
    '0',
    '1: the page to pay at takes sandbox payments, which move no money; with the embedded PostgreSQL 1',
  ),
  RATE_LIMIT: setting(whole(1, 100_000_000), '6000', 'Requests per minute and account'),
  TRUSTED_PROXIES: setting(whole(0, 10), '0', 'Proxies in front whose X-Forwarded-For is believed'),
  LOG_LEVEL: setting(
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    'info',
    'Least severe level that is logged',
  ),
} as const satisfies Record<string, Setting<z.ZodType>>;

type Settings = typeof settings;
type Parsed = { [Name in keyof Settings]: z.output<Settings[Name]['schema']> | undefined };

/** What a {@link ServiceConfig} must have, with what to say when it is missing. */
const missing = {
  DATABASE_URL: 'must be set here; only npm start and the commands bring a PostgreSQL of their own',
  SECRET_KEY:
    'must be set where DATABASE_URL is: k1:<32 bytes in base64>, for example from openssl rand -base64 32',
} as const;

/**
 * Reads and validates the whole environment.
 * @throws ConfigError listing every fault
 */
export function loadConfig(environment: Environment = ownEnvironment): Config {
  return assemble(parse(environment, false));
}

/**
 * As {@link loadConfig}, of an environment that must name a database and keys.
 * @throws ConfigError listing every fault, what is missing among them
 */
export function loadServiceConfig(environment: Environment = ownEnvironment): ServiceConfig {
  // Complete, or it would not have been parsed.
  return assemble(parse(environment, true)) as ServiceConfig;
}

/** Whether a setting is given, as itself or as a file. */
export function isGiven(environment: Environment, name: keyof Settings): boolean {
  return Boolean(environment[name]) || Boolean(environment[`${name}_FILE`]);
}

function parse(environment: Environment, complete: boolean): Parsed {
  const faults: string[] = [];
  const parsed: Record<string, unknown> = {};
  for (const [name, { schema, fallback, ...rest }] of Object.entries(settings)) {
    const text = readSetting(environment, name, 'secret' in rest, faults) ?? fallback;
    if (text === undefined) continue;
    const result = (schema as z.ZodType).safeParse(text);
    if (result.success) parsed[name] = result.data;
    else faults.push(...result.error.issues.map((issue) => `${name}: ${issue.message}`));
  }
  if (complete) {
    for (const [name, message] of Object.entries(missing)) {
      if (!isGiven(environment, name as keyof typeof missing)) faults.push(`${name}: ${message}`);
    }
  }
  faults.push(...contradictionsOf(parsed));
  if (faults.length > 0) throw new ConfigError(faults);
  return parsed as Parsed;
}

function readSetting(
  environment: Environment,
  name: string,
  isSecret: boolean,
  faults: string[],
): string | undefined {
  const direct = environment[name];
  const file = isSecret ? environment[`${name}_FILE`] : undefined;
  if (direct !== undefined && direct !== '') {
    if (file) faults.push(`${name}: given twice, as ${name} and as ${name}_FILE`);
    return direct;
  }
  if (!file) return undefined;
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    faults.push(
      `${name}_FILE: cannot be read (${(error as NodeJS.ErrnoException).code ?? 'error'})`,
    );
    return undefined;
  }
}

function assemble(parsed: Parsed): Config {
  const required = <Name extends keyof Parsed>(name: Name) =>
    parsed[name] as NonNullable<Parsed[Name]>;
  const host = required('HOST');
  const baseUrl =
    parsed.BASE_URL ?? `http://${host.includes(':') ? `[${host}]` : host}:${required('PORT')}`;
  return {
    host,
    port: required('PORT'),
    internalHost: required('INTERNAL_HOST'),
    internalPort: required('INTERNAL_PORT'),
    workerPort: required('WORKER_PORT'),
    workerRoles: required('WORKER_ROLES'),
    baseUrl: baseUrl.replace(/\/+$/, ''),
    dataDir: required('DATA_DIR'),
    databaseUrl: parsed.DATABASE_URL,
    databasePool: required('DATABASE_POOL'),
    redisUrl: parsed.REDIS_URL,
    secretKeys: parsed.SECRET_KEY,
    webhooks: {
      retryScheduleMs: required('WEBHOOKS_RETRY_SCHEDULE'),
      timeoutMs: required('WEBHOOKS_TIMEOUT'),
      allowPrivateTargets: required('WEBHOOKS_ALLOW_PRIVATE_TARGETS'),
      caFile: parsed.WEBHOOKS_CA_FILE,
      contentType: required('WEBHOOKS_CONTENT_TYPE'),
      disableAfterMs: required('WEBHOOKS_DISABLE_AFTER'),
    },
    workerConcurrency: required('WORKER_CONCURRENCY'),
    workerEndpointConcurrency: required('WORKER_ENDPOINT_CONCURRENCY'),
    smtpUrl: parsed.SMTP_URL,
    mailFrom: required('MAIL_FROM'),
    sandboxPayments: required('SANDBOX_PAYMENTS'),
    rateLimit: required('RATE_LIMIT'),
    trustedProxies: required('TRUSTED_PROXIES'),
    logLevel: required('LOG_LEVEL'),
  };
}

/** What does not go together; settings that are faulty themselves go with everything. */
function contradictionsOf(parsed: Partial<Parsed>): string[] {
  const faults: string[] = [];
  const { WORKER_CONCURRENCY = Infinity, WORKER_ENDPOINT_CONCURRENCY = 0 } = parsed;
  if (WORKER_ENDPOINT_CONCURRENCY > WORKER_CONCURRENCY) {
    faults.push('WORKER_ENDPOINT_CONCURRENCY: must not be larger than WORKER_CONCURRENCY');
  }
  if ((parsed.WEBHOOKS_TIMEOUT ?? 0) > 60_000) {
    faults.push('WEBHOOKS_TIMEOUT: must be at most 60s, the replay call waits for it');
  }
  return faults;
}

/** The settings for the start-up log line, every secret only as "set". */
export function summarize(environment: Environment): Record<string, string> {
  const summary: Record<string, string> = {};
  for (const [name, { fallback, ...rest }] of Object.entries(settings)) {
    const given = environment[name] ?? environment[`${name}_FILE`];
    if (given !== undefined && given !== '') summary[name] = 'secret' in rest ? 'set' : given;
    else if (fallback !== undefined) summary[name] = fallback;
  }
  return summary;
}
