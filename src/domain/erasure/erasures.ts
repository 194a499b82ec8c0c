import { findAccount, getAccount } from '../account/accounts.js';
import { recordChange } from '../audit/audit-log.js';
import { validationFailed } from '../errors.js';
import { type Page, pageOf, type PageRequest, pageStart } from '../list/cursor-page.js';
import { rowById } from '../transaction/rows.js';
import { selectionOf } from '../transaction/sql.js';
import type { Read, Statement, Tx } from '../transaction/tx.js';
import { emailIssues, isSameMailbox } from '../values/email.js';
import { makeId } from '../values/id.js';
import { stopAccount } from './account-stages.js';
import { type Erasure, type ErasureStatus, erasureStatuses } from './erasure.entity.js';
import { erasedAccountName } from './redact.js';

const shown = [
  'id',
  'accountId',
  'kind',
  'requestedBy',
  'includeInvoices',
  'status',
  'counts',
  'createdAt',
  'updatedAt',
  'completedAt',
] as const satisfies readonly (keyof Erasure)[];

/** An erasure as operators see it. It has no personal data. */
export interface ErasureView extends Pick<Erasure, (typeof shown)[number]> {
  /** Whether everything it found is erased, and it only waits for what was in progress when it started. */
  readonly waiting: boolean;
}

/** In SQL: when the next step of an erasure `r` is due. Those that 2.0.0 started have only the older column. */
export const dueAt = 'coalesce(r.due_at, r.next_step_at)';

const columns = `${selectionOf(shown)}, r.status = 'running'
    and ${dueAt} > greatest(now(), r.updated_at + interval '1 second') as waiting`;

const getStatement: Statement = {
  name: 'erasure_get',
  text: `select ${columns} from erasure r where r.id = $1`,
};

const listStatement: Statement = {
  name: 'erasure_list',
  text: `
    select ${columns} from erasure r
     where r.id < $1 and r.status = any ($2::text[]) order by r.id desc limit $3`,
};

const greaterThanAnyId = 'era~';

/**
 * Returns one erasure of any account.
 * @throws DomainError not_found
 */
export function getErasure(read: Read, id: string): Promise<ErasureView> {
  return rowById<ErasureView>(read, 'era', getStatement, [id]);
}

/**
 * Lists the erasures of all accounts, newest first.
 * @throws DomainError validation_failed
 */
export async function listErasures(
  read: Read,
  request: PageRequest<ErasureStatus>,
): Promise<Page<ErasureView>> {
  const { limit, status } = request;
  const scope = { list: 'erasures', account: '', filter: status ?? undefined };
  const before = pageStart(read, scope, request) ?? greaterThanAnyId;
  const statuses = status == null ? erasureStatuses : [status];
  const rows = await read.sql<ErasureView>(listStatement, [before, statuses, limit + 1]);
  return pageOf(read, scope, limit, rows);
}

/** Who requests an erasure: the id of an internal credential, or `command`. */
export type Requester = Erasure['requestedBy'];

/** Waits for changes of the account that are in progress. */
const closeStatement: Statement = {
  name: 'erasure_close_account',
  text: `
    with open as (select a.id from account a where a.id = $1 and a.erased_at is null for update)
    update account a set erased_at = now(), name = $2
     where a.id in (select o.id from open o) returning a.id`,
};

const buyersStatement: Statement = {
  name: 'erasure_end_buyers',
  text: `
    with ended as (
      update erasure r
         set status = 'completed', stage = '', place = null, email = null, updated_at = now(),
             completed_at = now()
       where r.account_id = $1 and r.kind = 'buyer' and r.status = 'running'
      returning r.id
    )
    delete from erasure_subject s where s.erasure_id in (select e.id from ended e)`,
};

const accountStatement: Statement = {
  name: 'erasure_of_account',
  text: `select r.id from erasure r where r.account_id = $1 and r.kind = 'account' order by r.id limit 1`,
};

const runningStatement: Statement = {
  name: 'erasure_of_buyer',
  text: `
    select r.id, r.email from erasure r
     where r.account_id = $1 and r.kind = 'buyer' and r.status = 'running' and r.include_invoices = $2
     order by r.id`,
};

const insertStatement: Statement = {
  name: 'erasure_insert',
  text: `
    insert into erasure (id, account_id, kind, requested_by, status, email, include_invoices, stage,
                         pass_started_at, found_in_pass, counts, due_at, next_step_at, created_at, updated_at)
    values ($1, $2, $3, $4, 'running', $5, $6, '', $7, 0, $8, $7, 'infinity', $7, $7)`,
};

/**
 * Starts to erase an account. From the commit on, no operation finds it: its credentials are deleted, it accepts no
 * events, and no worker claims its deliveries. Workers then erase its rows in steps. If the account is erased already,
 * returns that erasure.
 * @throws DomainError not_found
 */
export async function startAccountErasure(
  tx: Tx,
  account: string,
  requestedBy: Requester,
): Promise<ErasureView> {
  const { id: accountId } = await findAccount(tx, account);
  const closed = await tx.sql(closeStatement, [accountId, erasedAccountName]);
  if (closed.length === 0) {
    const [earlier] = await tx.sql<{ id: string }>(accountStatement, [accountId]);
    return getErasure(tx, earlier?.id ?? '');
  }
  const counts = await stopAccount(tx, { accountId });
  await tx.sql(buyersStatement, [accountId]);
  // Written to the audit log of the operator, because that of the account is erased.
  recordChange(tx, { action: 'account_erasure_started', resource: accountId });
  return insertErasure(tx, { accountId, kind: 'account', requestedBy, counts });
}

/** Whose personal data to erase. */
export interface BuyerErasureInput {
  readonly account: string;
  /** In any spelling: `mailboxOf` decides which addresses are the same. */
  readonly email: string;
  /** Whether to erase the buyer also from invoices of the last ten years. Defaults to false. */
  readonly includeInvoices?: boolean | null | undefined;
}

/**
 * Starts to erase the personal data of a buyer. Workers erase it in steps. If an erasure of the same buyer is running
 * already, returns that one.
 * @throws DomainError validation_failed, not_found
 */
export async function startBuyerErasure(
  tx: Tx,
  { account, email, includeInvoices }: BuyerErasureInput,
  requestedBy: Requester,
): Promise<ErasureView> {
  const issues = emailIssues('email', email);
  if (issues.length > 0) throw validationFailed(issues);

  const { id: accountId } = await getAccount(tx, account);
  const withInvoices = includeInvoices ?? false;
  const others = await tx.sql<{ id: string; email: string }>(runningStatement, [
    accountId,
    withInvoices,
  ]);

  const running = others.find((other) => isSameMailbox(other.email, email));
  if (running) return getErasure(tx, running.id);

  recordChange(tx, { action: 'buyer_erasure_started', account: accountId });

  return insertErasure(tx, {
    accountId,
    kind: 'buyer',
    requestedBy,
    email,
    includeInvoices: withInvoices,
  });
}

async function insertErasure(
  tx: Tx,
  erasure: Pick<Erasure, 'accountId' | 'kind' | 'requestedBy'> &
    Partial<Pick<Erasure, 'email' | 'includeInvoices' | 'counts'>>,
): Promise<ErasureView> {
  const id = makeId('era', tx.now);
  const { accountId, kind, requestedBy, email, includeInvoices = false, counts = {} } = erasure;
  await tx.sql(insertStatement, [
    id,
    accountId,
    kind,
    requestedBy,
    email ?? null,
    includeInvoices,
    tx.now,
    JSON.stringify(counts),
  ]);

  return getErasure(tx, id);
}
