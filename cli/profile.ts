// Finds the service and the key that a command uses. `login` stores both in a profile, a file that only
// its owner can read. A key is sent only to the service it was stored for. SIGNALPOST_API_KEY takes
// precedence over all profiles, and nothing is stored then.
import { createHmac, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type CliEnvironment, readEnvironment } from './environment.js';
import { exitCodes, Failure } from './failure.js';
import { readPrivateFile, writePrivateFile } from './private-file.js';
import { parseUrl } from './url.js';

/** The service if neither option, environment nor profile names one. */
const defaultUrl = 'http://127.0.0.1:8080';

/** The options of every command that calls the service. */
export interface SessionOptions {
  readonly profile?: string | undefined;
  readonly url?: string | undefined;
}

/** The service that a command calls, and the key. */
export interface Session extends Profile {
  /** The name of the profile; undefined with SIGNALPOST_API_KEY. */
  readonly profile: string | undefined;
}

/**
 * Takes URL and key from option, environment or profile, in this order.
 * @throws Failure 3 without a key
 */
export function findSession(
  options: SessionOptions,
  environment: CliEnvironment = readEnvironment(),
): Session {
  const { apiKey, configDir } = environment;
  if (apiKey !== undefined) {
    const url = checkedUrl(options.url ?? environment.url ?? defaultUrl);
    // Nothing is stored, so the secret is derived from the key to stay the same.
    const digest = createHmac('sha256', apiKey).update('signalpost listen').digest();
    const listenSecret = `whsec_${digest.subarray(0, 24).toString('base64')}`;
    return { profile: undefined, url, key: checkedKey(apiKey), listenSecret };
  }

  const profile = profileName(options, environment);
  const stored = readProfile(configDir, profile);
  if (!stored) {
    throw new Failure(
      `No key for profile ${profile}: run signalpost login, or set SIGNALPOST_API_KEY.`,
      exitCodes.notSignedIn,
    );
  }

  const named = options.url ?? environment.url;
  const url = checkedUrl(named ?? stored.url);

  // No other service may see the key.
  if (named === undefined || url === stored.url) return { profile, ...stored, url };

  throw new Failure(
    `Profile ${profile} is for ${stored.url}, not ${url}: create another with signalpost login --profile <name> --url ${url}.`,
    exitCodes.usage,
  );
}

/** Returns the profile that option or environment names; defaults to `default`. */
export function profileName(
  options: SessionOptions,
  environment: CliEnvironment = readEnvironment(),
): string {
  return options.profile ?? environment.profile ?? 'default';
}

/** Returns the URL of the service for a new profile. */
export function loginUrl(
  options: SessionOptions,
  environment: CliEnvironment = readEnvironment(),
): string {
  return checkedUrl(options.url ?? environment.url ?? defaultUrl);
}

/** @throws Failure unless it is an HTTP URL without user name, query or fragment */
function checkedUrl(text: string): string {
  const url = parseUrl(text);
  const plain = url && url.username === '' && url.password === '' && !url.search && !url.hash;
  if (!plain || !['http:', 'https:'].includes(url.protocol)) {
    throw new Failure(`Not a service URL: ${JSON.stringify(text)}.`, exitCodes.usage);
  }
  return url.href.replace(/\/+$/, '');
}

/** @throws Failure if it cannot be sent in a header */
export function checkedKey(text: string): string {
  const key = text.trim();
  if (/^[\x21-\x7e]{8,512}$/.test(key)) return key;
  throw new Failure(
    'This is not an API key: keys start with sk_ and have no spaces.',
    exitCodes.usage,
  );
}

/** The service, the key and the secret that `login` stores. */
interface Profile {
  readonly url: string;
  readonly key: string;
  /** Signs what `listen` forwards; created once. */
  readonly listenSecret: string;
}

/** Returns the profile; undefined if it does not exist. @throws Failure if it is not valid */
export function readProfile(configDir: string, name: string): Profile | undefined {
  const path = pathOf(configDir, name);
  const text = readPrivateFile(path);
  if (text === undefined) return undefined;
  const profile = parse(text);
  if (profile) return profile;
  throw new Failure(`${path} is damaged: run signalpost login --profile ${name} again.`);
}

/** Stores URL and key; keeps the secret of an existing profile with that name. */
export function storeProfile(
  configDir: string,
  name: string,
  { url, key }: Pick<Profile, 'url' | 'key'>,
): Profile {
  const path = pathOf(configDir, name);
  const listenSecret = parse(readPrivateFile(path) ?? '')?.listenSecret ?? newSecret();
  const profile = { url, key, listenSecret };
  writePrivateFile(path, `${JSON.stringify(profile, null, 2)}\n`);
  return profile;
}

/** Removes the profile; returns whether it existed. */
export function removeProfile(configDir: string, name: string): boolean {
  const path = pathOf(configDir, name);
  const existed = existsSync(path);
  rmSync(path, { force: true });
  return existed;
}

/** Returns the names of all profiles, sorted. */
export function profileNames(configDir: string): string[] {
  try {
    return readdirSync(join(configDir, 'profiles'))
      .filter((name) => name.endsWith('.json'))
      .map((name) => name.slice(0, -'.json'.length))
      .sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function pathOf(configDir: string, name: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(name)) {
    throw new Failure(
      'The name of a profile must have 1 to 64 letters, digits, hyphens and underscores.',
      exitCodes.usage,
    );
  }
  return join(configDir, 'profiles', `${name}.json`);
}

function newSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`;
}

function parse(text: string): Profile | undefined {
  try {
    const { url, key, listenSecret } = JSON.parse(text) as Partial<Record<keyof Profile, unknown>>;
    if (typeof url !== 'string' || typeof key !== 'string' || typeof listenSecret !== 'string') {
      return undefined;
    }
    return { url, key, listenSecret };
  } catch {
    return undefined;
  }
}
