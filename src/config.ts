import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import type { PrivateTargets } from './domain/endpoint/private-targets.js';
import type { KeyRing, WorkerRole } from './setting-schemas.js';
import { contradictionsOf, type Parsed, settings } from './settings.js';

/**
 * The settings of every process, read once from the environment and validated all together.
 * Durations are milliseconds. The README's table is checked against `settings` by a test.
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
  readonly databaseWaitMs: number;
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
  readonly endpointsPerAccount: number;
  readonly workerConcurrency: number;
  readonly workerEndpointConcurrency: number;
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string;
  /** A folder of fonts for letters on invoices that the fonts of the package lack. */
  readonly pdfFonts: string | undefined;
  /** Whether a hosted checkout is paid by its sandbox method, which moves no money. */
  readonly sandboxPayments: boolean;
  /** Requests per minute and account (H95). */
  readonly rateLimit: number;
  /** Between the request to stop and the end of the listeners. */
  readonly lameDuckMs: number;
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
export function isGiven(environment: Environment, name: keyof typeof settings): boolean {
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
    databaseWaitMs: required('DATABASE_WAIT'),
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
    endpointsPerAccount: required('ENDPOINTS_PER_ACCOUNT'),
    workerConcurrency: required('WORKER_CONCURRENCY'),
    workerEndpointConcurrency: required('WORKER_ENDPOINT_CONCURRENCY'),
    smtpUrl: parsed.SMTP_URL,
    mailFrom: required('MAIL_FROM'),
    pdfFonts: parsed.PDF_FONTS,
    sandboxPayments: required('SANDBOX_PAYMENTS'),
    rateLimit: required('RATE_LIMIT'),
    lameDuckMs: required('LAME_DUCK'),
    trustedProxies: required('TRUSTED_PROXIES'),
    logLevel: required('LOG_LEVEL'),
  };
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
