import { createHmac } from 'node:crypto';
import { readEnvironment, type CliEnvironment } from './environment.js';
import { exitCodes, Failure } from './failure.js';
import { parseUrl } from './parse-url.js';
import { readProfile, type Profile } from './profile.js';

/** The service when neither option, environment nor profile names one. */
const defaultUrl = 'http://127.0.0.1:8080';

/** The options of every command that asks the service. */
export interface SessionOptions {
  readonly profile?: string | undefined;
  readonly url?: string | undefined;
}

/** Which service a command asks, and with which key. */
export interface Session extends Profile {
  /** The name of the profile, or undefined with SIGNALPOST_API_KEY. */
  readonly profile: string | undefined;
}

/**
 * Finds URL and key: option, environment, profile, in this order. With SIGNALPOST_API_KEY no profile
 * is read.
 * @throws Failure 3 without a key
 */
export function findSession(
  options: SessionOptions,
  environment: CliEnvironment = readEnvironment(),
): Session {
  const { apiKey, configDir } = environment;
  if (apiKey !== undefined) {
    const url = checkedUrl(options.url ?? environment.url ?? defaultUrl);
    // The same key signs with the same secret, although nothing is stored.
    const digest = createHmac('sha256', apiKey).update('signalpost listen').digest();
    const listenSecret = `whsec_${digest.subarray(0, 24).toString('base64')}`;
    return { profile: undefined, url, key: checkedKey(apiKey), listenSecret };
  }
  const profile = profileName(options, environment);
  const found = readProfile(configDir, profile);
  if (!found) {
    throw new Failure(
      `No key for profile ${profile}: run signalpost login, or set SIGNALPOST_API_KEY.`,
      exitCodes.notSignedIn,
    );
  }
  const url = checkedUrl(options.url ?? environment.url ?? found.url);
  // A key belongs to one service, and another one must not see it.
  if (options.url === undefined && environment.url === undefined) return { profile, ...found, url };
  if (url === found.url) return { profile, ...found, url };
  throw new Failure(
    `Profile ${profile} is for ${found.url}, not ${url}: make another with signalpost login --profile <name> --url ${url}.`,
    exitCodes.usage,
  );
}

/** The profile that option or environment names. Defaults to `default`. */
export function profileName(
  options: SessionOptions,
  environment: CliEnvironment = readEnvironment(),
): string {
  return options.profile ?? environment.profile ?? 'default';
}

/** The URL of the service for a new profile. */
export function loginUrl(
  options: SessionOptions,
  environment: CliEnvironment = readEnvironment(),
): string {
  return checkedUrl(options.url ?? environment.url ?? defaultUrl);
}

/** @throws Failure unless it is an HTTP URL without user, query or fragment */
function checkedUrl(text: string): string {
  const url = parseUrl(text);
  const plain = url && url.username === '' && url.password === '' && !url.search && !url.hash;
  if (!plain || !['http:', 'https:'].includes(url.protocol)) {
    throw new Failure(`Not a URL of the service: ${JSON.stringify(text)}.`, exitCodes.usage);
  }
  return url.href.replace(/\/+$/, '');
}

/** @throws Failure when no header could carry it */
export function checkedKey(text: string): string {
  const key = text.trim();
  if (/^[\x21-\x7e]{8,512}$/.test(key)) return key;
  throw new Failure(
    'That is not an API key: it begins with sk_ and has no spaces.',
    exitCodes.usage,
  );
}
