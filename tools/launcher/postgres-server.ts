import { spawn } from 'node:child_process';
import { closeSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { clusterVersion, movePort } from './cluster.js';
import type { PostgresPlacement } from './postgres-placement.js';
import { connect, maintenance } from './postgres-connection.js';
import { clearStalePostmaster } from './postmaster.js';
import { readIfPresent } from './private-file.js';
import { runAs, minimalEnvironment } from './run-as.js';

/** Long, because a start after a crash first replays the write-ahead log. */
export const startLimitMs = 300_000;

/**
 * Starts a server on a cluster that has none and waits until it answers.
 * @param home the DATA_DIR, which gets `postgres.log`
 * @param url where it listens; if the port is taken, another one is chosen and saved
 * @returns the URL with the port it listens on
 * @throws Error with the last lines of the log of the server
 */
export async function startPostgres(
  home: string,
  place: PostgresPlacement,
  url: URL,
): Promise<URL> {
  await refuseOtherVersion(place);
  const end = performance.now() + startLimitMs;
  for (let address = url; ;) {
    const attempt = await tryStart(home, place, address);
    if (attempt === 'ready') return address;
    if (/address already in use/i.test(attempt)) {
      address = await movePort(home, address);
    } else if (
      !/still in use|lock file .* already exists/i.test(attempt) ||
      performance.now() > end
    ) {
      throw new Error(`PostgreSQL did not start:\n${attempt}`);
    }
    // The backends of a killed server need a moment to end.
    await pause(200);
    await clearStalePostmaster(place.cluster);
  }
}

/** @returns "ready", or the last lines of the log when the server ended */
async function tryStart(
  home: string,
  { cluster, binaries, user }: PostgresPlacement,
  url: URL,
): Promise<string> {
  const logFile = join(home, 'postgres.log');
  const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
  const log = openSync(logFile, size > 1_000_000 ? 'w' : 'a', 0o600);
  const begin = statSync(logFile).size;
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    'timezone=UTC',
    'log_timezone=UTC',
  ];
  const server = spawn(
    join(binaries.bin, 'postgres'),
    ['-D', cluster, '-p', url.port, ...settings.flatMap((setting) => ['-c', setting])],
    // Its own process group: Ctrl-C reaches only the launcher, which stops PostgreSQL last.
    { ...minimalEnvironment, ...user, detached: true, stdio: ['ignore', log, log] },
  );
  closeSync(log);
  let ended: string | undefined;
  server.once('error', (error) => (ended = String(error)));
  server.once('exit', () => (ended ??= ''));
  server.unref();
  const end = performance.now() + startLimitMs;
  while (ended === undefined && performance.now() < end) {
    if (await answers(url, cluster)) return 'ready';
    await pause(30);
  }
  const written = (readIfPresent(logFile) ?? '').slice(begin);
  return `${ended ?? ''}${written}`.trim().split('\n').slice(-10).join('\n');
}

async function answers(url: URL, cluster: string): Promise<boolean> {
  try {
    const client = await connect(maintenance(url), 'signalpost-start');
    try {
      const { rows } = await client.query<{ data_directory: string }>('show data_directory');
      return rows[0]?.data_directory === cluster;
    } finally {
      await client.end();
    }
  } catch {
    // Not ready yet. The caller gives up when the server ends or its time limit passes.
    return false;
  }
}

async function refuseOtherVersion({ cluster, binaries }: PostgresPlacement): Promise<void> {
  const { output } = await runAs(undefined, join(binaries.bin, 'postgres'), ['--version']);
  const made = clusterVersion(cluster);
  if (output.match(/(\d+)/)?.[1] === made) return;
  throw new Error(
    `${cluster} needs PostgreSQL ${made}, which created it; found ${output}. Install PostgreSQL ${made}.`,
  );
}
