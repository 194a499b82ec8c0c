import type { Read, Statement, Tx } from '../tx.js';

/** A row of `pending_delivery` takes at least this many bytes of the table. */
const minRowBytes = 180;

/** Reads about this many bytes at most, however long the backlog is. */
const sampleBytes = 40 * 1_048_576;

/** An account is full until its pending deliveries fall to this share of the limit. */
const freeBelow = 0.9;

const sizeStatement: Statement = {
  name: 'full_account_size',
  text: `
    select pg_relation_size('pending_delivery')::float8 as bytes,
           exists (select from full_account) as "anyFull"`,
};

/**
 * Counts the rows of a sample of pages by account. Rows are written in the order of their events, so
 * an account near its limit has thousands of pages, and the estimate is a few percent off.
 */
const markStatement: Statement = {
  name: 'full_account_mark',
  text: `
    with counted as materialized (
      select c.account_id, (count(*) * 100 / $1::float8)::bigint as pending
        from pending_delivery c tablesample system ($1::float8::real) group by c.account_id
    ), freed as (
      delete from full_account f
       where not exists (select from counted c
                          where c.account_id = f.account_id and c.pending > $3::bigint)
    )
    insert into full_account as f (account_id, pending, since)
    select c.account_id, c.pending, now() from counted c where c.pending >= $2::bigint
    on conflict (account_id) do update set pending = excluded.pending`,
};

/** One row, the time of the latest count. It changes in place and has no other index. */
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

/**
 * Marks the accounts that have `limit` pending deliveries or more, and frees those that fell to nine
 * tenths of it. Reads no rows while the whole table is too small for `limit`, nor within `restMs` of the
 * latest count, by which process it was.
 */
export async function markFullAccounts(tx: Tx, limit: number, restMs = 0): Promise<void> {
  const [size] = await tx.sql<{ bytes: number; anyFull: boolean }>(sizeStatement, []);
  if (!size || (size.bytes / minRowBytes < limit && !size.anyFull)) return;
  const turn = await tx.sql(turnStatement, [restMs]);
  if (turn.length === 0) return;
  const percent = Math.min(100, (100 * sampleBytes) / Math.max(1, size.bytes));
  await tx.sql(markStatement, [percent, limit, Math.floor(limit * freeBelow)]);
}

/** Counts the accounts whose events are refused. */
export async function countFullAccounts(read: Read): Promise<number> {
  const [row] = await read.sql<{ count: number }>(countStatement, []);
  return row?.count ?? 0;
}
