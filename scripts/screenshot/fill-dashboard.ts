import { answer } from '../../test/support/behaviours.js';
import { eventually } from '../../test/support/eventually.js';
import { startReceiver } from '../../test/support/receiver.js';
import type { Service } from '../../test/support/service.js';
import type { Tenant } from '../../test/support/tenants.js';
import { insertLoss, insertPastRecoveries, outage } from './loss.js';
import { foldStatistics } from '../../src/domain/delivery/statistics.js';
import { makeId } from '../../src/domain/values/id.js';
import { Random } from '../../tools/seed/random.js';
import { createHash, randomBytes } from 'node:crypto';
import { createMember } from '../../src/domain/account/accounts.js';

const hourMs = 3_600_000;
const booksUrl = 'https://books.example.com/in';
const ordersUrl = 'https://hooks.example.com/in';
const booksFailMs = 3 * hourMs;

/** A receiver that says why it refuses an event. */
const closedPeriod = answer(
  503,
  { 'Content-Type': 'application/json', 'Retry-After': '120' },
  '{"error":{"code":"period_closed","message":"The books of October are closed.","retry":true}}',
);

/** The ids of what the pictures show. */
interface Shown {
  /** An endpoint that works. */
  readonly orders: string;
  /** An endpoint that fails. */
  readonly books: string;
  /** An endpoint that lost events in an outage. */
  readonly shop: string;
  /** An endpoint that takes all types. */
  readonly data: string;
  /** The newest attempt, which failed. */
  readonly attempt: string;
}

/**
 * Makes endpoints in each state and attempts of the last 24 hours. A worker makes some of them, so that
 * their evidence is real. Then all workers end: nothing that the pictures show changes any more.
 */
export async function fillDashboard(service: Service, tenant: Tenant): Promise<Shown> {
  const receiver = await startReceiver();
  receiver.choose(({ path }) => (path === '/books' ? closedPeriod : undefined));

  const endpoints = await createEndpoints(service, tenant, (path) => receiver.url(path));

  for (let round = 0; round < 4; round += 1) {
    for (const type of ['cart.checkout.created', 'offer.sent', 'cart.order.completed']) {
      await tenant.publish({ type });
    }
  }

  const attempts = 'select id from delivery';
  await eventually(async () => {
    const made = await service.database.query(attempts);
    if (made.length < 24) throw new Error(`only ${made.length} attempts yet`);
  }, 'attempts are recorded');

  await Promise.all(service.workers.map((worker) => worker.end()));
  await receiver.close();

  const { orders, books } = endpoints;
  const [newest] = await service.database.query<{ id: string }>(
    `${attempts} where endpoint_id = $1 and event_type = 'cart.order.completed'
      order by id desc limit 1`,
    [books],
  );
  if (!newest) throw new Error('no attempt has failed');

  await moveAttempts(service, newest.id, { [orders]: ordersUrl, [books]: booksUrl });
  await spreadRetries(service, books);
  await addPast(service, tenant, endpoints);

  return { ...endpoints, attempt: newest.id };
}

type Endpoints = Omit<Shown, 'attempt'>;

/** Creates endpoints, oldest first, of which `orders` and `books` lead to the receiver. */
async function createEndpoints(
  service: Service,
  tenant: Tenant,
  receiverUrl: (path: string) => string,
): Promise<Endpoints> {
  const eventTypes = ['cart.order.completed', 'cart.checkout.created', 'offer.sent'];
  const create = async (
    description: string,
    url: string,
    daysAgo: number,
    { active = true, types = eventTypes } = {},
  ) => {
    const { status, body } = await tenant.rest.post('/v1/webhooks/endpoints', {
      url,
      description,
      active,
      notification_email: 'ops@example.com',
      event_types: types,
    });
    if (status !== 201) throw new Error(`HTTP ${status}: ${JSON.stringify(body)}`);

    const { id } = (body as { data: { id: string } }).data;
    await service.database.query(
      `update endpoint set created_at = now() - $2 * interval '1 day',
              updated_at = now() - $2 * interval '11 hours' where id = $1`,
      [id, daysAgo],
    );

    return id;
  };

  await create('The shop before the move', 'https://old.example.com/hooks', 205.24, {
    active: false,
  });

  const gone = await create('Customers into the CRM', 'https://crm.example.com/in/9f31', 188.61);
  await service.database.query(
    `update endpoint set active = false, disabled_reason = 'receiver_gone' where id = $1`,
    [gone],
  );

  const books = await create('Invoices into accounting', receiverUrl('/books'), 151.13);
  const orders = await create('Orders into the warehouse', receiverUrl('/orders'), 149.37);

  // Only the two above get the events of the worker.
  const later = { active: false };
  const shopUrl = 'https://shop.example.com/webhooks';
  const dataUrl = 'https://data.example.com/all';
  const types = ['cart.order.completed'];
  const shop = await create('Stock of the shop', shopUrl, 90.82, { ...later, types });
  const data = await create('Everything into the data warehouse', dataUrl, 40.06, later);
  return { orders, books, shop, data };
}

