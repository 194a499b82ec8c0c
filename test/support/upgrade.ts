import { readdirSync, readFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseClient } from '../../src/database/connection.js';
import { createTestDatabase, type TestDatabase } from './database.js';
import { repositoryRoot } from './repository.js';
import { execFileSync, spawnSync } from 'node:child_process';
import { fetch } from 'undici';
import { endpointsPath } from './endpoints.js';
import type { Service } from './service.js';
import { makeId } from '../../src/domain/values/id.js';

/** What a kept dump promises to those who upgrade it. */
export interface DumpedFacts {
  readonly account: string;
  /** A live key, and an internal token. */
  readonly token: string;
  readonly internal: string;
  readonly endpoints: readonly {
    readonly id: string;
    readonly path: string;
    readonly secret: string;
  }[];
  /** Events with a pending delivery to each endpoint. The first has failed once. */
  readonly pending: readonly string[];
  /** A request that was made under an idempotency key. */
  readonly idempotent: {
    readonly key: string;
    readonly body: object;
    readonly status: number;
    readonly response: unknown;
  };
  /** The key of an event that was delivered. */
  readonly publishKey: { readonly key: string; readonly event: string };
}

const folder = join(repositoryRoot, 'test', 'dumps');

/** The kept dumps, named after the last migration of each. */
export const dumpNames: readonly string[] = readdirSync(folder)
  .filter((name) => name.endsWith('.sql'))
  .map((name) => name.slice(0, -'.sql'.length));

/** Restores a dump into its own database, and postpones what would have expired since. */
export async function restoreDump(
  name: string,
): Promise<{ readonly database: TestDatabase; readonly facts: DumpedFacts }> {
  const read = (extension: string) => readFileSync(join(folder, `${name}.${extension}`), 'utf8');
  const database = await createTestDatabase(undefined, '', 'template1');

  // The dump changes settings of its session.
  const client = new DatabaseClient({ connectionString: database.url });
  await client.connect();

  try {
    await client.query(read('sql'));
  } finally {
    await client.end();
  }

  await database.query(`update publish_key set expires_at = now() + interval '30 days'`);
  await database.query(
    `update idempotency_record set expires_at = now() + interval '1 day' where expires_at is not null`,
  );

  return { database, facts: JSON.parse(read('json')) as DumpedFacts };
}

const cwd = repositoryRoot;
const entries = ['src/main.ts', 'workers/main.ts', 'tools/migrate/main.ts'];
/** The sources of {@link entries}, and the files that they read. */
const sources = ['src', 'workers', 'tools', 'cli', 'schema', 'package.json', 'tsconfig.json'];

/**
 * Builds API, worker and `migrate` as they were when a dump was kept, with the packages of this version.
 * @returns the folder of the build; undefined in a clone without that commit
 */
export function buildOfDump(name: string): string | undefined {
  const commit = commitOfDump(name);
  if (commit === undefined) return undefined;

  // The folder is inside the project, so that the build finds its packages.
  const folder = join(repositoryRoot, 'dist', `of-dump-${commit.slice(0, 12)}`);
  const build = join(folder, 'dist');
  const complete = join(folder, 'complete');
  if (existsSync(complete)) return build;

  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });

  const archive = join(folder, 'sources.tar');
  execFileSync('git', ['archive', `--output=${archive}`, commit, ...sources], { cwd });
  execFileSync('tar', ['-xf', archive, '-C', folder]);

  const config = join(folder, 'tsconfig.build.json');
  const compilerOptions = {
    outDir: 'dist',
    noCheck: true,
    sourceMap: false,
    types: ['node'],
    incremental: false,
    tsBuildInfoFile: null,
  };

  const options = { extends: './tsconfig.json', compilerOptions, include: [], files: entries };
  writeFileSync(config, JSON.stringify(options));

  const compiler = join(repositoryRoot, 'node_modules', '@typescript', 'native', 'bin', 'tsc');
  execFileSync(process.execPath, [compiler, '-p', config]);
  writeFileSync(complete, '');

  return build;
}

/**
 * Returns the commit that made a dump as it is now. A shallow clone, which names another one, has later migrations
 * there.
 */
export function commitOfDump(name: string): string | undefined {
  const git = (...args: string[]) => {
    const { status, stdout } = spawnSync('git', args, { cwd, encoding: 'utf8' });
    return status === 0 ? stdout : '';
  };
  const commit = git('log', '-1', '--format=%H', '--', `test/dumps/${name}.sql`).trim();
  if (commit === '') return undefined;
  const files = git('ls-tree', '--name-only', commit, 'src/database/migrations/');
  const newest = [...files.matchAll(/(\d{4})-.*\.ts$/gm)].at(-1)?.[1];
  return newest === name ? commit : undefined;
}

const clients = 2;

