import { makeId } from '../id.js';
import type { Statement, Tx } from '../tx.js';
import type { DisabledReason } from './health.js';
import type { HealthChange } from './settlement.js';

const disableStatement: Statement = {
  name: 'endpoint_disable',
  text: `
    update endpoint e
       set active = false, disabled_reason = i.reason,
           updated_at = greatest($3::timestamptz(3), e.updated_at + interval '1 millisecond')
      from unnest($1::text[], $2::text[]) i (id, reason)
     where e.id = i.id
    returning e.id, e.account_id as "accountId", e.url, e.notification_email as recipient,
              e.disabled_reason as reason`,
};

const noticeStatement: Statement = {
  name: 'notice_insert',
  text: `
    insert into notice (id, account_id, endpoint_id, recipient, subject, body, message_id,
                        created_at, due_at)
    select i.id, i.account_id, i.endpoint_id, i.recipient, i.subject, i.body, i.message_id, $8, $8
      from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
           i (id, account_id, endpoint_id, recipient, subject, body, message_id)`,
};

interface Disabled {
  readonly id: string;
  readonly accountId: string;
  readonly url: string;
  readonly recipient: string;
  readonly reason: DisabledReason;
}

const explanations: Readonly<Record<DisabledReason, string>> = {
  consecutive_failures: 'every attempt to deliver to it has failed for too long',
  receiver_gone: 'it answered 410 Gone',
};

/**
 * Disables endpoints whose rows the transaction holds, and owes one notice for each (H72, H73).
 * Their open chains are the caller's to cancel.
 */
export async function disableEndpoints(tx: Tx, changes: readonly HealthChange[]): Promise<void> {
  const disabled = await tx.sql<Disabled>(disableStatement, [
    changes.map(({ endpointId }) => endpointId),
    changes.map(({ disable }) => disable),
    tx.now,
  ]);
  const lastStatus = new Map(changes.map((change) => [change.endpointId, change.lastStatus]));
  const notices = disabled.map((endpoint) => ({
    id: makeId('ntc', tx.now),
    endpoint,
    body: noticeBody(endpoint, lastStatus.get(endpoint.id) ?? null, tx.now),
  }));
  const host = new URL(tx.rules.baseUrl).hostname;
  await tx.sql(noticeStatement, [
    notices.map(({ id }) => id),
    notices.map(({ endpoint }) => endpoint.accountId),
    notices.map(({ endpoint }) => endpoint.id),
    notices.map(({ endpoint }) => endpoint.recipient),
    notices.map(({ endpoint }) => `Webhook endpoint disabled: ${endpoint.url}`),
    notices.map(({ body }) => body),
    notices.map(({ id }) => `<${id}@${host}>`),
    tx.now,
  ]);
}

function noticeBody({ id, url, reason }: Disabled, lastStatus: number | null, at: Date): string {
  return [
    `Your webhook endpoint was disabled because ${explanations[reason]}.`,
    '',
    `Endpoint: ${id}`,
    `URL: ${url}`,
    `Reason: ${reason}`,
    `Time: ${at.toISOString()}`,
    `Last response status: ${lastStatus ?? 'none'}`,
    '',
    'Scheduled attempts were cancelled and their deliveries are marked abandoned.',
    `To enable it again, set "active" to true: PATCH /v1/webhooks/endpoints/${id}`,
    'Abandoned deliveries can be replayed afterwards.',
    '',
  ].join('\n');
}
