import type { Statement, Tx } from '../tx.js';
import type { HealthChange } from './rules/attempt-result.js';

const disableStatement: Statement = {
  name: 'endpoint_disable',
  text: `
    update endpoint e
       set active = false, disabled_reason = i.reason,
           updated_at = greatest($3::timestamptz(3), e.updated_at + interval '1 millisecond')
      from unnest($1::text[], $2::text[]) i (id, reason)
     where e.id = any ($1::text[]) and e.id = i.id`,
};

/**
 * Disables endpoints whose rows the transaction has locked. The caller cancels their open pending
 * deliveries and tells their owners.
 */
export async function disableEndpoints(tx: Tx, changes: readonly HealthChange[]): Promise<void> {
  await tx.sql(disableStatement, [
    changes.map(({ endpointId }) => endpointId),
    changes.map(({ disable }) => disable),
    tx.now,
  ]);
}
