import { z } from 'zod';
import {
  duration,
  flag,
  hostNames,
  keyRing,
  namedSchedules,
  port,
  privateTargets,
  proxyUrl,
  roles,
  schedule,
  secret,
  mailAddress,
  setting,
  shortDuration,
  type Setting,
  integer,
  baseAddress,
  databaseUrl,
  issuer,
  redisUrl,
  serviceUrl,
} from './schemas.js';

/** Every environment variable of the service. A secret can also come from a file, as `<NAME>_FILE`. */
export const settings = {
  HOST: setting(z.string().min(1), '127.0.0.1', 'Address of the public REST listener'),
  PORT: setting(port, '8080', 'Port of the public REST listener'),
  INTERNAL_HOST: setting(
    z.string().min(1),
    '127.0.0.1',
    'Address of the internal listener and of a worker’s listener',
  ),
  INTERNAL_PORT: setting(port, '8081', 'Port of GraphQL, health and metrics of the API process'),
  INTERNAL_HOSTS: setting(
    hostNames,
    undefined,
    'Additional names under which /metrics and /status answer, besides addresses, names without a dot, *.svc and *.cluster.local',
  ),
  WORKER_PORT: setting(port, '8082', 'Port of health and metrics of a worker process'),
  WORKER_ROLES: setting(
    roles,
    'all',
    'Work of a worker process: all, or some of deliver, replay, notify, expire',
  ),
  BASE_URL: setting(
    baseAddress,
    undefined,
    'Prefix of every URL the service emits; defaults to http://HOST:PORT',
  ),
  DATA_DIR: setting(z.string().min(1), '.data', 'Folder of the embedded PostgreSQL, keys and mail'),
  DATABASE_URL: secret(
    databaseUrl,
    'PostgreSQL 14 or newer, with one host or several (postgres://…@one,two/…); defaults to the embedded one of npm start',
  ),
  DATABASE_POOL: setting(integer(1, 1_000), '10', 'Connections of one process to PostgreSQL'),
  DATABASE_POOLER_URL: secret(
    databaseUrl,
    'PgBouncer in transaction mode, for the statements of the API; defaults to DATABASE_URL',
  ),
  DATABASE_WAIT: setting(duration, '60s', 'How long a starting API or worker waits for PostgreSQL'),
  REDIS_URL: secret(
    redisUrl,
    'Redis, sentinels (redis+sentinel://one,two/name) or a cluster (redis+cluster://one,two) for the queue and the rate limits. Unset: the queue is in PostgreSQL, and each API process counts by itself',
  ),
  SECRET_KEY: secret(
    keyRing,
    'Keys that seal secrets and headers of endpoints, newest first: <id>:<32 bytes in base64>; npm start creates one in DATA_DIR',
  ),
  WEBHOOKS_RETRY_SCHEDULE: setting(
    schedule,
    '5s,5m,30m,2h,5h,10h,14h,20h,24h',
    'Delays before attempts 2, 3, …; at most 218 hours in all',
  ),
  WEBHOOKS_RETRY_SCHEDULES: setting(
    namedSchedules,
    undefined,
    'Further schedules that an endpoint may choose: fast=1s,5s,30s;slow=1h,6h,24h',
  ),
  WEBHOOKS_TIMEOUT: setting(
    duration,
    '15s',
    'Timeout of one attempt: connect, TLS, headers and body',
  ),
  WEBHOOKS_ALLOW_PRIVATE_TARGETS: setting(
    privateTargets,
    '0',
    '1: deliveries may reach loopback and private ranges; or a list of CIDRs. Defaults to 127.0.0.0/8,::1/128 with the embedded PostgreSQL and both hosts on loopback',
  ),
  WEBHOOKS_CA_FILE: setting(
    z.string().min(1),
    undefined,
    'PEM file of additional CAs for deliveries; with the embedded PostgreSQL defaults to the CA of npm run receiver',
  ),
  WEBHOOKS_CLIENT_CERT_FILE: setting(
    z.string().min(1),
    undefined,
    'PEM file of the client certificate for receivers that ask for one (mTLS), with its intermediate ones; read again when it changes',
  ),
  WEBHOOKS_CLIENT_KEY_FILE: setting(
    z.string().min(1),
    undefined,
    'PEM file of its private key, without a passphrase',
  ),
  WEBHOOKS_PROXY_URL: secret(
    proxyUrl,
    'HTTP proxy (CONNECT) for all deliveries: http:// or https://, with user:password@ if it needs them',
  ),
  WEBHOOKS_PROXY_RESOLVES: setting(
    flag,
    '0',
    '1: CONNECT names the host of a receiver instead of an address that was checked; the proxy then resolves it and must refuse private addresses',
  ),
  WEBHOOKS_CONTENT_TYPE: setting(
    z.enum(['application/json', 'application/cloudevents+json']),
    'application/json',
    'Content type of deliveries',
  ),
  WEBHOOKS_KEEP_RESPONSES: setting(
    flag,
    '1',
    '0: evidence of an attempt has neither headers nor body of the response',
  ),
  WEBHOOKS_DISABLE_AFTER: setting(
    duration,
    '120h',
    'How long all attempts of an endpoint fail before the service disables it',
  ),
  ENDPOINTS_PER_ACCOUNT: setting(
    integer(1, 1_000_000),
    '1000',
    'Webhook endpoints of one account, at most',
  ),
  OPERATOR_ACCOUNT: setting(
    z.string().regex(/^acc_[A-Za-z0-9]+$/, 'must be the id of an account'),
    undefined,
    'Account that gets the events about failing, recovered and disabled endpoints of all accounts',
  ),
  PENDING_PER_ACCOUNT: setting(
    integer(100, 1_000_000_000),
    '1000000',
    'Pending deliveries of one account; beyond it publishing is refused',
  ),
  PENDING_BYTES_PER_ACCOUNT: setting(
    integer(26_214_400, 100_000_000_000_000),
    '10737418240',
    'Bytes that the pending deliveries of one account send; beyond it publishing is refused',
  ),
  WORKER_CONCURRENCY: setting(
    integer(1, 10_000),
    '200',
    'Attempts in flight per worker process, at most; replays have up to 100 more',
  ),
  WORKER_ENDPOINT_CONCURRENCY: setting(
    integer(1, 10_000),
    '20',
    'Attempts in flight per endpoint and worker process, at most; replays have as many more',
  ),
  WORKER_HOST_CONCURRENCY: setting(
    integer(1, 10_000),
    '200',
    'Attempts in flight of one account to one host per worker process, at most; replays and recoveries have as many more each',
  ),
  SMTP_URL: secret(
    serviceUrl(['smtp:', 'smtps:']),
    'Mail server; unset: mails are files in the folder mail of DATA_DIR',
  ),
  MAIL_FROM: setting(mailAddress, 'Signalpost <signalpost@localhost>', 'Sender of mails'),
  PDF_FONTS: setting(
    z.string().min(1),
    undefined,
    'Folder of fonts for Chinese, Japanese, Korean and other letters on invoices; unset: they appear as empty squares',
  ),
  SANDBOX_PAYMENTS: setting(
    flag,
    '0',
    '1: anyone with a checkout URL completes its order without paying. Defaults to 1 with the embedded PostgreSQL and both hosts on loopback',
  ),
  OIDC_ISSUER: setting(
    issuer,
    undefined,
    'URL of the OpenID provider at which members of the dashboard can sign in; unset: by mail only',
  ),
  OIDC_CLIENT_ID: setting(z.string().min(1), undefined, 'Client id of this service at OIDC_ISSUER'),
  OIDC_CLIENT_SECRET: secret(
    z.string().min(1),
    'Client secret of this service at OIDC_ISSUER; unset: a public client',
  ),
  OIDC_NAME: setting(
    z.string().min(1).max(60),
    undefined,
    'How the sign-in page names the provider; defaults to the host of OIDC_ISSUER',
  ),
  OIDC_ONLY: setting(
    flag,
    '0',
    '1: members sign in at OIDC_ISSUER only; mailed and printed links do not work',
  ),
  RATE_LIMIT: setting(integer(1, 100_000_000), '6000', 'Requests per minute and account'),
  LAME_DUCK: setting(
    shortDuration,
    '0',
    'How long a stopping API still serves requests while /readyz answers 503; at most 1m',
  ),
  TRUSTED_PROXIES: setting(
    integer(0, 10),
    '0',
    'Number of proxies in front whose X-Forwarded-For is trusted',
  ),
  LOG_LEVEL: setting(
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    'info',
    'Least severe level to log',
  ),
  LOG_FORMAT: setting(
    z.enum(['json', 'human']),
    'json',
    'json, or human: short lines for a person. Defaults to human under npm start on a terminal',
  ),
} as const satisfies Record<string, Setting<z.ZodType>>;

