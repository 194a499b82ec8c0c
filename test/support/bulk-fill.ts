import { smallestId, type IdPrefix, makeId } from '../../src/domain/id.js';
import type { TestDatabase } from './database.js';
import { eventType } from './engine.js';

/** The number of rows of each kind that {@link bulkFill} inserts. */
export const bulk = {
  /** A tenth is inactive, and another tenth was deleted long ago. */
  endpoints: 20_000,
  /** Endpoints with pending deliveries; each has all kinds of them. */
  busyEndpoints: 200,
  readyEach: 100,
  waitingEach: 100,
  /** Due, but not yet promoted to ready. */
  dueEach: 10,
  /** Expired leases, each with one pending delivery of every busy endpoint. */
  leases: 10,
  events: 30_000,
  deliveries: 60_000,
  /**
   * Idempotency records, publish keys, checkouts, credentials and notices. Half of each is expired; one
   * checkout in forty is expired but not yet marked so. Also offers, and keys that wait for a replay.
   */
  others: 20_000,
} as const;

/**
 * Fills a database as a restored backup or a burst does: at once, without planner statistics.
 * Call {@link disableAutovacuum} first.
 * @param account the owner of all rows
 */
export async function bulkFill(test: TestDatabase, account: string): Promise<void> {
  const at = new Date();
  const id = (prefix: IdPrefix, number: string, from = at) =>
    `'${smallestId(prefix, from)}' || lpad((${number})::text, 16, '0')`;
  const endpoint = (number: string) => id('whs', `(${number}) * 20`);
  const series = (count: number) => `generate_series(0, ${count - 1}) i`;
  const lastWeek = new Date(at.getTime() - 7 * 86_400_000);
  /** Ids of this week and of last week. */
  const lasting = (prefix: IdPrefix, number: string) =>
    `case when (${number}) % 2 = 0 then ${id(prefix, number)} else ${id(prefix, number, lastWeek)} end`;
  const eventId = (number: string) => lasting('evt', number);

  await test.query(
    `insert into endpoint (id, account_id, url, active, notification_email, event_types,
                           created_at, updated_at, deleted_at)
     select ${id('whs', 'i')}, $1, 'https://shop.example/hook', i % 10 <> 1,
            'ops@shop.example', $2, now(), now(),
            case when i % 10 = 3 then now() - interval '61 days' end from ${series(bulk.endpoints)}`,
    [account, [eventType]],
  );
  await test.query(
    `insert into endpoint_secret (id, endpoint_id, key_id, sealed, created_at)
     select ${id('sec', 'i')}, ${id('whs', 'i')}, 'k1', '', now() from ${series(bulk.endpoints)}
      where i % 10 <> 3`,
  );
  await test.query(
    `insert into event (id, account_id, type, version, subject, test, body, occurred_at, created_at)
     select ${eventId('i')}, $1, $2, 'v1', 'order:ord_1', false,
            convert_to('{"filler":"' || repeat('x', 500) || '"}', 'UTF8'), now(), now()
       from ${series(bulk.events)}`,
    [account, eventType],
  );
  await test.query(
    `insert into delivery (id, account_id, endpoint_id, pending_delivery_id, event_id, event_type,
                           event_version, attempt, max_attempts, status, test, created_at)
     select ${lasting('whd', 'i')}, $1, ${endpoint(`i % ${bulk.busyEndpoints}`)}, ${id('pdl', 'i')},
            ${eventId(`i % ${bulk.events}`)}, $2, 'v1', 1, 10,
            case when i % 3 = 0 then 'failed' else 'success' end, false, now()
       from ${series(bulk.deliveries)}`,
    [account, eventType],
  );
  /** Pending deliveries of every busy endpoint; `columns` are lane, ready, due, token, reason. */
  let first = 0;
  const pendingDeliveries = async (each: number, columns: string) => {
    const count = each * bulk.busyEndpoints;
    await test.query(
      `insert into pending_delivery (id, account_id, endpoint_id, event_id, event_type, attempt, max_attempts,
                          test, last_delivery_id, created_at,
                          lane, ready, due_at, lease_token, dead_letter_reason)
       select ${id('pdl', `${first} + i`)}, $1, ${endpoint(`i % ${bulk.busyEndpoints}`)},
              ${eventId(`(${first} + i) % ${bulk.events}`)}, $2, 2, 10, false,
              ${lasting('whd', `(${first} + i) % ${bulk.deliveries}`)}, now(), ${columns}
         from ${series(count)}`,
      [account, eventType],
    );
    first += count;
  };
  const past = `now() - (i % 977) * interval '1 second' - interval '1 minute'`;
  await pendingDeliveries(bulk.readyEach, `'live', true, ${past}, null, null`);
  await pendingDeliveries(2, `'replay', true, ${past}, null, null`);
  await pendingDeliveries(2, `'isolated', true, ${past}, null, null`);
  await pendingDeliveries(bulk.waitingEach, `'live', false, now() + interval '1 day', null, null`);
  await pendingDeliveries(bulk.dueEach, `'live', false, ${past}, null, null`);
  await pendingDeliveries(1, `'live', false, ${past}, null, 'a test dead-lettered it'`);
  await pendingDeliveries(
    bulk.leases,
    `'live', true, ${past}, 1 + i / ${bulk.busyEndpoints}, null`,
  );
  await test.query(
    `insert into lease (token, until, pending_delivery_ids)
     select lease_token, now() - interval '1 second', array_agg(id) from pending_delivery
      where lease_token is not null and lease_token <= ${bulk.leases} group by lease_token`,
  );
  await fillOthers(test, account, series(bulk.others), id);
}

