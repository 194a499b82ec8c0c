// The settings of every process: read once from the environment and validated together.
//
// No other file reads `process.env`. A process with invalid settings names every problem and exits with 1 before it
// touches anything; each setting and its default is in `settings.ts`, its parser in `schemas.ts`.
import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import type { KeyRing } from './schemas.js';
import { crossFieldIssues, type Parsed, settings } from './settings.js';
import { join, resolve } from 'node:path';

/**
 * The settings of every process, read once from the environment and validated together. Durations
 * are milliseconds. A test compares the table of docs/settings.md with `settings`.
 */
export type Config = Readonly<ReturnType<typeof assemble>>;

/** Settings with a database and keys. Every process except the launcher and its tools needs them. */
export type ServiceConfig = Config & {
  readonly databaseUrl: string;
  readonly secretKeys: KeyRing;
};

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment of this process. No other file reads `process.env`. */
export const processEnvironment: Environment = process.env;

/** Invalid settings; the message lists every problem, one per line. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`Invalid settings:\n${problems.map((issue) => `  - ${issue}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/** The settings that a {@link ServiceConfig} requires, with the message for a missing one. */
const missing = {
  DATABASE_URL: 'is required here; only npm start and the commands start an embedded PostgreSQL',
  SECRET_KEY:
    'is required with DATABASE_URL: <id>:<32 bytes in base64>, for example from echo "k$(openssl rand -hex 4):$(openssl rand -base64 32)"',
} as const;

/**
 * Reads and validates the whole environment.
 * @throws ConfigError with every problem
 */
export function loadConfig(environment: Environment = processEnvironment): Config {
  return assemble(parse(environment, false));
}

/**
 * As {@link loadConfig}, but requires a database and keys.
 * @throws ConfigError with every problem
 */
export function loadServiceConfig(environment: Environment = processEnvironment): ServiceConfig {
  // parse() with `complete` guarantees both.
  return assemble(parse(environment, true)) as ServiceConfig;
}

/** Whether a setting is given, directly or as a file. */
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
    /** Names under which metrics and status answer, besides those that no other site can have. */
    internalHosts: [parsed.INTERNAL_HOST.toLowerCase(), ...(parsed.INTERNAL_HOSTS ?? [])],
    workerPort: parsed.WORKER_PORT,
    workerRoles: parsed.WORKER_ROLES,
    /** Prefix of problem types, event sources and checkout pages; without a trailing slash. */
    baseUrl: baseUrl.replace(/\/+$/, ''),
    dataDir: parsed.DATA_DIR,
    /** Undefined: the launcher starts an embedded PostgreSQL. */
    databaseUrl: parsed.DATABASE_URL,
    databasePool: parsed.DATABASE_POOL,
    /** Undefined: the API uses `databaseUrl` for everything. */
    poolerUrl: parsed.DATABASE_POOLER_URL,
    databaseWaitMs: parsed.DATABASE_WAIT,
    /** Undefined: BullMQ runs on PostgreSQL. */
    redisUrl: parsed.REDIS_URL,
    /** Key ring, newest first; undefined only where the launcher creates one. */
    secretKeys: parsed.SECRET_KEY,
    webhooks: {
      /** Delays before attempts 2, 3, …; `max_attempts` is one more than its length. */
      retryScheduleMs: parsed.WEBHOOKS_RETRY_SCHEDULE,
      /** The delays of other schedules by name. */
      otherRetrySchedulesMs: parsed.WEBHOOKS_RETRY_SCHEDULES ?? new Map<string, number[]>(),
      timeoutMs: parsed.WEBHOOKS_TIMEOUT,
      allowPrivateTargets: parsed.WEBHOOKS_ALLOW_PRIVATE_TARGETS,
      caFile: parsed.WEBHOOKS_CA_FILE,
      clientCertificate: clientCertificateOf(parsed),
      /** Undefined: workers connect to receivers themselves. */
      proxy: proxyOf(parsed),
      contentType: parsed.WEBHOOKS_CONTENT_TYPE,
      keepResponses: parsed.WEBHOOKS_KEEP_RESPONSES,
      disableAfterMs: parsed.WEBHOOKS_DISABLE_AFTER,
    } as const,
    endpointsPerAccount: parsed.ENDPOINTS_PER_ACCOUNT,
    pendingPerAccount: {
      deliveries: parsed.PENDING_PER_ACCOUNT,
      bytes: parsed.PENDING_BYTES_PER_ACCOUNT,
    },
    /** Gets the events about endpoints of all accounts. */
    operatorAccount: parsed.OPERATOR_ACCOUNT,
    workerConcurrency: parsed.WORKER_CONCURRENCY,
    workerEndpointConcurrency: parsed.WORKER_ENDPOINT_CONCURRENCY,
    workerHostConcurrency: parsed.WORKER_HOST_CONCURRENCY,
    smtpUrl: parsed.SMTP_URL,
    mailFrom: parsed.MAIL_FROM,
    /** Folder of fonts for letters that the bundled fonts lack. */
    pdfFonts: parsed.PDF_FONTS,
    /** Whether the checkout page offers the sandbox method, which moves no money. */
    sandboxPayments: parsed.SANDBOX_PAYMENTS,
    /** Undefined: members sign in by mail only. */
    openId: openIdOf(parsed),
    /** Requests per minute and account. */
    rateLimit: parsed.RATE_LIMIT,
    /** Time between the request to stop and the end of the listeners. */
    lameDuckMs: parsed.LAME_DUCK,
    /** Number of proxies in front whose `X-Forwarded-For` entries are trusted. */
    trustedProxies: parsed.TRUSTED_PROXIES,
    logLevel: parsed.LOG_LEVEL,
    logFormat: parsed.LOG_FORMAT,
  };
}

