import type { Read } from '../domain/tx.js';
import { idFloor, type IdPrefix } from '../domain/id.js';

const week = 7 * 86_400_000;
const weeksAhead = 8;

/** Tables partitioned by id, one partition a week, and the prefix of their ids. */
const partitioned = [
  { table: 'event', prefix: 'evt' },
  { table: 'delivery', prefix: 'whd' },
] as const satisfies readonly { table: string; prefix: IdPrefix }[];

/** Partitions whose newest row is older than this are dropped whole. */
const retentionMs = 40 * 86_400_000;

type Query = (text: string) => Promise<unknown>;

/** Makes the partitions from last week to eight weeks ahead; those that exist stay as they are. */
export async function createPartitions(query: Query, now: Date): Promise<void> {
  const first = Math.floor(now.getTime() / week) - 1;
  for (const { table, prefix } of partitioned) {
    for (let index = first; index <= first + weeksAhead + 1; index += 1) {
      const from = new Date(index * week);
      const until = new Date((index + 1) * week);
      await query(
        `create table if not exists ${partitionName(table, from)} partition of ${table}
         for values from ('${idFloor(prefix, from)}') to ('${idFloor(prefix, until)}')`,
      );
    }
  }
}

/**
 * Drops the partitions whose whole week ended more than {@link retentionMs} ago.
 * @returns the names of the dropped tables
 */
export async function dropPartitions(read: Read, now: Date): Promise<string[]> {
  const rows = await read.sql<{ name: string }>(
    {
      name: 'partitions',
      text: `select inhrelid::regclass::text as name from pg_inherits
             where inhparent in ('event'::regclass, 'delivery'::regclass)`,
    },
    [],
  );
  const limit = new Date(now.getTime() - retentionMs - week);
  const dropped = rows
    .map(({ name }) => name)
    .filter((name) => name.slice(name.lastIndexOf('_') + 1) < dayStamp(limit));
  for (const name of dropped) await read.manager.query(`drop table if exists ${name}`);
  return dropped;
}

/** Since when events and deliveries have partitions that they can be stored in. */
export async function partitionsSince(read: Read): Promise<Date> {
  const rows = await read.sql<{ since: Date }>(
    {
      name: 'partitions-since',
      text: `select max(first) as since from (
               select min(to_timestamp(right(inhrelid::regclass::text, 8) || ' 00:00 +00',
                                       'YYYYMMDD HH24:MI TZH')) as first
                 from pg_inherits where inhparent in ('event'::regclass, 'delivery'::regclass)
                group by inhparent) tables`,
    },
    [],
  );
  const [row] = rows;
  if (!row) throw new Error('there are no partitions');
  return row.since;
}

function partitionName(table: string, from: Date): string {
  return `${table}_${dayStamp(from)}`;
}

function dayStamp(at: Date): string {
  return at.toISOString().slice(0, 10).replaceAll('-', '');
}
