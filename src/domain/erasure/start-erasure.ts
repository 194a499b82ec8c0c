import { findAccount, getAccount } from '../account/accounts.js';
import { recordChange } from '../audit/record-change.js';
import { emailIssues, isSameMailbox } from '../email.js';
import { validationFailed } from '../errors.js';
import { makeId } from '../id.js';
import type { Statement, Tx } from '../tx.js';
import { stopAccount } from './account-stages.js';
import { erasedAccountName } from './erased-values.js';
import type { Erasure } from './erasure.entity.js';
import { type ErasureView, getErasure } from './erasures.js';

/** Who requests an erasure: the id of an internal credential, or `command`. */
export type Requester = Erasure['requestedBy'];

/** Waits for changes of the account that are under way. */
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
 * Starts to erase an account. From the commit on it is not found: its credentials are gone, it takes
 * no event, and no worker claims its deliveries. Workers then erase its rows in steps. An account that
 * is erased already keeps its erasure, which is returned.
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
  // In the log of the operator, because that of the account goes with it.
  recordChange(tx, { action: 'account_erasure_started', resource: accountId });
  return insertErasure(tx, { accountId, kind: 'account', requestedBy, counts });
}

/** Whose personal data to erase. */
export interface BuyerErasureInput {
  readonly account: string;
  /** In any spelling that `mailboxOf` takes for the same. */
  readonly email: string;
  /** Whether to erase the buyer also from invoices of the last ten years. Defaults to false. */
  readonly includeInvoices?: boolean | null | undefined;
}

/**
 * Starts to erase the personal data of a buyer. Workers erase it in steps. An erasure of the same buyer
 * that runs already is returned instead.
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
