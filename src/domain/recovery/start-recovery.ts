import { recordChange } from '../audit/record-change.js';
import { confirmedByStandby } from '../confirmed-by-standby.js';
import { DomainError, type InternalIssueCode, validationFailed } from '../errors.js';
import { fingerprint } from '../idempotency/fingerprint.js';
import { makeId, smallestId } from '../id.js';
import { singleRow } from '../rows.js';
import { textIssues } from '../text-issues.js';
import type { Statement, Tx } from '../tx.js';
import { getRecovery, type RecoveryView } from './recoveries.js';
import { assertActive, recoveryEndpoint } from './recovery-endpoint.js';
import { checkRange, type RecoveryInput } from './recovery-input.js';

/** At most this many recoveries of an account are running or paused. */
const maxActive = 5;

/** Starts of one account queue here, so that the limit and the key hold. */
const lockStatement: Statement = {
  name: 'recovery_start_lock',
  text: `select pg_advisory_xact_lock(hashtextextended('recovery ' || $1, 0))`,
};

const earlierStatement: Statement = {
  name: 'recovery_earlier',
  text: `
    select (select count(*)::int from recovery r
             where r.account_id = $1 and r.status in ('running', 'paused')) as active,
           exists (select from recovery r
                    where r.endpoint_id = $3 and r.status in ('running', 'paused')) as "endpointBusy",
           case when k.id is not null and ${confirmedByStandby} then k.id end as id, k.fingerprint
      from (select) one
      left join recovery k on k.account_id = $1 and k.idempotency_key = $2`,
};

interface Earlier {
  readonly active: number;
  readonly endpointBusy: boolean;
  /** The recovery of the key; null without one. */
  readonly id: string | null;
  readonly fingerprint: Buffer | null;
}

const insertStatement: Statement = {
  name: 'recovery_insert',
  text: `
    insert into recovery (id, account_id, endpoint_id, what, since, until, event_types,
                          include_before, rate_per_second, idempotency_key, fingerprint, status,
                          position, credited_at, next_step_at, created_at, updated_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'running',
            $12, $13::timestamptz - interval '1 second', $13, $13, $13)`,
};

/**
 * Starts a recovery of an active endpoint; workers run it.
 * @throws DomainError not_found, validation_failed, endpoint_inactive
 * @throws DomainError state_conflict (`recovery_key_conflict`, `recovery_active`,
 *   `recovery_limit_reached`)
 */
export async function startRecovery(
  tx: Tx,
  account: string,
  input: RecoveryInput,
): Promise<RecoveryView> {
  const { endpointId, what, idempotencyKey } = input;
  const issues = textIssues('idempotencyKey', idempotencyKey, { min: 1, max: 255 });
  if (issues.length > 0) throw validationFailed(issues);
  await tx.sql(lockStatement, [account]);
  const endpoint = await recoveryEndpoint(tx, account, endpointId);
  const print = fingerprint('RECOVER', endpointId, { ...input, endpointId });
  const values = [account, idempotencyKey, endpointId];
  const earlier = await singleRow<Earlier>(tx, earlierStatement, values);
  if (earlier.id !== null) {
    if (earlier.fingerprint?.equals(print)) return getRecovery(tx, account, earlier.id);
    throw refused('recovery_key_conflict', 'This key was used for another recovery.');
  }
  const checked = checkRange(input, endpoint.eventTypes, tx.now);
  assertActive(endpoint);
  if (earlier.endpointBusy)
    throw refused('recovery_active', 'A recovery of this endpoint is running or paused.');
  if (earlier.active >= maxActive)
    throw refused('recovery_limit_reached', `At most ${maxActive} recoveries can be active.`);
  const { since, until, eventTypes, includeBefore, ratePerSecond } = checked;
  const id = makeId('rcv', tx.now);
  await tx.sql(insertStatement, [
    id,
    account,
    endpointId,
    what,
    since,
    until,
    eventTypes,
    includeBefore,
    ratePerSecond,
    idempotencyKey,
    print,
    smallestId('evt', since),
    tx.now,
  ]);
  const changes = [
    { field: 'since', to: since.toISOString() },
    { field: 'until', to: until.toISOString() },
  ];
  recordChange(tx, { action: 'recovery_started', account, resource: id, changes });
  return getRecovery(tx, account, id);
}

/** Makes the error for a recovery that the state forbids. */
export function refused(code: InternalIssueCode, detail: string): DomainError {
  return new DomainError('state_conflict', detail, [{ code, detail }]);
}
