// The embedded PostgreSQL of a DATA_DIR, which `npm start` and the commands share.
//
// Each of them holds a connection, which shows that it needs PostgreSQL; the last one to leave stops it. The lock
// `postgres.lock` lets one process at a time start or stop it. The launcher restarts it, however it ends (H282). A
// launcher that is killed leaves it running, and the next one adopts it.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { DatabaseClient } from '../../src/database/connection.js';
import { errorMessage } from '../../src/process/explain-error.js';
import { choosePlacement, ensureCluster, type PostgresPlacement } from './cluster.js';
import { ensureDataDir } from './data-dir.js';
import { awaitLock, defaultWait, holderOf, LockHeld, printWaits } from './file-lock.js';
import {
  connect,
  findPostmaster,
  isStopping,
  reachServer,
  stopPostmaster,
} from './postgres-server.js';

/** A connection to the PostgreSQL of a DATA_DIR. PostgreSQL runs at least until {@link leave}. */
export interface PostgresHandle {
  readonly databaseUrl: string;
  /** Says that PostgreSQL runs outside DATA_DIR, and why; undefined if it does not. */
  readonly notice: string | undefined;
  readonly startedHere: boolean;
  /**
   * Resolves when the connection breaks, for example because PostgreSQL was killed, or when somebody
   * asked PostgreSQL to stop. Never resolves after {@link leave}.
   */
  readonly broken: Promise<void>;
  /**
   * Disconnects, and stops PostgreSQL if no other process of Signalpost is connected.
   * @param hurry ends the wait for the stop, which continues
   */
  leave(hurry?: AbortSignal): Promise<void>;
}

const watchIntervalMs = 1_000;

const disconnectLimitMs = 1_000;

/** A process that holds the lock for longer than this is starting PostgreSQL and will stop it later. */
const leaveLockLimitMs = 5_000;

const leaveLimitMs = 40_000;

const maxDelayMs = 5_000;

/**
 * Makes sure that the PostgreSQL of `dataDir` runs and that the database exists. Adopts a running server,
 * such as that of a killed launcher, otherwise starts one.
 * @param name names the holder in `pg_stat_activity`, such as "launcher"
 * @param waitOptions apply to each wait, such as that for the lock; by default, waits have no limit
 * @throws BinariesNotFound, PlacementFailed, or an Error with the last lines of PostgreSQL's log;
 *   AbortError or LockHeld if the signal of `waitOptions` ends the wait
 */
export async function acquirePostgres(
  dataDir: string,
  name: string,
  waitOptions = defaultWait,
): Promise<PostgresHandle> {
  const home = ensureDataDir(dataDir);
  const lockFile = join(home, 'postgres.lock');
  const lock = await awaitLock(lockFile, waitOptions);
  try {
    const placement = await choosePlacement(home);
    const { cluster } = placement;
    const url = await ensureCluster(home, placement);
    const { client, address, startedHere } = await reachServer(
      home,
      placement,
      url,
      `signalpost-${name}`,
      waitOptions,
    );

    const watch = watchServer(client, cluster);
    return {
      databaseUrl: address.href,
      notice: outsideNotice(placement),
      startedHere,
      broken: watch.broken,
      leave: async (hurry) => {
        watch.end();
        const limits = [AbortSignal.timeout(leaveLimitMs), ...(hurry ? [hurry] : [])];
        await leave(client, address, cluster, home, AbortSignal.any(limits));
      },
    };
  } finally {
    lock.release();
  }
}

/** The embedded PostgreSQL of a DATA_DIR, which is restarted whenever it ends before {@link leave}. */
export class SupervisedPostgres {
  readonly #dataDir: string;
  readonly #print: (line: string) => void;
  readonly #stopping = new AbortController();
  #handle: PostgresHandle;
  #supervision: Promise<void>;
  #onAddressChanged: () => Promise<unknown> = () => Promise.resolve();

  private constructor(dataDir: string, handle: PostgresHandle, print: (line: string) => void) {
    this.#dataDir = dataDir;
    this.#print = print;
    this.#handle = handle;
    this.adopted = !handle.startedHere;
    this.lost = handle.broken;
    this.#supervision = this.#supervise();
  }

  /** The URL of the database. */
  get databaseUrl(): string {
    return this.#handle.databaseUrl;
  }

  /** True if it was already running, for example after a killed launcher. */
  readonly adopted: boolean;

  /** Starts PostgreSQL or adopts the running server. */
  static async start(
    dataDir: string,
    print: (line: string) => void,
    signal: AbortSignal,
  ): Promise<SupervisedPostgres> {
    const onWait = printWaits(print);
    const handle = await acquirePostgres(dataDir, 'launcher', { signal, onWait });
    const { port } = new URL(handle.databaseUrl);
    print(
      `PostgreSQL ${handle.startedHere ? 'is running' : 'was already running'} on 127.0.0.1:${port}.`,
    );
    if (handle.notice !== undefined) print(handle.notice);
    return new SupervisedPostgres(dataDir, handle, print);
  }

  /** Resolves when the first server ends before {@link leave}. */
  readonly lost: Promise<void>;

  /** Sets the action to take when PostgreSQL comes back on another port. */
  onAddressChange(onAddressChanged: () => Promise<unknown>): void {
    this.#onAddressChanged = onAddressChanged;
  }

