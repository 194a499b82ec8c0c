import type { ServiceConfig } from '../../src/config/config.js';
import { forwardedForWarnings } from '../../src/http/client-address.js';
import { checkSmtp } from '../../src/mail/mailer.js';
import { errorMessage } from '../../src/process/explain-error.js';
import { evictionPolicy, openRedis, type RedisClient } from '../../src/queue/redis.js';
import { type Finding, ok, problem, warning } from './finding.js';

const redisTimeoutMs = 3_000;

const mailTimeoutMs = 3_000;

const metricsTimeoutMs = 2_000;

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
