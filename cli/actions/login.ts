import { createClient } from '../api/client.js';
import { isLoopback } from '../api/proxy.js';
import type { CommonOptions } from '../context.js';
import { readEnvironment } from '../environment.js';
import { Failure } from '../failure.js';
import { createPrinter } from '../output/printer.js';
import { profileNames, readProfile, removeProfile, storeProfile } from '../profile.js';
import { readSecret } from '../prompt.js';
import { checkedKey, loginUrl, profileName } from '../session.js';
import { checkKey } from './whoami.js';

export interface LoginOptions extends CommonOptions {
  readonly check: boolean;
}

/** Stores a key that the service accepts. */
export async function login(options: LoginOptions): Promise<void> {
  const environment = readEnvironment();
  const print = createPrinter(options.json ?? false);
  const profile = profileName(options, environment);
  const url = loginUrl(options, environment);
  if (url.startsWith('http:') && !isLoopback(new URL(url).hostname)) {
    print.note(`${url} is not encrypted: others on the way can read the key.`);
  }
  const key = checkedKey(await readSecret(`Live key for ${url} (not shown): `));
  if (options.check) await checkKey(createClient({ url, key }));
  storeProfile(environment.configDir, profile, { url, key });
  print.line(`Signed in to ${url} as profile ${profile}.`, { profile, url });
  if (environment.apiKey !== undefined) {
    print.note('SIGNALPOST_API_KEY is set and wins over this profile.');
  }
}

/** Removes the profile. */
export function logout(options: CommonOptions): void {
  const profile = profileName(options);
  if (!removeProfile(readEnvironment().configDir, profile)) {
    throw new Failure(`No profile is named ${profile}.`);
  }
  createPrinter(options.json ?? false).line(`Removed profile ${profile}.`, { profile });
}

/** Prints the name and the URL of each profile, never a key. */
export function listProfiles(options: CommonOptions): void {
  const { configDir } = readEnvironment();
  const rows = profileNames(configDir).map((profile) => ({
    profile,
    url: readProfile(configDir, profile)?.url ?? '',
  }));
  createPrinter(options.json ?? false).rows(
    [
      { title: 'PROFILE', text: (row) => row.profile },
      { title: 'URL', text: (row) => row.url },
    ],
    rows,
  );
}
