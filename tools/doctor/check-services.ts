import type { ServiceConfig } from '../../src/config/config.js';
import { forwardedForWarnings } from '../../src/http/client-address.js';
import { checkSmtp } from '../../src/mail/mailer.js';
import { tryConnection } from '../../src/outbound/post.js';
import { checkProxy, ProxyRefusal } from '../../src/outbound/proxy.js';
import { readClientCertificate, TlsCredentials } from '../../src/outbound/tls-credentials.js';
import { errorMessage } from '../../src/process/explain-error.js';
import { evictionPolicy, openRedis, type RedisClient } from '../../src/queue/redis.js';
import { type Finding, ok, problem, warning } from './finding.js';

type Webhooks = ServiceConfig['webhooks'];

const redisTimeoutMs = 3_000;

const mailTimeoutMs = 3_000;

const metricsTimeoutMs = 2_000;

const connectionTimeoutMs = 5_000;

/** `doctor` warns this long before the end of the client certificate. */
const certificateWarningMs = 14 * 86_400_000;

/** One letter of each script that invoices often need and the bundled fonts lack. */
const samples = { Chinese: '山', Japanese: 'あ', Korean: '한' } as const;

/** Checks that Redis responds, evicts no keys, and keeps the queue on disk. */
export async function checkRedis(url: string): Promise<Finding> {
  const redis = openRedis(url, {
    lazyConnect: true,
    connectTimeout: redisTimeoutMs,
    commandTimeout: redisTimeoutMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });

  redis.on('error', () => undefined);

  try {
    await redis.connect();
    return findingOf(
      await redis.info('server'),
      await evictionPolicy(redis),
      await settingsOf(redis),
    );
  } catch (error) {
    return problem(
      'queue',
      `Redis does not respond (${errorMessage(error)}); retries wait for the poll`,
    );
  } finally {
    redis.disconnect();
  }
}

/** Returns how Redis keeps data on disk; undefined if CONFIG is not allowed, as on some hosted Redis. */
async function settingsOf(
  redis: RedisClient,
): Promise<Readonly<Record<string, string>> | undefined> {
  const names = ['appendonly', 'save'] as const;
  try {
    const answers = await Promise.all(names.map((name) => redis.config('GET', name)));
    return Object.fromEntries(answers.map((answer) => answer as [string, string]));
  } catch {
    return undefined;
  }
}

function findingOf(
  info: string,
  evicting: string | undefined,
  settings: Readonly<Record<string, string>> | undefined,
): Finding {
  const version = /redis_version:(\S+)/.exec(info)?.[1] ?? '?';

  if (evicting !== undefined) {
    return problem(
      'queue',
      `Redis ${version} evicts keys of the queue when its memory is full (maxmemory-policy ${evicting}): set maxmemory-policy to noeviction, in redis.conf or with CONFIG SET`,
    );
  }

  if (settings?.['appendonly'] === 'no' && settings['save'] === '') {
    return warning(
      'queue',
      `Redis ${version} keeps nothing on disk (appendonly no, save ""): after it restarts, retries wait about a second for the poll; none is lost. Set appendonly to yes to avoid the wait`,
    );
  }

  return ok('queue', `Redis ${version}`);
}

/** Checks that the mail server responds and accepts our password. Sends no mail. */
export async function checkMail(smtpUrl: string): Promise<Finding> {
  try {
    return ok('mail', `${await checkSmtp(smtpUrl, mailTimeoutMs)} accepts mail`);
  } catch (error) {
    return problem(
      'mail',
      `cannot send mail (${errorMessage(error)}); notices wait until the mail server works`,
    );
  }
}

/**
 * Warns if proxies in front of the API do not match TRUSTED_PROXIES: none is trusted, or they append
 * something that is not an address. Reads the metrics of the API process at
 * `INTERNAL_HOST:INTERNAL_PORT`; returns no finding if no API runs there.
 */
export async function checkProxies(config: ServiceConfig): Promise<Finding[]> {
  const { internalHost, internalPort } = config;
  const host = internalHost.includes(':') ? `[${internalHost}]` : internalHost;
  try {
    const answer = await fetch(`http://${host}:${internalPort}/metrics`, {
      signal: AbortSignal.timeout(metricsTimeoutMs),
    });
    const metrics = await answer.text();
    return Object.entries(forwardedForWarnings).flatMap(([problem, text]) => {
      const counted = new RegExp(`^signalpost_forwarded_for_${problem}_total [1-9]`, 'm');
      return counted.test(metrics) ? [warning('settings', text)] : [];
    });
  } catch {
    return [];
  }
}