/** Rows that are looked up by key, and purged. */
async function fillOthers(
  test: TestDatabase,
  account: string,
  series: string,
  id: (prefix: IdPrefix, number: string) => string,
): Promise<void> {
  const over = `now() + (i % 2 - 0.5) * interval '100 days'`;
  await test.query(
    `insert into idempotency_record (account_id, key, fingerprint, status, body, expires_at, created_at)
     select $1, 'bulk' || i, '', 200, repeat('x', 300), ${over}, now() from ${series}`,
    [account],
  );
  await test.query(
    `insert into idempotency_record (account_id, key, fingerprint, pending_delivery_id, created_at)
     select $1, 'pending' || i, '', ${id('pdl', 'i')}, now() from ${series}`,
    [account],
  );
  // An account without endpoints, because an event is compared with all endpoints of its account.
  const shop = makeId('acc', new Date());
  await test.query(`insert into account (id, name, created_at) values ($1, 'Shop', now())`, [shop]);
  const sums = `currency, subtotal_minor_units, discount_minor_units, shipping_minor_units,
                tax_minor_units, total_minor_units`;
  await test.query(
    `insert into offer (id, account_id, position, recipient_email, title, metadata, line_items,
                        send_count, sent_at, expires_at, created_at, updated_at, ${sums})
     select ${id('off', 'i')}, $1, i + 1, 'ada@example.com', 'Bulk', '{}', '[]', 1, now(),
            now() + interval '1 day', now(), now(), 'EUR', 0, 0, 0, 0, 0 from ${series}`,
    [shop],
  );
  await test.query(
    `insert into checkout (id, account_id, success_url, cancel_url, external_reference, offer_id,
                           buyer_email_locked, metadata, line_items, created_at, expires_at,
                           expired_at, ${sums})
     select ${id('chk', 'i')}, $1, 'https://shop.example/paid', 'https://shop.example', 'bulk' || i,
            case when i % 3 = 0 then ${id('off', 'i')} end, false, '{}', '[]',
            now() - interval '60 days', ${over},
            case when i % 2 = 0 and i % 40 > 0 then now() end, 'EUR', 0, 0, 0, 0, 0 from ${series}`,
    [shop],
  );
  await test.query(
    `insert into publish_key (account_id, key, fingerprint, event_id, expires_at)
     select $1, 'bulk' || i, '', 'evt_1', ${over} from ${series}`,
    [account],
  );
  await test.query(
    `insert into member (id, account_id, email, role, is_person, created_at)
     select ${id('mem', 'i')}, $1, 'bulk' || i || '@acc-1.invalid', 'owner', false, now() from ${series}`,
    [account],
  );
  await test.query(
    `insert into credential (id, account_id, member_id, kind, level, token_sha256, last4,
                             created_at, expires_at)
     select ${id('crd', 'i')}, $1, ${id('mem', 'i')}, 'dashboard', 'full',
            sha256(convert_to('bulk' || i, 'UTF8')), 'bulk', now(), ${over} from ${series}`,
    [account],
  );
  await test.query(
    `insert into audit_entry (id, account_id, action, actor_kind, changes, created_at)
     select ${id('aud', 'i')}, $1, 'offer_sent', 'api_key', '[]', now() from ${series}`,
    [account],
  );
  await test.query(
    `insert into notice (id, account_id, kind, resource_id, recipient, data, message_id, created_at,
                         due_at, sent_at)
     select ${id('ntc', 'i')}, $1, 'offer_sent', 'off_1', 'ada@example.com', '{}',
            '<bulk' || i || '@example.com>', now(), now() - interval '1 minute',
            case when i % 2 = 0 then now() - interval '50 days' end from ${series}`,
    [account],
  );
}
