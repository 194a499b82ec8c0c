// The stages that erase an account.
//
// The rows that let the account act or receive anything are deleted first, when the erasure starts. Then every table
// with an `account_id` is emptied of its rows, except the books: of orders, payments, refunds and invoices only the
// personal data is replaced. The row of the account stays, because books refer to it.
import { getAccount } from '../account/accounts.js';
import { type OwnedTable, ownedTables } from '../account/owned-tables.js';
import { allowAuditDeletes } from '../audit/audit-log.js';
import { singleRow } from '../transaction/rows.js';
import type { Read, Statement, Tx } from '../transaction/tx.js';
import { erasedBuyer, erasedEmail } from './redact.js';
import {
  type BelongingRows,
  deleteRows,
  type ErasureJob,
  replaceColumns,
  type RowCounts,
  type Stage,
  type Step,
  type StepResult,
  tableStage,
} from './stage.js';

/** Deletes what lets the account act and receive deliveries. There are few rows of each. */
const stopStatement: Statement = {
  name: 'erasure_stop',
  text: `
    with keys as (
      delete from credential c where c.account_id = $1 returning 1
    ), sessions as (
      delete from session s where s.account_id = $1 returning 1
    ), links as (
      delete from sign_in_link l where l.account_id = $1 returning 1
    ), portal_sessions as (
      delete from portal_session s where s.account_id = $1 returning 1
    ), portal_links as (
      delete from portal_link l where l.account_id = $1 returning 1
    ), secrets as (
      delete from endpoint_secret s
       where s.endpoint_id in (select e.id from endpoint e
                                where e.account_id = $1 and e.deleted_at is null) returning 1
    ), endpoints as (
      update endpoint e set active = false, deleted_at = now(), updated_at = now()
       where e.account_id = $1 and e.deleted_at is null
    )
    select (select count(*)::int from keys) as credential,
           (select count(*)::int from sessions) as session,
           (select count(*)::int from links) as sign_in_link,
           (select count(*)::int from portal_sessions) as portal_session,
           (select count(*)::int from portal_links) as portal_link,
           (select count(*)::int from secrets) as endpoint_secret`,
};

/**
 * Deletes the pending deliveries of the account's endpoints in the order of their index. If a worker has claimed one,
 * its result is not recorded.
 */
const pendingStatement: Statement = {
  name: 'erasure_pending_delivery',
  text: `
    with page as (
      select c.ctid, e.id as endpoint_id, c.event_id
        from endpoint e
        cross join lateral (
          select c.ctid, c.event_id from pending_delivery c
           where c.endpoint_id = e.id
             and c.event_id > case when e.id = $2 then $3 else '' end
           order by c.event_id limit $4) c
       where e.account_id = $1 and e.deleted_at is not null and e.id >= $2
       order by e.id, c.event_id limit $4
    ), free as (
      select c.ctid from pending_delivery c
       where c.ctid = any (array(select p.ctid from page p)) and c.account_id = $1
         for update skip locked
    ), gone as (
      delete from pending_delivery c
       where c.ctid = any (array(select f.ctid from free f)) and c.account_id = $1 returning 1
    )
    select (select count(*)::int from gone) as pending_delivery,
           (select array[p.endpoint_id, p.event_id] from page p
             order by p.endpoint_id desc, p.event_id desc offset $4 - 1 limit 1) as next`,
};

const pendingBatch = 1_000;

/** What replaces the personal data in books. They keep numbers, amounts, taxes, times, and what was sold. */
const books: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  order: {
    checkout_id: 'null',
    external_reference: `''`,
    buyer: erasedBuyer('r.buyer'),
    metadata: `'{}'`,
    affiliate: 'null',
  },
  payment: { buyer_email: `'${erasedEmail}'`, mailbox: 'null', key: 'null', fingerprint: 'null' },
  refund: { note: 'null' },
  invoice: { buyer: erasedBuyer('r.buyer') },
};

/** Tables to which other rows refer, in the order in which their rows can be deleted. */
const deletedLast = ['member', 'checkout', 'offer', 'endpoint'];

/** How the rows of a table are deleted, where that needs more than the table and its key. */
interface Deletion {
  /** In SQL: a further condition of the rows `r`. */
  readonly where?: string;
  /** Rows of other tables that are deleted with them. */
  readonly belonging?: readonly BelongingRows[];
}

const deletions: Readonly<Record<string, Deletion>> = {
  audit_entry: { where: allowAuditDeletes },
  delivery: { belonging: [{ table: 'delivery_evidence', column: 'delivery_id' }] },
  endpoint: {
    where: 'r.deleted_at is not null',
    belonging: [
      { table: 'endpoint_secret', column: 'endpoint_id' },
      { table: 'endpoint_rate', column: 'endpoint_id' },
    ],
  },
};

/**
 * Returns the stages that erase an account, in the order that references allow. There is one for each table, also for
 * those that this file does not name.
 */
export function accountStages(read: Pick<Read, 'manager'>): readonly Stage[] {
  const tables = ownedTables(read).filter(
    ({ name }) => name !== 'erasure' && name !== 'pending_delivery',
  );
  const others = tables.filter(({ name }) => !(name in books) && !deletedLast.includes(name));
  const inOrder = [
    ...tables.filter(({ name }) => name in books),
    ...others,
    ...deletedLast.flatMap((table) => tables.filter(({ name }) => name === table)),
  ];

  return [
    {
      name: 'stop',
      run: async (tx, { job }) => ({ counts: await stopAccount(tx, job), next: null }),
    },
    { name: 'pending_delivery', run: erasePending },
    ...inOrder.map(stageOf),
  ];
}

function stageOf({ name: table, key }: OwnedTable): Stage {
  const values = books[table];
  if (values) {
    return tableStage({ table, key, sql: (rows) => replaceColumns({ table, rows, values }) });
  }

  const { where = 'true', belonging = [] } = deletions[table] ?? {};
  return tableStage({ table, key, where, sql: (rows) => deleteRows({ table, rows, belonging }) });
}

/**
 * Deletes credentials, sessions, links and secrets, and marks the endpoints as deleted, so that nothing claims for
 * them.
 */
export function stopAccount(
  tx: Tx,
  { accountId }: Pick<ErasureJob, 'accountId'>,
): Promise<RowCounts> {
  tx.credentialsChanged();
  return singleRow<RowCounts>(tx, stopStatement, [accountId]);
}

interface PendingRow {
  readonly pending_delivery: number;
  readonly next: string[] | null;
}

async function erasePending(tx: Tx, { job, place }: Step): Promise<StepResult> {
  const values = [job.accountId, ...(place ?? ['', '']), pendingBatch];
  const { pending_delivery, next } = await singleRow<PendingRow>(tx, pendingStatement, values);
  return { counts: { pending_delivery }, next };
}

/**
 * Counts the rows of an account by table. It reads all of them.
 * @throws DomainError not_found
 */
export async function countRows(read: Read, accountId: string): Promise<RowCounts> {
  const { id } = await getAccount(read, accountId);
  const counts: Record<string, number> = {};
  for (const { name } of ownedTables(read)) {
    const text = `select count(*)::int as rows from "${name}" r where r.account_id = $1`;
    const [row] = await read.sql<{ rows: number }>({ name: `erasure_count_${name}`, text }, [id]);
    if (row && row.rows > 0) counts[name] = row.rows;
  }
  return counts;
}
