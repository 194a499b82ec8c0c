import type { Command } from 'commander';
import { type Client, createClient, Refusal, runDocument, runInternal } from '../api/client.js';
import { type CommonOptions, openContext, withCommonOptions } from '../command.js';
import { readEnvironment } from '../environment.js';
import { Failure } from '../failure.js';
import { viewerDocument } from '../generated/documents.js';
import { createPrinter } from '../output/printer.js';
import {
  checkedKey,
  loginUrl,
  profileName,
  profileNames,
  readProfile,
  removeProfile,
  storeProfile,
} from '../profile.js';
import { readSecret } from '../terminal.js';
import { isLoopback } from '../url.js';

interface LoginOptions extends CommonOptions {
  readonly check: boolean;
}

export function defineLogin(command: Command): void {
  withCommonOptions(command, [
    'login',
    'login --profile staging --url https://webhooks.example.com',
    'login --profile operator --url http://127.0.0.1:8081 < internal-token.txt',
  ])
    .option('--no-check', 'store the key without checking it at the service')
    .action((options: LoginOptions) => login(options));
}

export function defineLogout(command: Command): void {
  withCommonOptions(command, ['logout', 'logout --profile staging']).action(
    (options: CommonOptions) => logout(options),
  );
}

export function defineProfiles(command: Command): void {
  withCommonOptions(command, ['profiles']).action((options: CommonOptions) =>
    listProfiles(options),
  );
}

export function defineWhoami(command: Command): void {
  withCommonOptions(command, ['whoami', 'whoami --json']).action((options: CommonOptions) =>
    whoami(options),
  );
}

/** Stores a key that the service accepts. */
async function login(options: LoginOptions): Promise<void> {
  const environment = readEnvironment();
  const print = createPrinter(options.json ?? false);
  const profile = profileName(options, environment);
  const url = loginUrl(options, environment);
  if (url.startsWith('http:') && !isLoopback(new URL(url).hostname)) {
    print.note(`Warning: ${url} is not encrypted, so others on the network can read the key.`);
  }

  const key = checkedKey(await readSecret(`Live key for ${url} (not shown): `));
  if (options.check) await checkKey(createClient({ url, key }));
  storeProfile(environment.configDir, profile, { url, key });

  print.line(`Signed in to ${url} as profile ${profile}.`, { profile, url });

  if (environment.apiKey !== undefined) {
    print.note('SIGNALPOST_API_KEY is set and takes precedence over this profile.');
  }
}

/** @throws Failure 3 if the service does not accept the key */
async function checkKey(client: Client): Promise<void> {
  try {
    await client.request('GET', '/v1/webhooks/endpoints', { query: { limit: 1 } });
  } catch (error) {
    if (!(error instanceof Refusal) || ![403, 404].includes(error.status)) throw error;
    if (error.status === 403) return;
    // The internal listener has no /v1.
    await runInternal(client, '{ __typename }');
  }
}

function logout(options: CommonOptions): void {
  const profile = profileName(options);
  if (!removeProfile(readEnvironment().configDir, profile)) {
    throw new Failure(`There is no profile ${profile}.`);
  }
  createPrinter(options.json ?? false).line(`Removed profile ${profile}.`, { profile });
}

/** Prints the name and the URL of each profile, never a key. */
function listProfiles(options: CommonOptions): void {
  const { configDir } = readEnvironment();
  const rows = profileNames(configDir).map((profile) => ({
    profile,
    url: readProfile(configDir, profile)?.url ?? '',
  }));
  createPrinter(options.json ?? false).rows(
    [
      { title: 'PROFILE', text: ({ profile }) => profile },
      { title: 'URL', text: ({ url }) => url },
    ],
    rows,
  );
}

/** Prints the service, the profile and the permissions of its key. */
async function whoami(options: CommonOptions): Promise<void> {
  const { client, print, session } = openContext(options);
  const { viewer } = await runDocument(client, viewerDocument, {});
  print.value({
    url: session.url,
    profile: session.profile ?? 'none (SIGNALPOST_API_KEY)',
    // The last four characters tell keys apart and are no use to a thief.
    key: `…${session.key.slice(-4)}`,
    account: viewer.account.id,
    account_name: viewer.account.name,
    // Absent only in the portal, which has no keys.
    member: viewer.member?.email,
    role: viewer.member?.role,
    ...viewer.permissions,
  });
}
