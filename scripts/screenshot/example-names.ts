import { makeId } from '../../src/domain/id.js';
import type { Service } from '../../test/support/service.js';
import type { Tenant } from '../../test/support/tenants.js';

const minuteMs = 60_000;

/**
 * Gives the attempts that a worker made example names and times before now. They are some minutes
 * apart, but for the newest, `shown`: it becomes the third attempt of its event.
 */
export async function moveAttempts(
  { database, url }: Service,
  shown: string,
  urls: Readonly<Record<string, string>>,
): Promise<void> {
  await database.query(
    `update delivery_evidence
        set address = '203.0.113.24', lookup_ms = 2, connect_ms = 14, tls_ms = 23,
            first_byte_ms = 161, total_ms = 204`,
  );

  await database.query('update delivery set duration_ms = 204 where status = $1', ['failed']);

  for (const [endpoint, example] of Object.entries(urls)) {
    await database.query(
      `update delivery_evidence set url = $2
        where delivery_id in (select id from delivery where endpoint_id = $1)`,
      [endpoint, example],
    );
  }

  await database.query(
    `update event set body = convert_to(replace(replace(convert_from(body, 'UTF8'), $1, $2),
                                                to_char(occurred_at at time zone 'UTC', $3),
                                                to_char((occurred_at - $4::interval) at time zone 'UTC', $3)),
                                        'UTF8')`,
    [url, 'https://signalpost.example.com', 'YYYY-MM-DD"T"HH24:MI:SS', '9 minutes'],
  );

  const attempts = await database.query<{ id: string }>(
    'select id from delivery where id <> $1 order by id desc',
    [shown],
  );
  for (const [place, { id }] of attempts.entries()) {
    const at = new Date(Date.now() - (place + 1) * 1.37 * minuteMs);
    await moveAttempt(database, id, makeId('whd', at), at);
  }

  await addEarlierAttempts(database, shown);
}

type Database = Service['database'];

async function moveAttempt(database: Database, from: string, to: string, at: Date): Promise<void> {
  await database.query(
    `update delivery set id = $2, created_at = $3, duration_ms = coalesce(duration_ms, 0) + 31,
            delivered_at = case when delivered_at is not null then $3::timestamptz end
      where id = $1`,
    [from, to, at],
  );

  const values = [from, to];
  await database.query(
    'update delivery_evidence set delivery_id = $2 where delivery_id = $1',
    values,
  );

  await database.query(
    'update pending_delivery set last_delivery_id = $2 where last_delivery_id = $1',
    values,
  );
}

async function addEarlierAttempts(database: Database, shown: string): Promise<void> {
  for (const [place, minutes] of [8.4, 6.2].entries()) {
    const at = new Date(Date.now() - minutes * minuteMs);
    await database.query(
      `insert into delivery
       select (jsonb_populate_record(d, jsonb_build_object('id', $2::text, 'created_at',
                                                           $3::timestamptz, 'attempt', $4::int))).*
         from delivery d where d.id = $1`,
      [shown, makeId('whd', at), at, place + 1],
    );
  }

  await database.query('update delivery set attempt = 3 where id = $1', [shown]);

  await database.query(
    `update delivery_evidence set request_headers = regexp_replace(request_headers::text,
            '("x-service-attempt", *)"1"', '\\1"3"', 'i')::json where delivery_id = $1`,
    [shown],
  );

  await database.query('update pending_delivery set attempt = 4 where last_delivery_id = $1', [
    shown,
  ]);
}

/** Spreads the retries of an endpoint that fails over the next hour, and when they were made before now. */
export async function spreadRetries({ database }: Service, endpoint: string): Promise<void> {
  await database.query(
    `update pending_delivery p
        set due_at = now() + n.place * interval '4 minutes' + interval '5 minutes',
            created_at = now() - n.place * interval '13 minutes'
       from (select id, row_number() over (order by event_id desc) as place
               from pending_delivery where endpoint_id = $1) n
      where p.id = n.id`,
    [endpoint],
  );
}

/** Moves orders, with all that belongs to them, to times of the last day. */
export async function moveSales({ database }: Service, { account }: Tenant): Promise<void> {
  const moved = (table: string, times: readonly string[], order: string) =>
    database.query(
      `update ${table} s
          set ${times.map((time) => `${time} = s.${time} - n.place * interval '97 minutes' - interval '11 minutes'`).join(', ')}
         from (select id, checkout_id, row_number() over (order by position desc) - 1 as place
                 from "order" where account_id = $1) n
        where ${order}`,
      [account],
    );

  await moved('payment', ['created_at', 'cash_flow_at'], 's.order_id = n.id');
  await moved('invoice', ['created_at', 'issued_at'], 's.order_id = n.id');
  await moved('checkout', ['created_at', 'expires_at'], 's.id = n.checkout_id');
  await moved('"order"', ['created_at', 'completed_at'], 's.id = n.id');

  // They published events, which no worker delivers here: endpoints would have missed them.
  await database.query('delete from pending_delivery where ready');

  await database.query(
    `delete from event e where e.created_at > now() - interval '10 minutes'
        and not exists (select from delivery d where d.event_id = e.id)`,
  );
}