/** The addresses of an API. */
export type ApiHost = Pick<Service, 'url' | 'internalUrl'>;

/** The results of clients of an API. */
export interface Calls {
  readonly events: string[];
  /** Every answer that was no success, and every request without an answer. */
  readonly failures: string[];
}

/** The APIs behind the proxy, at each call. */
interface Apis {
  readonly serving: readonly ApiHost[];
  /** The APIs whose process was told to end. */
  readonly ending: ReadonlySet<ApiHost>;
}

/** Publishes and reads over HTTP while `work` runs. */
export async function besideClients<T>(
  { events, failures }: Calls,
  apis: Apis,
  token: string,
  publishNext: (key: string, api: ApiHost) => Promise<string>,
  work: () => Promise<T>,
): Promise<T> {
  const state = { isOver: false };
  const headers = { authorization: `Bearer ${token}` };
  const read = async ({ url }: ApiHost) => {
    const response = await fetch(`${url}${endpointsPath}`, { headers });
    await response.text();
    if (response.status !== 200) throw new Error(`GET: ${response.status}`);
  };

  const calling = Array.from({ length: clients }, async (_each, client) => {
    for (let number = 1; !state.isOver; number += 1) {
      const fail = (error: unknown) => {
        const cause = error instanceof Error && error.cause instanceof Error ? error.cause : '';
        failures.push(`${String(error)} ${String(cause)}`.trim());
      };
      const key = `client-${client}-${number}`;
      await throughProxy(apis, number, (api) => publishNext(key, api)).then(
        (event) => void events.push(event),
        fail,
      );
      await throughProxy(apis, number, read).catch(fail);
    }
  });

  const result = await work().finally(() => (state.isOver = true));

  await Promise.all(calling);

  return result;
}

/** Calls the APIs in turn. If one refuses or is ending, the call goes to the next one. */
async function throughProxy<T>(
  { serving, ending }: Apis,
  turn: number,
  call: (api: ApiHost) => Promise<T>,
): Promise<T> {
  const first = turn % serving.length;
  let reason: unknown = new Error('no API serves');

  for (const api of [...serving.slice(first), ...serving.slice(0, first)]) {
    try {
      return await call(api);
    } catch (error) {
      // An answer that breaks off has another message: a proxy has passed on its beginning.
      if (!(error instanceof TypeError) || error.message !== 'fetch failed') throw error;
      const { code } = error.cause as NodeJS.ErrnoException;
      // An accepted request must be answered, unless its connection was idle when the process ended.
      if (code !== 'ECONNREFUSED' && !ending.has(api)) throw error;
      reason = error;
    }
  }

  throw reason;
}

/** Returns the answers of the API that say that it failed, by its metrics. */
export async function failuresOf({ internalUrl }: ApiHost): Promise<readonly string[]> {
  const response = await fetch(`${internalUrl}/metrics`);
  const failure = /^signalpost_(graphql_errors_total|http_requests_total\{.*status="5)/;
  return (await response.text()).split('\n').filter((line) => failure.test(line));
}

/** The sessions that write. */
export const writers = 3;
const type = 'cart.order.completed';

/** What processes of an earlier version write when they publish: the columns of the first migration. */
const publish = `
  with stored as (
    insert into event (id, account_id, type, version, subject, test, body, occurred_at, created_at)
    values ($1, $2, $3, 'v1', 'order:ord_1', false, convert_to('{"data":{}}', 'UTF8'), now(), now())
    returning id)
  insert into pending_delivery (id, account_id, endpoint_id, event_id, event_type, lane, ready, due_at,
                                attempt, max_attempts, test, created_at)
  select replace(s.id, 'evt_', 'pdl_'), $2, $4, s.id, $3, 'live', true, now(), 1, 10, false, now()
    from stored s`;
const recordFailure =
  'update endpoint set failure_count = failure_count + 1, updated_at = now() where id = $1';

/** Writes while `work` runs. @returns the events that were committed, and the longest pause in ms */
export async function besideWriters(
  database: TestDatabase,
  { account, endpoints }: DumpedFacts,
  work: () => Promise<unknown>,
): Promise<{ readonly events: readonly string[]; readonly longestMs: number }> {
  const events: string[] = [];
  const state = { isOver: false, longestMs: 0 };
  const writing = Array.from({ length: writers }, async () => {
    do {
      const startedAt = performance.now();
      const id = makeId('evt', new Date());
      await database.query(publish, [id, account, type, endpoints[0]?.id]);
      await database.query(recordFailure, [endpoints[1]?.id]);
      events.push(id);
      state.longestMs = Math.max(state.longestMs, performance.now() - startedAt);
    } while (!state.isOver);
  });

  await work().finally(() => (state.isOver = true));
  await Promise.all(writing);

  return { events, longestMs: state.longestMs };
}
