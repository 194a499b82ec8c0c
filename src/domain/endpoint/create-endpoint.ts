import { DomainError, validationFailed } from '../errors.js';
import { holdAccountAndEntries } from '../event/event-types.js';
import { checkSubscription } from '../event/subscription-rule.js';
import { makeId } from '../id.js';
import type { Tx } from '../tx.js';
import type { EndpointWithSecret } from './change-endpoint.js';
import { type EndpointInput, fieldFaults } from './endpoint-input.js';
import { shownColumns, type ShownEndpoint } from './endpoints.js';
import { addSecret } from './secrets.js';

const insert = {
  name: 'endpoint-insert',
  // Above the limit it inserts nothing. The account is locked, so nobody else counts meanwhile.
  text: `insert into endpoint (id, account_id, url, active, description, notification_email,
           event_types, created_at, updated_at)
         select $1, $2, $3, $4, $5, $6, $7, $8, $8
          where (select count(*) from (select from endpoint where account_id = $2
                    and deleted_at is null order by id desc limit $9) e) < $9
         returning ${shownColumns}`,
};

/**
 * Registers an endpoint and shows its signing secret (H1–H9).
 * @throws DomainError validation_failed with every refusal; endpoint_limit_reached
 */
export async function createEndpoint(
  tx: Tx,
  account: string,
  input: EndpointInput,
): Promise<EndpointWithSecret> {
  const faults = fieldFaults(input, ['active', 'description'], tx.rules.privateTargets);
  const wanted = [...new Set(input.eventTypes)];
  const entries = await holdAccountAndEntries(tx, account, wanted);
  const { types, errors } = checkSubscription([], input.eventTypes, entries);
  const refusals = [...faults, ...errors];
  if (refusals.length > 0) throw validationFailed(refusals);
  const { endpointsPerAccount } = tx.rules;
  const id = makeId('whs', tx.now);
  const { url, active, description, notificationEmail } = input;
  const [endpoint] = await tx.sql<ShownEndpoint>(insert, [
    ...[id, account, url, active ?? true, description ?? null, notificationEmail, types, tx.now],
    endpointsPerAccount,
  ]);
  if (!endpoint) throw limitReached(endpointsPerAccount);
  return { endpoint, signingSecret: await addSecret(tx, id, tx.now) };
}

function limitReached(limit: number): DomainError {
  const most = limit.toLocaleString('en');
  const detail = `The account has ${most} endpoints, the most it may have. Delete one first.`;
  return new DomainError('endpoint_limit_reached', detail);
}