/** Inserts the last 24 hours, with what failed in them. */
async function addPast(service: Service, tenant: Tenant, endpoints: Endpoints): Promise<void> {
  const { orders, books, shop, data } = endpoints;
  const { database } = service;
  await database.query('update endpoint set active = true where id = any ($1)', [[shop, data]]);

  await database.query(
    `update endpoint set updated_at = now() - interval '21 minutes' where id = $1`,
    [shop],
  );

  await database.query('update endpoint set url = $2 where id = $1', [orders, ordersUrl]);
  await database.query('update endpoint set url = $2 where id = $1', [books, booksUrl]);

  await insertPastDay(service, tenant.account, [
    { endpoint: orders, share: 0.5, latencyMs: 52, failing: () => 0.006 },
    {
      endpoint: data,
      share: 0.36,
      latencyMs: 118,
      failing: (ago) => (ago > 11 * hourMs && ago < 13 * hourMs ? 0.31 : 0.011),
    },
    {
      endpoint: books,
      share: 0.08,
      latencyMs: 190,
      failing: (ago) => (ago < booksFailMs ? 1 : 0.008),
    },
    {
      endpoint: shop,
      share: 0.06,
      latencyMs: 71,
      types: ['cart.order.completed'],
      failing: (ago) => (ago < outage.beganAgoMs ? 1 : 0),
      quietMs: outage.endedAgoMs,
    },
  ]);

  await insertLoss(service, tenant, shop);

  await insertPastRecoveries(
    service,
    tenant,
    { endpoint: orders, daysAgo: 19, failed: 1_204, status: 'completed' },
    { endpoint: data, daysAgo: 0.43, failed: 63, status: 'completed' },
  );

  await database.query(
    `update endpoint set failing_since = now() - interval '3 hours', failure_count = (
              select count(*) from delivery d
               where d.endpoint_id = $1 and d.status = 'failed'
                 and d.created_at > now() - interval '3 hours')
      where id = $1`,
    [books],
  );

  await countAgain(service);
}

const minuteMs = 60_000;
const eventTypes = ['cart.order.completed', 'cart.checkout.created', 'offer.sent'] as const;

/** How attempts at an endpoint went in the last 24 hours. */
interface Traffic {
  readonly endpoint: string;
  /** Its share of all attempts, 0 to 1. */
  readonly share: number;
  readonly types?: readonly string[];
  /** The middle of the response times. */
  readonly latencyMs: number;
  /** The share of attempts that failed, by their age. */
  readonly failing: (agoMs: number) => number;
  /** It had no attempts for so long. Defaults to 0. */
  readonly quietMs?: number;
}

