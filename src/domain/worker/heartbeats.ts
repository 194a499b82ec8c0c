// Knows which workers are alive. A worker records its heartbeat with a poll (service/poll.ts), so it costs no round
// trip, and a worker that cannot reach PostgreSQL stops counting as alive. A stopped worker deletes its row; that of a
// worker that crashed counts for 30 seconds and is deleted after an hour.
import { purgeOf } from '../transaction/sql.js';
import type { Read, Statement } from '../transaction/tx.js';
import { Column, Entity, PrimaryColumn } from '../transaction/typeorm.js';

/** A worker process, and when it last polled. */
@Entity('worker_heartbeat')
export class WorkerHeartbeat {
  /** Host, process id and random digits. */
  @PrimaryColumn({ type: 'text', collation: 'C' })
  id!: string;

  @Column({ type: 'text', array: true, collation: 'C' })
  roles!: string[];

  /** The version of its release; null for releases that do not record it. */
  @Column({ type: 'text', nullable: true })
  version!: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  startedAt!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  seenAt!: Date;
}

/** Names a worker process to operators. */
export interface WorkerIdentity {
  /** Host, process id and random digits. */
  readonly id: string;
  readonly roles: readonly string[];
  /** The version of its release; null for releases that do not record it. */
  readonly version: string | null;
}

/** A worker whose last heartbeat was at most {@link aliveSeconds} ago. */
export interface AliveWorker extends WorkerIdentity {
  readonly startedAt: Date;
  readonly seenSeconds: number;
}

const everySeconds = 10;

/** The time of three heartbeats: a worker may miss one and be late with another. */
export const aliveSeconds = 30;

/** The answer has at most this many workers. */
const maxWorkers = 1_000;

/**
 * In SQL: writes the heartbeat every 10 seconds by the clock of PostgreSQL, as part of a poll. A time in the future was
 * written before that clock was set back.
 * @param id the parameter with the id of the worker, null for a poll without a heartbeat
 * @param roles the parameter with its roles
 * @param version the parameter with its version
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

/** Lists the workers that are alive. Needs only this table, so `doctor` can call it on an older schema. */
export function readAliveWorkers(read: Pick<Read, 'sql'>): Promise<AliveWorker[]> {
  return read.sql<AliveWorker>(aliveStatement, []);
}

/** Deletes the heartbeat of a worker that stops, so that it no longer counts as alive. */
export async function deleteHeartbeat(read: Read, id: string): Promise<void> {
  await read.sql(deleteStatement, [id]);
}

/** Deletes the heartbeats of workers that crashed more than an hour ago. */
export const purgeHeartbeats = purgeOf('worker_heartbeat', 'seen_at', '1 hour');
