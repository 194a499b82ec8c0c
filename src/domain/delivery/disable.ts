import type { DisabledReason } from '../disabled-reason.js';
import { enqueueNotices } from '../notice/enqueue-notices.js';
import type { Statement, Tx } from '../tx.js';
import type { HealthChange } from './rules/attempt-result.js';

const disableStatement: Statement = {
  name: 'endpoint_disable',
  text: `
    update endpoint e
       set active = false, disabled_reason = i.reason,
           updated_at = greatest($3::timestamptz(3), e.updated_at + interval '1 millisecond')
      from unnest($1::text[], $2::text[]) i (id, reason)
     where e.id = any ($1::text[]) and e.id = i.id
    returning e.id, e.account_id as "accountId", e.url,
              e.notification_email as recipient, e.disabled_reason as reason`,
};

interface Disabled {
  readonly id: string;
  readonly accountId: string;
  readonly url: string;
  readonly recipient: string;
  readonly reason: DisabledReason;
}

/**
 * Disables endpoints whose rows the transaction has locked, and enqueues one notice for each. The
 * caller cancels their open pending deliveries.
 */
export async function disableEndpoints(tx: Tx, changes: readonly HealthChange[]): Promise<void> {
  const disabled = await tx.sql<Disabled>(disableStatement, [
    changes.map(({ endpointId }) => endpointId),
    changes.map(({ disable }) => disable),
    tx.now,
  ]);
  const lastStatus = new Map(changes.map((change) => [change.endpointId, change.lastStatus]));
  await enqueueNotices(
    tx,
    disabled.map(({ id, accountId, recipient, url, reason }) => ({
      kind: 'endpoint_disabled' as const,
      resourceId: id,
      accountId,
      recipient,
      data: {
        ...{ url, reason },
        disabledAt: tx.now.toISOString(),
        lastStatus: lastStatus.get(id) ?? null,
      },
    })),
  );
}