/** Inserts attempts of the last 24 hours, some hundred an hour: more by day than by night. */
async function insertPastDay(
  service: Service,
  account: string,
  traffic: readonly Traffic[],
): Promise<void> {
  const random = new Random(24);
  const now = Date.now();
  const rows = [];
  for (let hour = 0; hour < 24; hour += 1) {
    for (const each of traffic) {
      const count = Math.round(attemptsOf(now - hour * hourMs, random) * each.share);
      for (let place = 0; place < count; place += 1) {
        // The newest is a few minutes old, behind the attempts that were really made.
        const ago = hour * hourMs + random.integer(2 * minuteMs, hourMs + 2 * minuteMs);
        if (ago < (each.quietMs ?? 0)) continue;
        rows.push(rowOf(new Date(now - ago), each, random.next() < each.failing(ago), random));
      }
    }
  }

  await service.database.query(
    `insert into delivery (id, pending_delivery_id, account_id, endpoint_id, event_id, event_type,
                           event_version, attempt, max_attempts, status, test, response_status,
                           failure_reason, duration_ms, created_at, delivered_at)
     select r.id, r.pending, $1, r.endpoint, r.event, r.type, 'v1', r.attempt, 10, r.status, false,
            r.response, r.reason, r.ms, r.at, case when r.reason is null then r.at end
       from jsonb_to_recordset($2) r (id text, pending text, endpoint text, event text, type text,
            attempt int, status text, response int, reason text, ms int, at timestamptz)`,
    [account, JSON.stringify(rows)],
  );
}

function attemptsOf(time: number, random: Random): number {
  const hourOfDay = (time / hourMs) % 24;
  const curve = 280 + 190 * Math.sin(((hourOfDay - 8) / 12) * Math.PI);
  return curve * (0.92 + 0.16 * random.next());
}

function rowOf(
  at: Date,
  { endpoint, latencyMs, types = eventTypes }: Traffic,
  failed: boolean,
  random: Random,
) {
  // The sum of several numbers is close to a normal distribution.
  const spread = [1, 2, 3, 4].reduce((sum) => sum + random.next() - 0.5, 0);
  return {
    id: makeId('whd', at),
    pending: makeId('pdl', at),
    event: makeId('evt', at),
    at,
    endpoint,
    type: random.pick(types),
    attempt: failed ? random.integer(1, 3) : random.boolean(0.04) ? 2 : 1,
    status: failed ? 'failed' : 'success',
    response: failed ? random.pick([500, 502, 503, 503]) : 200,
    reason: failed ? 'http_status' : null,
    ms: Math.round(latencyMs * Math.exp(0.9 * spread)),
  };
}

/** Counts all records again, as workers do every minute. */
async function countAgain(service: Service): Promise<void> {
  const { database } = service;
  await database.query('truncate delivery_statistics, delivery_statistics_delta');

  await database.query(
    `insert into delivery_statistics_delta (hour, success, failed, abandoned, retries, endpoint_id,
                                            durations_ms)
     select date_bin('1 hour', created_at, timestamptz '1970-01-01 00:00+00') as hour,
            count(*) filter (where status = 'success'), count(*) filter (where status = 'failed'),
            count(*) filter (where status = 'abandoned'), count(*) filter (where attempt > 1),
            endpoint_id, coalesce(array_agg(duration_ms) filter (where duration_ms is not null), '{}')
       from delivery group by hour, endpoint_id`,
  );

  const { transact } = await database.open();
  await transact((tx) => foldStatistics(tx, 10_000));
}

const dayMs = 24 * hourMs;
const firefox =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0';
const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36';

const people = [
  { name: 'ada', role: 'owner', daysAgo: 214.1 },
  { name: 'grace', role: 'admin', daysAgo: 180.3 },
  { name: 'alan', role: 'developer', daysAgo: 96.2 },
  { name: 'joan', role: 'viewer', daysAgo: 5.07 },
] as const;

/** The ids of the members, by their names. */
type People = Readonly<Record<(typeof people)[number]['name'], string>>;

/** Creates four members with different roles, and moves what the account has into the past. */
export async function createPeople(service: Service, { account }: Tenant): Promise<People> {
  const { database } = service;
  const { transact } = await database.open();
  const ids: Record<string, string> = {};

  for (const { name, role, daysAgo } of people) {
    const { id } = await transact((tx) =>
      createMember(tx, { account, email: `${name}@example.com`, role }),
    );
    await database.query(
      `update member set created_at = now() - $2 * interval '1 day' where id = $1`,
      [id, daysAgo],
    );

    ids[name] = id;
  }

  await database.query(
    `update account set created_at = now() - interval '214.2 days' where id = $1`,
    [account],
  );

  await database.query(
    `update credential set created_at = now() - interval '213.4 days',
            last_used_at = case when kind = 'live' then now() - interval '14 seconds' end
      where account_id = $1`,
    [account],
  );

  return ids as People;
}

