import { maxBodyBytes } from '../event/prepare-event.js';
import { singleRow } from '../transaction/rows.js';
import type { Read, Statement, Tx } from '../transaction/tx.js';

/** A row of `pending_delivery` takes at least this many bytes of the table. */
const minRowBytes = 180;

/** A count reads at most about this many bytes, however long the backlog is. */
const sampleBytes = 40 * 1_048_576;

/** An account is full until its pending deliveries fall to this share of each limit. */
const freeBelow = 0.9;

const sizeStatement: Statement = {
  name: 'full_account_size',
  text: `
    select pg_relation_size('pending_delivery')::float8 as bytes,
           exists (select from full_account) as "anyFull"`,
};

/**
 * Counts the rows of a sample of pages by account. Rows are written in the order of their events. So
 * an account near its limit has thousands of pages, and the estimate is a few percent off.
 */
const markStatement: Statement = {
  name: 'full_account_mark',
  text: `
    with counted as materialized (
      select c.account_id, (count(*) * 100 / $1::float8)::bigint as pending,
             (sum(c.body_bytes) * 100 / $1::float8)::bigint as bytes
        from pending_delivery c tablesample system ($1::float8::real) group by c.account_id
    ), freed as (
      delete from full_account f
       where not exists (select from counted c
                          where c.account_id = f.account_id
                            and (c.pending > $3::bigint or c.bytes > $5::bigint))
    )
    insert into full_account as f (account_id, pending, pending_bytes, since)
    select c.account_id, c.pending, c.bytes, now() from counted c
     where c.pending >= $2::bigint or c.bytes >= $4::bigint
    on conflict (account_id) do update
       set pending = excluded.pending, pending_bytes = excluded.pending_bytes`,
};

/** Updates one row, the time of the latest count. The row changes in place and has no other index. */
const turnStatement: Statement = {
  name: 'full_account_turn',
  text: `
    insert into full_account_count as f (id, counted_at) values (1, now())
    on conflict (id) do update set counted_at = now()
     where f.counted_at <= now() - $1::float8 * interval '1 millisecond'
    returning id`,
};

const countStatement: Statement = {
  name: 'full_account_count',
  text: 'select count(*)::int as count from full_account',
};

/** The limits from which on an account is full. */
export interface PendingLimits {
  readonly deliveries: number;
  /** Bytes of their events together. An event counts once for each of its pending deliveries. */
  readonly bytes: number;
}

/**
 * Marks the accounts whose pending deliveries have reached one of the limits, and frees those that fell
 * to nine tenths of both. Reads no rows while the whole table is too small for the limits, nor within
 * `restMs` of the latest count of any process.
 */
export async function markFullAccounts(tx: Tx, limits: PendingLimits, restMs = 0): Promise<void> {
  const { deliveries, bytes } = limits;
  const fewest = Math.min(deliveries, bytes / maxBodyBytes);
  const size = await singleRow<{ bytes: number; anyFull: boolean }>(tx, sizeStatement);
  if (size.bytes / minRowBytes < fewest && !size.anyFull) return;

  const turn = await tx.sql(turnStatement, [restMs]);
  if (turn.length === 0) return;

  const percent = Math.min(100, (100 * sampleBytes) / Math.max(1, size.bytes));
  await tx.sql(markStatement, [
    percent,
    deliveries,
    Math.floor(deliveries * freeBelow),
    bytes,
    Math.floor(bytes * freeBelow),
  ]);
}

/** Counts the accounts whose events are refused. */
export async function countFullAccounts(read: Read): Promise<number> {
  return (await singleRow<{ count: number }>(read, countStatement)).count;
}
