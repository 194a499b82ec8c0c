import { smallestId } from '../src/domain/id.js';
import type { Service } from '../test/support/service.js';
import { eventType } from './fixtures.js';

/** Inserts `count` deliveries of an endpoint, one in five failed, all a minute old. */
export async function insertDeliveries(
  service: Service,
  account: string,
  endpoint: string,
  count: number,
): Promise<void> {
  const at = new Date(Date.now() - 60_000);
  const id = (prefix: 'whd' | 'pdl' | 'evt') =>
    `'${smallestId(prefix, at)}' || lpad(i::text, 16, '0')`;
  await service.database.query(
    `insert into delivery (id, pending_delivery_id, account_id, endpoint_id, event_id, event_type,
                           event_version, attempt, max_attempts, status, test, response_status,
                           failure_reason, duration_ms, created_at, delivered_at)
     select ${id('whd')}, ${id('pdl')}, $1, $2, ${id('evt')}, $3, 'v1', 1 + i % 8, 8,
            case when i % 5 = 0 then 'failed' else 'success' end, false,
            case when i % 5 = 0 then 503 else 200 end,
            case when i % 5 = 0 then 'http_status' end, 20 + i % 300, $4::timestamptz,
            case when i % 5 <> 0 then $4::timestamptz end
       from generate_series(1, $5::int) i`,
    [account, endpoint, eventType, at, count],
  );
}
