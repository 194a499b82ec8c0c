import { answer } from '../../test/support/behaviours.js';
import { eventually } from '../../test/support/eventually.js';
import { startReceiver } from '../../test/support/receiver.js';
import type { Service } from '../../test/support/service.js';
import type { Tenant } from '../../test/support/tenants.js';
import { moveAttempts, spreadRetries } from './example-names.js';
import { insertLoss, insertPastRecoveries, outage } from './loss.js';
import { countAgain, insertPastDay } from './past-day.js';

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