function clientCertificateOf({
  WEBHOOKS_CLIENT_CERT_FILE: certFile,
  WEBHOOKS_CLIENT_KEY_FILE: keyFile,
}: Parsed) {
  return certFile === undefined || keyFile === undefined ? undefined : { certFile, keyFile };
}

function proxyOf({ WEBHOOKS_PROXY_URL: url, WEBHOOKS_PROXY_RESOLVES: sendsNames }: Parsed) {
  return url === undefined ? undefined : { url, sendsNames };
}

function openIdOf({ OIDC_ISSUER: issuer, ...parsed }: Parsed) {
  if (issuer === undefined) return undefined;
  return {
    issuer,
    clientId: parsed.OIDC_CLIENT_ID ?? '',
    clientSecret: parsed.OIDC_CLIENT_SECRET,
    name: parsed.OIDC_NAME ?? new URL(issuer).host,
    /** Whether members sign in there only. */
    only: parsed.OIDC_ONLY,
  };
}

/** The settings for the start-up log line; a secret only shows as "set". */
export function summarize(environment: Environment): Record<string, string> {
  const summary: Record<string, string> = {};
  for (const [name, { fallback, ...rest }] of Object.entries(settings)) {
    const given = environment[name] ?? environment[`${name}_FILE`];
    if (given !== undefined && given !== '') summary[name] = 'secret' in rest ? 'set' : given;
    else if (fallback !== undefined) summary[name] = fallback;
  }
  return summary;
}

/** Whether a listener on `host` is reachable from this machine only. */
function isLoopback(host: string): boolean {
  return /^(?:127\.[\d.]+|::1|localhost)$/.test(host);
}

/** Names a listener that other machines can reach, such as `HOST is 0.0.0.0`; undefined if there is none. */
export function publicListener({
  host,
  internalHost,
}: {
  readonly host: string;
  readonly internalHost: string;
}): string | undefined {
  if (!isLoopback(host)) return `HOST is ${host}`;
  if (!isLoopback(internalHost)) return `INTERNAL_HOST is ${internalHost}`;
  return undefined;
}

/**
 * The warning for a missing BASE_URL when other machines may reach the service; else undefined. An event that
 * was sent keeps its URLs for ever.
 */
export function baseUrlWarning(
  environment: Environment,
  { baseUrl, host }: Pick<Config, 'baseUrl' | 'host'>,
): string | undefined {
  if (isSet(environment, 'BASE_URL')) return undefined;
  if (!isSet(environment, 'DATABASE_URL') && isLoopback(host)) return undefined;
  return `BASE_URL is not set: URLs in events, problems, pages and mails start with ${baseUrl}`;
}

/**
 * The warning for a missing SMTP_URL; else undefined. Mails in files count as sent, so no metric shows that
 * they reach no recipient. There is none with the embedded PostgreSQL, which means a trial, and none for a
 * worker without the role `notify`, which sends no mails.
 */
export function mailWarning(
  environment: Environment,
  { dataDir, workerRoles }: Pick<Config, 'dataDir' | 'workerRoles'>,
): string | undefined {
  if (isSet(environment, 'SMTP_URL') || !isSet(environment, 'DATABASE_URL')) return undefined;
  if (!workerRoles.includes('notify')) return undefined;
  const embedded = join(dataDir, 'database-url');
  if (environment['DATABASE_URL_FILE'] === embedded) return undefined;
  const folder = join(resolve(dataDir), 'mail');
  return `SMTP_URL is not set: mails are written to ${folder} instead of being sent, and count as sent`;
}

/** Returns the warnings that a worker logs about its settings at the start. */
export function workerWarnings(environment: Environment, config: Config): string[] {
  const warnings = [baseUrlWarning(environment, config), mailWarning(environment, config)];
  return warnings.filter((warning) => warning !== undefined);
}
