import { recordChange } from '../audit/audit-log.js';
import { DomainError, notFound } from '../errors.js';
import { rowById } from '../transaction/rows.js';
import type { Read, Statement, Tx } from '../transaction/tx.js';
import { interruptionsBeforeIsolation } from './promote.js';
import { lockReplays } from './replay.js';

/** A pending delivery that no worker claims until an operator releases it. */
export interface DeadLetter {
  readonly id: string;
  readonly accountId: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly eventType: string;
  /** Number of the attempt that has no result. */
  readonly attempt: number;
  readonly replayedFrom: string | null;
  readonly reason: string;
  /** When it was dead-lettered. */
  readonly since: Date;
}

const columns = `c.id, c.account_id as "accountId", c.endpoint_id as "endpointId",
           c.event_id as "eventId", c.event_type as "eventType", c.attempt,
           c.replayed_from as "replayedFrom", c.dead_letter_reason as reason, c.due_at as since`;

/** The list has at most this many dead letters. Once some are released, it shows further ones. */
const listLimit = 100;

const listStatement: Statement = {
  name: 'dead_letter_list',
  text: `
    select ${columns}
      from pending_delivery c
     where c.dead_letter_reason is not null and c.id > $1 order by c.id limit ${listLimit}`,
};

/**
 * Lists the dead letters of all accounts, oldest first, at most 100.
 * @param after the id after which the list begins
 */
export function listDeadLetters(read: Read, after = ''): Promise<DeadLetter[]> {
  return read.sql<DeadLetter>(listStatement, [after]);
}

const getStatement: Statement = {
  name: 'dead_letter_get',
  text: `
    select ${columns} from pending_delivery c where c.id = $1 and c.dead_letter_reason is not null`,
};

/**
 * Returns one dead letter of any account.
 * @throws DomainError not_found when it is not a dead letter
 */
export function getDeadLetter(read: Read, id: string): Promise<DeadLetter> {
  return rowById<DeadLetter>(read, 'pdl', getStatement, [id]);
}

const lockStatement: Statement = {
  name: 'dead_letter_lock',
  text: `select ${lockReplays('c')} from pending_delivery c where c.id = $1 and c.replayed_from is not null`,
};

const findStatement: Statement = {
  name: 'dead_letter_find',
  text: `
    select ${columns},
           (select true from event v where v.id >= c.event_id and v.id <= c.event_id
             order by v.id limit 1) is not null as sendable,
           c.replayed_from is not null and c.attempt = 1 and exists (
             select from pending_delivery o
              where o.endpoint_id = c.endpoint_id and o.event_id = c.event_id
                and o.replayed_from is not null and o.attempt = 1
                and o.dead_letter_reason is null) as "replayedBeside"
      from pending_delivery c where c.id = $1 and c.dead_letter_reason is not null for update of c`,
};

interface ReleasableDeadLetter extends DeadLetter {
  /** Whether the event is not past retention. */
  readonly sendable: boolean;
  /** Whether another replay of the same event to the same endpoint runs. */
  readonly replayedBeside: boolean;
}

const releaseStatement: Statement = {
  name: 'dead_letter_release',
  text: `
    update pending_delivery
       set dead_letter_reason = null, ready = true, due_at = now(), interruptions = $2
     where id = $1`,
};

/**
 * Makes a dead letter claimable again, after an operator has fixed the cause. It runs isolated
 * until an attempt of it is recorded, if it was isolated before.
 * @returns the dead letter as it was before the release
 * @throws DomainError not_found when it is not a dead letter
 * @throws DomainError delivery_not_replayable (`payload_expired`) when the event is past retention
 * @throws DomainError delivery_in_progress while another replay of its event to its endpoint runs
 */
export async function releaseDeadLetter(tx: Tx, pendingDeliveryId: string): Promise<DeadLetter> {
  await tx.sql(lockStatement, [pendingDeliveryId]);

  const [deadLetter] = await tx.sql<ReleasableDeadLetter>(findStatement, [pendingDeliveryId]);
  if (!deadLetter) throw notFound('dead letter');

  const { sendable, replayedBeside, ...deadLettered } = deadLetter;
  if (!sendable) {
    const detail = 'The event is past retention.';
    throw new DomainError('delivery_not_replayable', detail, [{ code: 'payload_expired', detail }]);
  }

  if (replayedBeside) {
    const detail = 'Another replay of this event to this endpoint is running. Retry later.';
    throw new DomainError('delivery_in_progress', detail, undefined, 15);
  }

  await tx.sql(releaseStatement, [pendingDeliveryId, interruptionsBeforeIsolation]);

  const { accountId: account, id: resource } = deadLettered;
  recordChange(tx, { action: 'dead_letter_released', account, resource });

  return deadLettered;
}
