import pg from 'pg';
import { eventually } from './eventually.js';
import { type Cluster, type FollowedServer, startCluster } from './cluster.js';
import { type PostgresServer } from './postgres.js';

/** A primary and its synchronous standby. */
export interface FailoverPair extends Cluster {
  readonly primary: PostgresServer;
  readonly standby: FollowedServer;
  /**
   * Stops the connection to the standby, and cancels each wait for it until `work` ends.
   * @returns the error of `work`; undefined when it succeeds
   */
  whileStalled(work: () => Promise<unknown>): Promise<unknown>;
  /** Promotes the standby to its own timeline. The former primary stays as it is. */
  promote(): Promise<void>;
}

/** Starts the pair. Its `url` names both hosts. */
export async function startFailoverPair(): Promise<FailoverPair> {
  const primary = await startCluster({ durable: true });
  const standby = await primary.startStandby();

  await ask(primary.url('postgres'), `alter system set synchronous_standby_names = '*'`);
  await ask(primary.url('postgres'), 'select pg_reload_conf()');

  await eventually(async () => {
    const [row] = await ask(primary.url('postgres'), 'select sync_state from pg_stat_replication');
    if (row?.['sync_state'] !== 'sync') throw new Error(String(row?.['sync_state']));
  }, 'the standby is synchronous');

  const { host } = new URL(standby.url('postgres'));
  return {
    ...primary,
    primary,
    standby,
    get pid() {
      return primary.pid;
    },
    url: (database) => primary.url(database).replace(/(?=\/\w+$)/, `,${host}`),
    whileStalled: (work) => whileStalled(primary, work),
    promote: () => standby.promote(),
    async stop() {
      await standby.stop();
      await primary.stop();
    },
  };
}

async function whileStalled(
  primary: PostgresServer,
  work: () => Promise<unknown>,
): Promise<unknown> {
  const url = primary.url('postgres');
  const [{ pid } = { pid: 0 }] = (await ask(url, 'select pid from pg_stat_replication')) as {
    pid: number;
  }[];
  process.kill(pid, 'SIGSTOP');

  try {
    let ended = false;
    const failure = work()
      .then(
        () => undefined,
        (error: unknown) => error,
      )
      .finally(() => (ended = true));

    await eventually(async () => {
      const waiting = `from pg_stat_activity where wait_event = 'SyncRep'`;
      await ask(url, `select pg_cancel_backend(pid) ${waiting}`);
      if (!ended) throw new Error('it runs');
    }, 'the work ends');

    return await failure;
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}

/** Runs one statement on its own connection. */
export async function ask(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}
