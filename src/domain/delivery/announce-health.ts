import { preparationAt, type PreparedEvent, prepareEvent } from '../event/prepare-event.js';
import { storeInTransaction } from '../event/publish.js';
import { enqueueNotices } from '../notice/enqueue-notices.js';
import type { Statement, Tx } from '../tx.js';
import type { HealthChange } from './rules/attempt-result.js';
import {
  type ChangedEndpoint,
  healthEventTypes,
  type HealthMessage,
  healthMessages,
} from './rules/health-message.js';

const changedStatement: Statement = {
  name: 'endpoint_health_changed',
  text: `
    select e.id, e.account_id as "accountId", e.url, e.notification_email as recipient,
           e.event_types as "eventTypes", e.active, e.disabled_reason as "disabledReason"
      from endpoint e where e.id = any ($1::text[]) order by e.id`,
};

/**
 * Tells owners that endpoints fail, recovered or were disabled: by notices, and by events to their
 * account and to that of `OPERATOR_ACCOUNT`. An endpoint that subscribes to such events causes none,
 * so they cannot cause each other. Runs no statement when there is nothing to tell.
 */
export async function announceHealth(tx: Tx, changes: readonly HealthChange[]): Promise<void> {
  const announced = new Map(
    changes
      .filter(({ disable, warn, recovered }) => disable ?? (warn || recovered))
      .map((change) => [change.endpointId, change]),
  );
  if (announced.size === 0) return;
  const endpoints = await tx.sql<ChangedEndpoint>(changedStatement, [[...announced.keys()]]);
  const messages = endpoints.flatMap((endpoint) => {
    const change = announced.get(endpoint.id);
    const own = change ? healthMessages(change, endpoint, tx.now, tx.rules.retry) : [];
    return own.map((message) => ({ ...message, endpoint }));
  });
  await enqueueNotices(
    tx,
    messages.map(({ notice, endpoint: { accountId } }) => ({ ...notice, accountId })),
  );
  const events = messages.flatMap(({ event, endpoint }) => eventsOf(tx, event, endpoint));
  if (events.length > 0) await storeInTransaction(tx, events, { unlisted: true });
}

/** The event in the account of the endpoint, and in the operator's. */
function eventsOf(
  { now, rules: { baseUrl, operatorAccount } }: Tx,
  { type, data }: HealthMessage['event'],
  { id, accountId, eventTypes }: ChangedEndpoint,
): PreparedEvent[] {
  if (healthEventTypes.some((each) => eventTypes.includes(each))) return [];
  const accounts = new Set([
    accountId,
    ...(operatorAccount === undefined ? [] : [operatorAccount]),
  ]);
  return [...accounts].map((account) =>
    prepareEvent(preparationAt(now, baseUrl), account, { type, subject: `endpoint:${id}`, data }),
  );
}
