import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { type Environment, isSet, loadConfig } from '../../src/config/config.js';
import { hostUrls, withServerSettings } from '../../src/database/address.js';
import { DatabaseClient } from '../../src/database/connection.js';
import { errorMessage, OperatorError } from '../../src/process/explain-error.js';
import { withClient } from '../doctor/check-postgres.js';
import { runAs } from '../launcher/child-process.js';
import { listenForStop } from '../launcher/stop-request.js';
import type { CommandResult } from './admin-action.js';

export interface BackupOptions {
  readonly output: string;
  /** Defaults to the best one of this machine. */
  readonly pgDump?: string;
}

/** One `pg_dump`, and the major version of PostgreSQL that it belongs to. */
export interface DumpProgram {
  readonly path: string;
  readonly major: number;
}

/**
 * Dumps the database to a new file that only its owner can read, with a `pg_dump` that fits the server. Leaves
 * no file if it fails or is interrupted. Does not migrate.
 * @throws OperatorError if no program fits, the file exists, or `pg_dump` fails
 */
export async function backUp(
  options: BackupOptions,
  environment: Environment,
): Promise<CommandResult> {
  const { databaseUrl } = loadConfig(environment);
  if (databaseUrl !== undefined) return backUpDatabase(databaseUrl, options, environment);

  const { withEmbedded } = await import('../launcher/with-database.js');
  return withEmbedded(
    (config) => backUpDatabase(config.databaseUrl, options, environment),
    environment,
  );
}

async function backUpDatabase(
  databaseUrl: string,
  { output, pgDump }: BackupOptions,
  environment: Environment,
): Promise<CommandResult> {
  const server = await serverMajor(databaseUrl);
  const paths = pgDump === undefined ? knownPaths(environment) : [resolve(pgDump)];
  const programs = (await Promise.all(paths.map(programAt))).filter(
    (program) => program !== undefined,
  );
  const program = chooseProgram(programs, server);
  if (!program) throw new OperatorError(noProgram(server, programs, pgDump));

  const file = resolve(output);
  const draft = `${file}.${randomBytes(6).toString('hex')}.part`;

  rejectExisting(file);

  try {
    createPrivately(draft);
    await dump(program.path, databaseUrl, draft, environment);
    rejectExisting(file);
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }

  const bytes = statSync(file).size;
  const key = isSet(environment, 'SECRET_KEY') ? 'SECRET_KEY' : 'the file secret-key of DATA_DIR';
  return {
    value: { file, bytes, pgDump: program.path },
    lines: [
      `Wrote ${bytes.toLocaleString('en')} bytes to ${file}, with pg_dump ${program.major} (${program.path}).`,
      `Back up ${key} in another place: without it no secret of the dump can be opened.`,
    ],
  };
}

/**
 * Chooses the program of the server's version, otherwise the next newer one. An older one would refuse the
 * server.
 */
export function chooseProgram(
  programs: readonly DumpProgram[],
  server: number,
): DumpProgram | undefined {
  return programs
    .filter(({ major }) => major >= server)
    .sort((one, other) => one.major - other.major)[0];
}

async function serverMajor(databaseUrl: string): Promise<number> {
  const { rows } = await withClient(
    withServerSettings(databaseUrl),
    (client) =>
      client.query<{ version: string }>(`select current_setting('server_version_num') as version`),
    // Never aborted, because each wait of the client has a limit.
    new AbortController().signal,
  );
  return Math.floor(Number(rows[0]?.version) / 10_000);
}

/** Every `pg_dump` in PATH and in the folders of Debian, Red Hat and Homebrew. */
function knownPaths(environment: Environment): string[] {
  const inPath = (environment['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const folders = [
    ...inPath,
    ...foldersBelow('/usr/lib/postgresql', /^\d+$/),
    ...foldersBelow('/usr', /^pgsql-\d+$/),
    ...foldersBelow('/opt/homebrew/opt', /^(?:libpq|postgresql@\d+)$/),
    ...foldersBelow('/usr/local/opt', /^(?:libpq|postgresql@\d+)$/),
  ];
  const paths = folders.map((folder) => resolve(folder, 'pg_dump'));
  return [...new Set(paths)].filter((path) => existsSync(path));
}

function foldersBelow(parent: string, pattern: RegExp): string[] {
  if (!existsSync(parent)) return [];
  return readdirSync(parent)
    .filter((name) => pattern.test(name))
    .map((name) => join(parent, name, 'bin'));
}

async function programAt(path: string): Promise<DumpProgram | undefined> {
  const { ok, output } = await runAs(undefined, path, ['--version']);
  const [, major] = /\(PostgreSQL\) (\d+)/.exec(output) ?? [];
  return ok && major !== undefined ? { path, major: Number(major) } : undefined;
}

function noProgram(server: number, programs: readonly DumpProgram[], given?: string): string {
  const versions = programs.map(({ major, path }) => `${major} (${path})`).join(', ');
  const here =
    versions === ''
      ? `found none${given === undefined ? '' : ` at ${given}`}`
      : `found ${versions}`;
  return (
    `PostgreSQL ${server} needs pg_dump ${server} or newer; ${here}. No file was written. ` +
    `Install the client programs of PostgreSQL ${server}, such as postgresql-client-${server} of ` +
    'apt.postgresql.org, or name the program with --pg-dump <file>. An embedded PostgreSQL can also be ' +
    'backed up by a copy of DATA_DIR while Signalpost is stopped.'
  );
}

function rejectExisting(file: string): void {
  if (existsSync(file)) throw new OperatorError(`${file} already exists: choose a new file.`);
}

/** Only its owner may read a dump, also while it is written. */
function createPrivately(draft: string): void {
  try {
    closeSync(openSync(draft, 'wx', 0o600));
  } catch (error) {
    throw new OperatorError(`Cannot create the file: ${errorMessage(error)}`);
  }
}

async function dump(
  program: string,
  databaseUrl: string,
  file: string,
  environment: Environment,
): Promise<void> {
  const { url, password } = withoutPassword(databaseUrl);
  const args = ['--format=custom', '--no-password', `--file=${file}`, `--dbname=${url}`];
  const stop = listenForStop();
  const child = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...environment,
      ...(password !== undefined && { PGPASSWORD: password }),
      // Chooses the host that accepts writes.
      ...(hostUrls(databaseUrl).length > 1 && { PGTARGETSESSIONATTRS: 'read-write' }),
    },
  });

  void stop.requested.then(() => child.kill('SIGTERM'));

  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => (stderr += part));

  const failure = await once(child, 'close').then(
    ([code]: unknown[]) =>
      code === 0 ? undefined : stderr.trim() || `it ended with ${String(code)}`,
    errorMessage,
  );
  if (stop.signal.aborted) throw new OperatorError('Interrupted. No file was written.');

  if (failure !== undefined) {
    throw new OperatorError(`pg_dump failed: ${failure}\nNo file was written.`);
  }
}

/** Every user of the machine can read the arguments of a process. */
function withoutPassword(databaseUrl: string): { url: string; password: string | undefined } {
  const [, start = '', password, rest = ''] =
    /^([a-z]+:\/\/[^:@/?#]*):([^@/?#]*)(@.*)$/s.exec(databaseUrl) ?? [];
  if (password === undefined) return { url: databaseUrl, password };
  // A password may have a bare `%`: the client of the service decides what the text means.
  const client = new DatabaseClient({ connectionString: withServerSettings(databaseUrl) });
  return { url: start + rest, password: client.password };
}