type Settings = typeof settings;
/** The parsed environment; undefined where a setting has no default. */
export type Parsed = {
  readonly [Name in keyof Settings]:
    | z.output<Settings[Name]['schema']>
    | (Settings[Name]['fallback'] extends string ? never : undefined);
};

const clientCertificateFiles = [
  ['WEBHOOKS_CLIENT_CERT_FILE', 'WEBHOOKS_CLIENT_KEY_FILE'],
  ['WEBHOOKS_CLIENT_KEY_FILE', 'WEBHOOKS_CLIENT_CERT_FILE'],
] as const;

/** Problems between settings. Ignores settings that are invalid by themselves. */
export function crossFieldIssues(parsed: Partial<Parsed>): string[] {
  const problems: string[] = [];
  const { WORKER_CONCURRENCY = Infinity, WORKER_ENDPOINT_CONCURRENCY = 0 } = parsed;
  if (WORKER_ENDPOINT_CONCURRENCY > WORKER_CONCURRENCY) {
    problems.push('WORKER_ENDPOINT_CONCURRENCY: must be at most WORKER_CONCURRENCY');
  }

  if ((parsed.WEBHOOKS_TIMEOUT ?? 0) > 60_000) {
    problems.push('WEBHOOKS_TIMEOUT: must be at most 60s, because a replay waits for it');
  }

  for (const [name, other] of clientCertificateFiles) {
    if (parsed[name] !== undefined && parsed[other] === undefined)
      problems.push(`${other}: is required with ${name}`);
  }

  if (parsed.WEBHOOKS_PROXY_RESOLVES === true && parsed.WEBHOOKS_PROXY_URL === undefined) {
    problems.push('WEBHOOKS_PROXY_RESOLVES: requires WEBHOOKS_PROXY_URL');
  }

  if (parsed.OIDC_ISSUER !== undefined && parsed.OIDC_CLIENT_ID === undefined) {
    problems.push('OIDC_CLIENT_ID: is required with OIDC_ISSUER');
  }

  if (parsed.OIDC_ONLY === true && parsed.OIDC_ISSUER === undefined) {
    problems.push('OIDC_ONLY: requires OIDC_ISSUER, or no one could sign in');
  }

  return problems;
}