  /**
   * Disconnects, and stops PostgreSQL if no other process of Signalpost is connected.
   * @param hurry ends the wait for the stop, which continues
   */
  async leave(hurry: AbortSignal): Promise<void> {
    this.#stopping.abort();
    await this.#supervision;
    await this.#handle.leave(hurry);
  }

  async #supervise(): Promise<void> {
    const { signal } = this.#stopping;
    const stopRequested = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    for (;;) {
      await Promise.race([this.#handle.broken, stopRequested]);
      if (signal.aborted) return;
      this.#print('PostgreSQL ended or was asked to stop; restarting it.');
      await this.#restartPostgres(signal);
    }
  }

  async #restartPostgres(signal: AbortSignal): Promise<void> {
    const before = this.#handle.databaseUrl;
    for (let delayMs = 250; !signal.aborted; delayMs = Math.min(delayMs * 2, maxDelayMs)) {
      try {
        const onWait = printWaits(this.#print);
        this.#handle = await acquirePostgres(this.#dataDir, 'launcher', { signal, onWait });
        this.#print('PostgreSQL is running again.');
        if (this.#handle.databaseUrl !== before) await this.#onAddressChanged();
        return;
      } catch (error) {
        if (this.#stopping.signal.aborted) return;
        this.#print(`PostgreSQL could not be started: ${errorMessage(error)}`);
        await pause(delayMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }
}

/** Returns the path of the lock of the launcher of a DATA_DIR. */
export function launcherLockFile(home: string): string {
  return join(home, 'launcher.lock');
}

/** Watches for the end of the server, and for a request that it stop. */
function watchServer(
  client: DatabaseClient,
  cluster: string,
): { readonly broken: Promise<void>; end(): void } {
  let watch: NodeJS.Timeout | undefined;
  let ended = false;
  const broken = new Promise<void>((resolve) => {
    const report = () => {
      clearInterval(watch);
      if (!ended) resolve();
    };
    client.once('end', report);
    // After SIGTERM, PostgreSQL refuses new connections and waits for ours to end.
    watch = setInterval(() => {
      if (isStopping(cluster)) report();
    }, watchIntervalMs).unref();
  });

  return {
    broken,
    end: () => {
      ended = true;
      clearInterval(watch);
    },
  };
}

function outsideNotice({ cluster, outside }: PostgresPlacement): string | undefined {
  if (outside === undefined) return undefined;
  return `PostgreSQL runs in ${outside}, because its user cannot enter DATA_DIR (data: ${cluster}).`;
}

async function leave(
  client: DatabaseClient,
  url: URL,
  cluster: string,
  home: string,
  signal: AbortSignal,
): Promise<void> {
  const launcher = holderOf(launcherLockFile(home));
  if (launcher !== undefined && launcher !== process.pid) {
    // That launcher needs PostgreSQL, and stops it later.
    await disconnect(client);
    return;
  }

  try {
    const lock = await awaitLock(join(home, 'postgres.lock'), {
      ...defaultWait,
      signal: AbortSignal.any([signal, AbortSignal.timeout(leaveLockLimitMs)]),
    });
    try {
      // A launcher that was told to stop does not wait for its own migration.
      const ignored = launcher === undefined ? '' : 'signalpost-migrate';
      const others = await countOthers(client, url, ignored, signal);
      await disconnect(client);
      const running = findPostmaster(cluster);
      if (running && others === 0)
        await stopPostmaster(running, undefined, { ...defaultWait, signal });
    } finally {
      lock.release();
    }
  } catch (error) {
    await disconnect(client);
    if (!(error instanceof LockHeld) && !signal.aborted) throw error;
  }
}

/** Disconnects, also from a paused server, which does not respond. */
async function disconnect(client: DatabaseClient): Promise<void> {
  await Promise.race([
    client.end().catch(() => undefined),
    pause(disconnectLimitMs, undefined, { ref: false }),
  ]);
  client.abandon();
}

/** Waits up to a second, because connections of processes that just ended need some milliseconds to close. */
async function countOthers(
  held: DatabaseClient,
  url: URL,
  ignored: string,
  signal: AbortSignal,
): Promise<number> {
  const end = performance.now() + 1_000;
  for (;;) {
    const others = await countOnce(held, url, ignored, signal);
    if (others === 0 || performance.now() > end) return others;
    await pause(50, undefined, { signal });
  }
}

async function countOnce(
  held: DatabaseClient,
  url: URL,
  ignored: string,
  signal: AbortSignal,
): Promise<number> {
  try {
    return await countBesides(held, ignored);
  } catch {
    // Our connection broke or hangs, but the server may be back and serve others.
  }

  try {
    const client = await connect(url, 'signalpost-leave', signal);
    try {
      return await countBesides(client, ignored);
    } finally {
      await disconnect(client);
    }
  } catch (error) {
    // A slow server may serve others. One that is gone serves none.
    return /timeout/i.test(errorMessage(error)) ? 1 : 0;
  }
}

async function countBesides(client: DatabaseClient, ignored: string): Promise<number> {
  const { rows } = await client.query<{ others: number }>(
    `select count(*)::int as others from pg_stat_activity
     where application_name like 'signalpost%' and application_name <> $1
       and pid <> pg_backend_pid()`,
    [ignored],
  );
  return rows[0]?.others ?? 0;
}
