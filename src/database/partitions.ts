import type { Read, Tx } from '../domain/transaction/tx.js';
import { migrateCommand } from './schema.js';
import { smallestId, type IdPrefix } from '../domain/values/id.js';
import { singleRow } from '../domain/transaction/rows.js';

const week = 7 * 86_400_000;
const weeksAhead = 8;

/** Tables that are partitioned by id, one partition per week, with the prefixes of their ids. */
const partitioned = [
  { table: 'event', prefix: 'evt' },
  { table: 'delivery', prefix: 'whd' },
  { table: 'delivery_evidence', prefix: 'whd' },
] as const satisfies readonly { table: string; prefix: IdPrefix }[];

/** Partitions whose newest row is older than this are dropped whole. */
const retentionMs = 40 * 86_400_000;
const listedMs = 30 * 86_400_000;
const dropWaitMs = 200;

/** One week of one table. */
export interface Partition {
  readonly table: (typeof partitioned)[number]['table'];
  readonly name: string;
  readonly from: Date;
}

/** The partitions to create and drop. */
export interface PartitionChanges {
  /** Missing ones from last week to eight weeks ahead. */
  readonly missing: readonly Partition[];
  /** The partitions whose week ended more than {@link retentionMs} ago. */
  readonly ended: readonly Partition[];
}

/** Returns the partitions to create and drop at `now`. */
export async function partitionChanges(
  read: Pick<Read, 'sql'>,
  now: Date,
): Promise<PartitionChanges> {
  const { names } = await readPartitions(read);
  const limit = dayStamp(new Date(now.getTime() - retentionMs - week));
  return {
    missing: comingPartitions(now).filter(({ name }) => !names.includes(name)),
    ended: names.map(partitionOf).filter(({ from }) => dayStamp(from) < limit),
  };
}

/** Returns the names of partitions that new rows need now and that do not exist. */
export async function missingPartitions(read: Pick<Read, 'sql'>): Promise<string[]> {
  const { now, names } = await readPartitions(read);
  const from = new Date(Math.floor(now.getTime() / week) * week);
  const needed = partitioned.map(({ table }) => `${table}_${dayStamp(from)}`);
  return needed.filter((name) => !names.includes(name));
}

/** PostgreSQL responds, but new rows have no partition. */
export class PartitionsMissing extends Error {
  override readonly name = 'PartitionsMissing';
}

/**
 * Checks that new rows have partitions now.
 * @throws PartitionsMissing with the names of the missing ones
 */
export async function checkPartitions(read: Pick<Read, 'sql'>): Promise<void> {
  const missing = await missingPartitions(read);
  if (missing.length > 0) throw new PartitionsMissing(missing.join(', '));
}

function readPartitions(read: Pick<Read, 'sql'>): Promise<{ now: Date; names: string[] }> {
  return singleRow(read, {
    name: 'partitions',
    text: `select now() as now, array(
             select inhrelid::regclass::text from pg_inherits
              where inhparent in (${partitioned.map(({ table }) => `'${table}'::regclass`).join(', ')})
           ) as names`,
  });
}

/**
 * Creates the partitions from last week to eight weeks ahead that do not exist: in one transaction, because a new
 * database lacks thirty. It holds no lock that readers or writers wait for.
 * @param query runs several statements
 */
export async function createPartitions(query: Query, now: Date): Promise<void> {
  await query(comingPartitions(now).map(creationOf).join(';\n'));
}

/** Partitions of the past that made-up history needs: lists show 30 days, and older ones may be dropped soon. */
export function pastPartitions(now: Date): Partition[] {
  const first = Math.floor((now.getTime() - listedMs) / week);
  return partitionsFrom(first, Math.floor(now.getTime() / week) - first);
}

type Query = (text: string) => Promise<unknown>;

/**
 * Creates a partition unless it exists. Others can read and write the table while it is attached,
 * which `partition of` would block.
 */
export async function createPartition(query: Query, partition: Partition): Promise<void> {
  await query(creationOf(partition));
}

function creationOf(partition: Partition): string {
  const { table, name } = partition;
  const [from, to] = boundsOf(partition);
  return `do $$ begin if to_regclass('${name}') is null then
    create table ${name} (like ${table} including all);
    alter table ${table} attach partition ${name} for values from ('${from}') to ('${to}');
  end if; end $$`;
}

/**
 * Drops a partition with all its rows, unless open pending deliveries still need its events. Waits
 * at most 200 ms for readers of the table, because all other users of the table wait behind it. See
 * {@link isLockTimeout}.
 * @returns whether it was dropped
 */
export async function dropPartition(tx: Tx, partition: Partition): Promise<boolean> {
  const { table, name } = partition;
  if (table === 'event' && (await isPartitionNeeded(tx, partition))) return false;
  await tx.manager.query(`set local lock_timeout = '${dropWaitMs}ms'`);
  await tx.manager.query(`drop table if exists ${name}`);
  return true;
}

/** Whether a statement failed because it waited too long for a lock. */
export function isLockTimeout(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === '55P03';
}

async function isPartitionNeeded(tx: Tx, partition: Partition): Promise<boolean> {
  const [row] = await tx.sql<{ needed: boolean }>(
    {
      name: 'partition-needed',
      text: `select exists (select from pending_delivery where event_id >= $1 and event_id < $2) as needed`,
    },
    boundsOf(partition),
  );
  return row?.needed ?? true;
}

/** Returns the time from which both events and deliveries have partitions. */
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
  if (!row) throw new Error(`No partitions found. Run ${migrateCommand}.`);

  return row.since;
}

function comingPartitions(now: Date): Partition[] {
  return partitionsFrom(Math.floor(now.getTime() / week) - 1, weeksAhead + 2);
}

/** @param first the number of the first week since 1970 */
function partitionsFrom(first: number, weeks: number): Partition[] {
  return partitioned.flatMap(({ table }) =>
    Array.from({ length: weeks }, (_each, index) => {
      const from = new Date((first + index) * week);
      return { table, name: `${table}_${dayStamp(from)}`, from };
    }),
  );
}

function partitionOf(name: string): Partition {
  const [day = ''] = /\d{8}$/.exec(name) ?? [];
  const from = new Date(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`);
  const table = name.slice(0, -'_YYYYMMDD'.length) as Partition['table'];
  return { table, name, from };
}

/** Returns the first id of the partition and the first id after it. */
function boundsOf({ table, from }: Partition): [string, string] {
  const { prefix } = partitioned.find((entry) => entry.table === table) ?? partitioned[0];
  return [smallestId(prefix, from), smallestId(prefix, new Date(from.getTime() + week))];
}

function dayStamp(at: Date): string {
  return at.toISOString().slice(0, 10).replaceAll('-', '');
}
