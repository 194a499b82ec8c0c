import { DomainError } from '../errors.js';
import { rowById } from '../rows.js';
import type { Read, Statement } from '../tx.js';
import type { Subscriptions } from './recovered-types.js';

/** An endpoint that recovers, with PostgreSQL's time. */
export interface RecoveryEndpoint extends Subscriptions {
  readonly id: string;
  readonly active: boolean;
  readonly now: Date;
}

const findStatement: Statement = {
  name: 'recovery_endpoint',
  text: `
    select id, active, event_types as "eventTypes", subscribed_since as "subscribedSince",
           created_at as "createdAt", now() as now
      from endpoint where id = $1 and account_id = $2 and deleted_at is null`,
};

/**
 * Returns an endpoint of the account.
 * @throws DomainError not_found
 */
export function recoveryEndpoint(
  read: Pick<Read, 'sql'>,
  account: string,
  id: string,
): Promise<RecoveryEndpoint> {
  return rowById<RecoveryEndpoint>(read, 'whs', findStatement, [id, account]);
}

/** @throws DomainError endpoint_inactive */
export function assertActive({ active }: Pick<RecoveryEndpoint, 'active'>): void {
  if (active) return;
  const detail = 'The endpoint is not active. Activate it before recovering.';
  throw new DomainError('endpoint_inactive', detail);
}
