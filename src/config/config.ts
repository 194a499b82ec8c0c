import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import type { KeyRing } from './setting-schemas.js';
import { crossFieldIssues, type Parsed, settings } from './settings.js';

/**
 * The settings of every process, read once from the environment and validated all together.
 * Durations are milliseconds. The README's table is checked against `settings` by a test.
 */
export type Config = Readonly<ReturnType<typeof assemble>>;

/** Settings that name a database and keys: what everything but the launcher and its tools needs. */
export type ServiceConfig = Config & {
  readonly databaseUrl: string;
  readonly secretKeys: KeyRing;
};

/** Environment variables, by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment of this process; nobody else reads `process.env`. */
export const processEnvironment: Environment = process.env;

/** All faults of the environment at once; the message lists one fault a line. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`Invalid settings:\n${problems.map((issue) => `  - ${issue}`).join('\n')}`);
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
export function loadConfig(environment: Environment = processEnvironment): Config {
  return assemble(parse(environment, false));
}

/**
 * As {@link loadConfig}, of an environment that must name a database and keys.
 * @throws ConfigError listing every fault, what is missing among them
 */
export function loadServiceConfig(environment: Environment = processEnvironment): ServiceConfig {
  // Complete, or it would not have been parsed.
  return assemble(parse(environment, true)) as ServiceConfig;
}

/** Whether a setting is given, as itself or as a file. */
export function isSet(environment: Environment, name: keyof typeof settings): boolean {
  return Boolean(environment[name]) || Boolean(environment[`${name}_FILE`]);
}

function parse(environment: Environment, complete: boolean): Parsed {
  const problems: string[] = [];
  const parsed: Record<string, unknown> = {};
  for (const [name, { schema, fallback, ...rest }] of Object.entries(settings)) {
    const text = readSetting(environment, name, 'secret' in rest, problems) ?? fallback;
    if (text === undefined) continue;
    const result = (schema as z.ZodType).safeParse(text);
    if (result.success) parsed[name] = result.data;
    else problems.push(...result.error.issues.map((issue) => `${name}: ${issue.message}`));
  }
  if (complete) {
    for (const [name, message] of Object.entries(missing)) {
      if (!isSet(environment, name as keyof typeof missing)) problems.push(`${name}: ${message}`);
    }
  }
  problems.push(...crossFieldIssues(parsed));
  if (problems.length > 0) throw new ConfigError(problems);
  return parsed as Parsed;
}

function readSetting(
  environment: Environment,
  name: string,
  isSecret: boolean,
  problems: string[],
): string | undefined {
  const direct = environment[name];
  const file = isSecret ? environment[`${name}_FILE`] : undefined;
  if (direct !== undefined && direct !== '') {
    if (file) problems.push(`${name}: set only one of ${name} and ${name}_FILE`);
    return direct;
  }
  if (!file) return undefined;
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    problems.push(
      `${name}_FILE: cannot be read (${(error as NodeJS.ErrnoException).code ?? 'error'})`,
    );
    return undefined;
  }
}

function assemble(parsed: Parsed) {
  const host = parsed.HOST;
  const baseUrl =
    parsed.BASE_URL ?? `http://${host.includes(':') ? `[${host}]` : host}:${parsed.PORT}`;
  return {
    host,
    port: parsed.PORT,
    internalHost: parsed.INTERNAL_HOST,
    internalPort: parsed.INTERNAL_PORT,
    workerPort: parsed.WORKER_PORT,
    workerRoles: parsed.WORKER_ROLES,
    /** Without a trailing slash; what problem types, event sources and checkout pages start with. */
    baseUrl: baseUrl.replace(/\/+$/, ''),
    dataDir: parsed.DATA_DIR,
    /** Undefined: the launcher brings an embedded PostgreSQL. */
    databaseUrl: parsed.DATABASE_URL,
    databasePool: parsed.DATABASE_POOL,
    databaseWaitMs: parsed.DATABASE_WAIT,
    /** Undefined: BullMQ runs on PostgreSQL. */
    redisUrl: parsed.REDIS_URL,
    /** Key ring, newest first; undefined only where the launcher makes one. */
    secretKeys: parsed.SECRET_KEY,
    webhooks: {
      /** Delay before attempts 2, 3, …; `max_attempts` is one more than its length (H62, H63). */
      retryScheduleMs: parsed.WEBHOOKS_RETRY_SCHEDULE,
      timeoutMs: parsed.WEBHOOKS_TIMEOUT,
      allowPrivateTargets: parsed.WEBHOOKS_ALLOW_PRIVATE_TARGETS,
      caFile: parsed.WEBHOOKS_CA_FILE,
      contentType: parsed.WEBHOOKS_CONTENT_TYPE,
      disableAfterMs: parsed.WEBHOOKS_DISABLE_AFTER,
    } as const,
    endpointsPerAccount: parsed.ENDPOINTS_PER_ACCOUNT,
    workerConcurrency: parsed.WORKER_CONCURRENCY,
    workerEndpointConcurrency: parsed.WORKER_ENDPOINT_CONCURRENCY,
    smtpUrl: parsed.SMTP_URL,
    mailFrom: parsed.MAIL_FROM,
    /** A folder of fonts for letters on invoices that the fonts of the package lack. */
    pdfFonts: parsed.PDF_FONTS,
    /** Whether a hosted checkout is paid by its sandbox method, which moves no money. */
    sandboxPayments: parsed.SANDBOX_PAYMENTS,
    /** Requests per minute and account (H95). */
    rateLimit: parsed.RATE_LIMIT,
    /** Between the request to stop and the end of the listeners. */
    lameDuckMs: parsed.LAME_DUCK,
    /** Number of proxies in front whose `X-Forwarded-For` entries are believed. */
    trustedProxies: parsed.TRUSTED_PROXIES,
    logLevel: parsed.LOG_LEVEL,
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
