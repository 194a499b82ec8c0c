// Limits how many live streams an account has open, over all API processes.
//
// A stream takes a slot before it opens and frees it when it ends. The slots of a process count as long as it says
// every 5 seconds that it is alive; those of a process that crashed are free after 15 seconds.
import { purgeOf } from '../transaction/sql.js';
import type { Read, Statement, Tx } from '../transaction/tx.js';
import { Column, Entity, ForeignKey, Index, PrimaryColumn } from '../transaction/typeorm.js';

/** An API process with open streams, and when it last recorded that it is alive. */
@Entity('stream_process')
export class StreamProcess {
  /** Random digits. */
  @PrimaryColumn({ type: 'text', collation: 'C' })
  id!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  seenAt!: Date;
}

/** An open stream. */
@Entity('stream_slot')
@Index('stream_slot_by_process', ['processId', 'id'])
export class StreamSlot {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  accountId!: string;

  @ForeignKey(() => StreamProcess, { onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'text', collation: 'C' })
  processId!: string;

  /** The number of the stream in its process. */
  @PrimaryColumn('integer')
  id!: number;

  /** Whether a portal session reads it. */
  @Column({ type: 'boolean', default: false })
  isPortal!: boolean;
}

/** An account has at most this many streams over all API processes. */
export const streamsPerAccount = 20;

/** At most this many of them are open in portal sessions, so that customers cannot take all streams of the account. */
export const streamsOfPortals = 10;

/** Names one open stream of an account. */
interface SlotKey {
  /** The API process that serves it: random digits. */
  readonly process: string;
  /** Different for each stream of the process. */
  readonly id: number;
}

/** A process records this often that it is alive. */
export const renewSeconds = 5;
/** A process counts as alive for this long. */
const aliveSeconds = 15;

/** In SQL. A time in the future was written before the clock of PostgreSQL was set back. */
const isAlive = `abs(extract(epoch from clock_timestamp() - p.seen_at)) <= ${aliveSeconds}`;

/** Lets streams of one account open one after the other, so that the limit holds. */
const lockStatement: Statement = {
  name: 'stream_slot_lock',
  text: `select pg_advisory_xact_lock(hashtextextended('streams ' || $1, 0))`,
};

const takeStatement: Statement = {
  name: 'stream_slot_take',
  text: `
    with process as (
      insert into stream_process as p (id, seen_at) values ($1, clock_timestamp())
      on conflict (id) do update set seen_at = excluded.seen_at
       where p.seen_at < clock_timestamp() - interval '${renewSeconds} seconds'
    )
    insert into stream_slot (process_id, id, account_id, is_portal)
    select $1::text, $2::integer, $3::text, $5::boolean
      from (select count(*) as all_streams, count(*) filter (where s.is_portal) as portal_streams
              from stream_slot s join stream_process p on p.id = s.process_id
             where s.account_id = $3 and ${isAlive}
               and not (s.process_id = $1 and s.id = any ($4::integer[]))) taken
     where all_streams < ${streamsPerAccount}
       and (not $5 or portal_streams < ${streamsOfPortals})
    returning id`,
};

const releaseStatement: Statement = {
  name: 'stream_slot_release',
  text: 'delete from stream_slot where process_id = $1 and id = any ($2::integer[])',
};

const renewStatement: Statement = {
  name: 'stream_process_renew',
  text: 'update stream_process set seen_at = clock_timestamp() where id = $1',
};

const deleteStatement: Statement = {
  name: 'stream_process_delete',
  text: 'delete from stream_process where id = $1',
};

/** The owner of a stream. */
export interface SlotHolder {
  readonly account: string;
  /** Whether a portal session reads it. */
  readonly isPortal: boolean;
}

/**
 * Takes a slot for a stream of the account.
 * @param ended ids of ended streams of this process whose slots are still stored
 * @returns false if the account has reached the limit
 */
export async function takeSlot(
  tx: Tx,
  { account, isPortal }: SlotHolder,
  { process, id }: SlotKey,
  ended: readonly number[],
): Promise<boolean> {
  await tx.sql(lockStatement, [account]);
  return (await tx.sql(takeStatement, [process, id, account, ended, isPortal])).length > 0;
}

/** Frees the slots of streams that have ended. */
export async function releaseSlots(
  read: Pick<Read, 'sql'>,
  process: string,
  ids: readonly number[],
): Promise<void> {
  await read.sql(releaseStatement, [process, ids]);
}

/** Records that the process is alive. Without this, its slots are free after 15 seconds. */
export async function renewSlots(read: Pick<Read, 'sql'>, process: string): Promise<void> {
  await read.sql(renewStatement, [process]);
}

/** Frees all slots of a process that stops. */
export async function deleteSlots(read: Pick<Read, 'sql'>, process: string): Promise<void> {
  await read.sql(deleteStatement, [process]);
}

/** Deletes the rows and slots of processes that crashed more than an hour ago. */
export const purgeStreamProcesses = purgeOf('stream_process', 'seen_at', '1 hour');
