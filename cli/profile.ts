import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { exitCodes, Failure } from './failure.js';
import { readPrivateFile, writePrivateFile } from './private-file.js';

/** What `login` stores under a name. */
export interface Profile {
  readonly url: string;
  readonly key: string;
  /** Signs what `listen` forwards; made once. */
  readonly listenSecret: string;
}

/** Returns the profile, or undefined when it does not exist. @throws Failure when it is not valid */
export function readProfile(configDir: string, name: string): Profile | undefined {
  const path = pathOf(configDir, name);
  const text = readPrivateFile(path);
  if (text === undefined) return undefined;
  const found = parse(text);
  if (!found)
    throw new Failure(`${path} is damaged: run signalpost login --profile ${name} again.`);
  return found;
}

/** Stores the URL and the key; keeps the secret of an existing profile of that name. */
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

/** The names of all profiles, sorted. */
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
      'The name of a profile has 1 to 64 letters, digits, hyphens and underscores.',
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
