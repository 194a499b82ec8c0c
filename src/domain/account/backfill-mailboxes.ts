// Fills in the column `mailbox`, which has the form in which an address is compared. Processes of release 2.0.0 write
// addresses without it, and forget it when they change an address. Until it is filled in, such an address is compared
// as that release compares it. The release after this one no longer needs the backfill.
import type { Read, Statement } from '../transaction/tx.js';
import { storedMailbox } from '../values/email.js';

/** Tables with a column `mailbox`, and the column of its address. */
const addresses = { member: 'email', notice: 'recipient', payment: 'buyer_email' } as const;

// Only the small index of rows without a form has the order of the first statement.
const statements = Object.entries(addresses).map(([table, address]) => ({
  find: {
    name: `mailbox_find_${table}`,
    text: `select id, ${address} as address from ${table}
            where mailbox is null and octet_length(${address}) > char_length(${address})
            order by (id || '') limit $1`,
  },
  // A row that another process changes meanwhile is found again.
  fill: {
    name: `mailbox_fill_${table}`,
    text: `
      with free as (
        select r.id, f.mailbox
          from ${table} r
          join unnest($1::text[], $2::text[], $3::text[]) f (id, address, mailbox) on f.id = r.id
         where r.${address} = f.address and r.mailbox is null
           for no key update of r skip locked)
      update ${table} r set mailbox = free.mailbox from free where r.id = free.id returning r.id`,
  },
}));

/**
 * Fills in the forms of addresses that have none (see {@link storedMailbox}).
 * @param limit at most so many of each table
 * @returns how many it filled in
 */
export async function backfillMailboxes(read: Pick<Read, 'sql'>, limit: number): Promise<number> {
  let filled = 0;
  for (const { find, fill } of statements) filled += await fillTable(read, find, fill, limit);
  return filled;
}

/** Whether addresses lack their forms; other sessions may hold their rows. */
export async function hasMissingMailboxes(read: Pick<Read, 'sql'>): Promise<boolean> {
  for (const { find } of statements) {
    if ((await read.sql(find, [1])).length > 0) return true;
  }
  return false;
}

async function fillTable(
  read: Pick<Read, 'sql'>,
  find: Statement,
  fill: Statement,
  limit: number,
): Promise<number> {
  const rows = await read.sql<{ readonly id: string; readonly address: string }>(find, [limit]);
  if (rows.length === 0) return 0;
  const filled = await read.sql(fill, [
    rows.map(({ id }) => id),
    rows.map(({ address }) => address),
    rows.map(({ address }) => storedMailbox(address)),
  ]);
  return filled.length;
}
