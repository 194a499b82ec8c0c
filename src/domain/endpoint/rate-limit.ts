import { recordChange } from '../audit/record-change.js';
import { validationFailed } from '../errors.js';
import { singleRow } from '../rows.js';
import type { Tx } from '../tx.js';
import { lockEndpoint, setUpdatedAt } from './change-endpoint.js';
import type { EndpointView } from './endpoint.entity.js';
import { endpointColumns } from './endpoints.js';

/** Requests a second that one send time each can still be kept apart. */
const maxRate = 1_000;

const setStatement = {
  name: 'endpoint-set-rate-limit',
  text: `update endpoint set ${setUpdatedAt}, max_per_second = $3,
           resumed_at = case when max_per_second is not null and $3::smallint is null
                             then $2 else resumed_at end
         where id = $1 returning ${endpointColumns}`,
};

/** Kept when the limit is removed: times that workers have reserved may lie ahead. */
const startStatement = {
  name: 'endpoint-rate-start',
  text: `insert into endpoint_rate (endpoint_id, next_at) values ($1, now()) on conflict do nothing`,
};

/**
 * Sets the rate limit of an endpoint: how many requests a second it gets at most, evenly spaced.
 * Deliveries that workers have claimed already may still be sent by the limit before.
 * @param maxPerSecond 1 to 1,000; null removes the limit
 * @throws DomainError not_found, validation_failed
 */
export async function setEndpointRateLimit(
  tx: Tx,
  account: string,
  id: string,
  maxPerSecond: number | null,
): Promise<EndpointView> {
  assertRate(maxPerSecond);
  const before = await lockEndpoint(tx, account, id);
  if (before.maxPerSecond === maxPerSecond) return before;
  if (maxPerSecond !== null) await tx.sql(startStatement, [id]);
  const [from, to] = [before.maxPerSecond, maxPerSecond].map((rate) => rate?.toString() ?? null);
  const changes = [{ field: 'max_per_second', from: from ?? null, to: to ?? null }];
  recordChange(tx, { action: 'rate_limit_changed', account, resource: id, changes });
  return singleRow<EndpointView>(tx, setStatement, [id, tx.now, maxPerSecond]);
}

function assertRate(rate: number | null): void {
  if (rate === null || (Number.isInteger(rate) && rate >= 1 && rate <= maxRate)) return;
  const detail = `Must be an integer from 1 to ${maxRate}, or null.`;
  throw validationFailed([{ code: 'out_of_range', detail, param: 'maxPerSecond' }]);
}
