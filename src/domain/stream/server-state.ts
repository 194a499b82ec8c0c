import { createHash } from 'node:crypto';
import { singleRow } from '../rows.js';
import type { Read, Statement } from '../tx.js';
import type { ServerState } from './timed-snapshot.js';
import { parseSnapshot } from './snapshot.js';

/**
 * The snapshot ends at the last transaction that ended; `age` counts the ids assigned beyond it.
 * `statement_timestamp` is read before the snapshot of the statement is taken. A timeline begins
 * when a server is restored or promoted.
 */
const stateStatement: Statement = {
  name: 'stream_state',
  text: `
    select pg_current_snapshot()::text as snapshot,
           age(pg_snapshot_xmax(pg_current_snapshot())::xid) as ahead,
           (extract(epoch from statement_timestamp()) * 1000)::float8 as at,
           c.system_identifier::text || ' ' || d.oid::text || ' ' ||
             left(pg_walfile_name(pg_current_wal_lsn()), 8) as database
      from pg_control_system() c, pg_database d where d.datname = current_database()`,
};

const oldestStatement: Statement = {
  name: 'stream_oldest_writer',
  text: `
    select (extract(epoch from least(
             (select min(xact_start) from pg_stat_activity where backend_xid is not null),
             (select min(prepared) from pg_prepared_xacts),
             now() - interval '1 hour')) * 1000)::float8 as at`,
};

interface StateRow {
  readonly snapshot: string;
  readonly ahead: number;
  readonly at: number;
  readonly database: string;
}

/** Reads the present snapshot and clock of PostgreSQL. */
export async function readServerState(read: Pick<Read, 'sql'>): Promise<ServerState> {
  const row = await singleRow<StateRow>(read, stateStatement);
  const database = createHash('sha256').update(row.database).digest('base64url').slice(0, 12);
  const snapshot = parseSnapshot(row.snapshot);
  return { database, snapshot, nextXid: snapshot.xmax + BigInt(row.ahead), at: row.at };
}

/**
 * Returns a time in milliseconds before which no running transaction had written: an hour ago, or
 * the start of the oldest one that this role may see.
 */
export async function oldestWriter(read: Pick<Read, 'sql'>): Promise<number> {
  return (await singleRow<{ at: number }>(read, oldestStatement)).at;
}