/**
 * Checks how deliveries leave: the client certificate, and the proxy or a connection to `receiver`, as a delivery would
 * open it. Sends no delivery. Returns no finding where nothing is set or asked for.
 * @param receiver a host, with or without a port, or an https URL
 */
export async function checkEgress(
  { webhooks }: Pick<ServiceConfig, 'webhooks'>,
  receiver: string | undefined,
): Promise<Finding[]> {
  const { clientCertificate, proxy } = webhooks;
  const connection =
    receiver === undefined
      ? proxy && checkProxyReacts(proxy.url, webhooks.caFile)
      : checkConnection(webhooks, receiver);

  return [
    ...(clientCertificate ? [checkCertificate(clientCertificate)] : []),
    ...(connection ? [await connection] : []),
  ];
}

function checkCertificate(files: NonNullable<Webhooks['clientCertificate']>): Finding {
  try {
    const endsAt = new Date(readClientCertificate(files).validTo);
    const leftMs = endsAt.getTime() - Date.now();
    const day = endsAt.toISOString().slice(0, 10);
    if (leftMs <= 0) {
      const detail = `the client certificate ended on ${day}: replace the files of WEBHOOKS_CLIENT_CERT_FILE and WEBHOOKS_CLIENT_KEY_FILE`;
      return problem('egress', detail);
    }

    const level = leftMs < certificateWarningMs ? warning : ok;
    return level('egress', `the client certificate is valid until ${day}`);
  } catch (error) {
    return problem('egress', errorMessage(error));
  }
}

async function checkProxyReacts(url: string, caFile: string | undefined): Promise<Finding> {
  try {
    const fault = await checkProxy(url, new TlsCredentials({ caFile }).context);
    if (fault) return problem('egress', fault.message);
    const detail =
      'the proxy of WEBHOOKS_PROXY_URL reacts; --receiver example.com opens a connection through it';
    return ok('egress', detail);
  } catch (error) {
    return problem('egress', errorMessage(error));
  }
}

async function checkConnection(webhooks: Webhooks, receiver: string): Promise<Finding> {
  const { proxy } = webhooks;
  const url = receiver.includes('://') ? receiver : `https://${receiver}`;
  const way = proxy ? 'through the proxy' : 'without a proxy';
  try {
    const { address, tlsVersion } = await tryConnection(url, {
      ...webhooks,
      timeoutMs: connectionTimeoutMs,
      proxy: proxy && { ...proxy, onFault: () => undefined, onAvailable: () => undefined },
    });
    const target = address === undefined ? '' : ` at ${address}`;
    return ok('egress', `connected to ${receiver}${target} ${way} (${tlsVersion ?? 'TLS'})`);
  } catch (error) {
    const reason = errorMessage(error);
    const hint =
      error instanceof ProxyRefusal ? ' It cannot reach the receiver, or its rules forbid it.' : '';
    return problem('egress', `cannot connect to ${receiver} ${way}: ${reason}${hint}`);
  }
}

/** Checks that the folder of `PDF_FONTS` has the letters that the bundled fonts lack. */
export async function checkFonts(folder: string | undefined): Promise<Finding> {
  if (folder === undefined) {
    return ok(
      'invoices',
      'Chinese, Japanese and Korean letters appear as empty squares; set PDF_FONTS to a folder of fonts that have them',
    );
  }

  try {
    const { FontFolder } = await import('../../src/http/pdf/fonts.js');
    const fonts = new FontFolder(folder);
    const missing = Object.entries(samples)
      .filter(([, letter]) => !fonts.find(letter, { bold: false, region: 'sc' }))
      .map(([script]) => script);
    if (missing.length === 0) {
      return ok('invoices', `the fonts of ${folder} have Chinese, Japanese and Korean letters`);
    }

    return warning(
      'invoices',
      `no font of ${folder} (PDF_FONTS) has ${missing.join(', ')} letters, which appear as empty squares`,
    );
  } catch (error) {
    return problem('invoices', `PDF_FONTS cannot be read: ${(error as Error).message}`);
  }
}
