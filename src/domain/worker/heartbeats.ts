import { purgeOf } from '../purge.js';
import type { Read, Statement } from '../tx.js';

/** Names a worker process to operators. */
export interface WorkerIdentity {
  /** Host, process id and random digits. */
  readonly id: string;
  readonly roles: readonly string[];
  /** The version of its release; null of a release that did not say so. */
  readonly version: string | null;
}

/** A worker whose last heartbeat is at most {@link aliveSeconds} old. */
export interface AliveWorker extends WorkerIdentity {
  readonly startedAt: Date;
  readonly seenSeconds: number;
}

const everySeconds = 10;

/** Three heartbeats: a worker may miss one, and come late with another. */
export const aliveSeconds = 30;

/** Keeps the answer small; more workers than this are not counted. */
const maxWorkers = 1_000;

/**
 * Part of the statement of a poll, so that a heartbeat costs no round trip. Writes a row every 10
 * seconds by the clock of PostgreSQL. A time in the future was written before that clock was set back.
 * @param id parameter with the id of the worker, null for a poll without a heartbeat
 * @param roles parameter with its roles
 * @param version parameter with its version
 */
export const writeHeartbeat = (id: string, roles: string, version: string): string => `
      insert into worker_heartbeat as b (id, roles, version, started_at, seen_at)
      select ${id}::text, ${roles}::text[], ${version}::text, now(), now()
       where ${id}::text is not null and not exists (
         select from worker_heartbeat f
          where f.id = ${id} and f.seen_at > now() - interval '${everySeconds} seconds' and f.seen_at <= now())
      on conflict (id) do update set seen_at = excluded.seen_at`;

const aliveStatement: Statement = {
  name: 'worker_heartbeat_alive',
  text: `
    select b.id, b.roles, b.version, b.started_at as "startedAt",
           greatest(0, extract(epoch from now() - b.seen_at))::float8 as "seenSeconds"
      from worker_heartbeat b
     where b.seen_at > now() - interval '${aliveSeconds} seconds'
     order by b.id limit ${maxWorkers}`,
};

const deleteStatement: Statement = {
  name: 'worker_heartbeat_delete',
  text: 'delete from worker_heartbeat where id = $1',
};

/** Lists the workers that are alive. Needs no schema beyond this table, so `doctor` can call it. */
export function readAliveWorkers(read: Pick<Read, 'sql'>): Promise<AliveWorker[]> {
  return read.sql<AliveWorker>(aliveStatement, []);
}

/** Forgets a worker that stops, so that it counts as alive no longer. */
export async function deleteHeartbeat(read: Read, id: string): Promise<void> {
  await read.sql(deleteStatement, [id]);
}

/** Deletes rows of workers that ended more than an hour ago without stopping. */
export const purgeHeartbeats = purgeOf('worker_heartbeat', 'seen_at', '1 hour');