/** Gives the session of the page an earlier beginning, and its member another session. */
export async function addSession({ database }: Service, { account }: Tenant, member: string) {
  await database.query(
    `update session set created_at = now() - interval '25 minutes' where member_id = $1`,
    [member],
  );

  const at = new Date(Date.now() - 4 * hourMs);
  await database.query(
    `insert into session (id, account_id, member_id, token_sha256, user_agent, created_at, last_used_at)
     values ($1, $2, $3, $4, $5, $6, now() - interval '52 minutes')`,
    [
      makeId('ses', at),
      account,
      member,
      createHash('sha256').update(randomBytes(32)).digest(),
      firefox,
      at,
    ],
  );
}

/** Replaces the audit log by one of the last days. */
export async function writeAuditLog(
  { database }: Service,
  { account }: Tenant,
  { ada, grace, alan, joan }: People,
  endpoints: {
    readonly orders: string;
    readonly books: string;
    readonly data: string;
    readonly shop: string;
  },
): Promise<void> {
  const by = (name: string, member: string, address: string, userAgent: string) => ({
    kind: 'session',
    member,
    address,
    userAgent,
    email: `${name}@example.com`,
  });

  const byAda = by('ada', ada, '198.51.100.23', chrome);
  const byGrace = by('grace', grace, '198.51.100.61', firefox);
  const byAlan = by('alan', alan, '203.0.113.140', chrome);
  const enabled = { field: 'active', from: 'false', to: 'true' };
  const entries = [
    {
      ago: 21 * minuteMs,
      action: 'endpoint_updated',
      resource: endpoints.shop,
      ...byAda,
      changes: [enabled],
    },
    { ago: 25 * minuteMs, action: 'session_opened', ...byAda },
    {
      ago: 3.2 * hourMs,
      action: 'test_event_sent',
      resource: endpoints.orders,
      ...byGrace,
      changes: [{ field: 'type', to: 'offer.sent' }],
    },
    {
      ago: 7.1 * hourMs,
      action: 'signing_secret_rotated',
      resource: endpoints.books,
      ...byAlan,
    },
    {
      ago: 22.4 * hourMs,
      action: 'endpoint_updated',
      resource: endpoints.data,
      kind: 'api_key',
      address: '198.51.100.40',
      changes: [{ field: 'event_types', to: 'offer.sent' }],
    },
    {
      ago: 5.07 * dayMs,
      action: 'member_created',
      resource: joan,
      ...byGrace,
      changes: [{ field: 'role', to: 'viewer' }],
    },
  ];

  const rows = entries.map(({ ago, ...entry }) => {
    const at = new Date(Date.now() - ago);
    return { id: makeId('aud', at), at, changes: [], ...entry };
  });

  // The trigger of the log lets only statements delete that say so.
  await database.query(
    `delete from audit_entry where set_config('signalpost.audit_deletes', 'on', true) = 'on'`,
  );

  await database.query(
    `insert into audit_entry (id, account_id, action, resource_id, actor_kind, credential_id, member_id,
                              member_email, address, user_agent, changes, created_at)
     select r.id, $1, r.action, r.resource, r.kind,
            case when r.kind = 'api_key'
                 then (select c.id from credential c where c.account_id = $1 and c.kind = 'live' limit 1) end,
            r.member, r.email, r.address, r."userAgent",
            r.changes, r.at
       from jsonb_to_recordset($2) r (id text, action text, resource text, kind text, member text,
            email text, address text, "userAgent" text, changes jsonb, at timestamptz)`,
    [account, JSON.stringify(rows)],
  );
}

/**
 * Gives the attempts that a worker made example names and times before now. They are some minutes
 * apart, but for the newest, `shown`: it becomes the third attempt of its event.
 */
async function moveAttempts(
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
async function spreadRetries({ database }: Service, endpoint: string): Promise<void> {
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
