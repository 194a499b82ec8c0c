import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { createMember } from '../../src/domain/account/accounts.js';
import { startRecovery } from '../../src/domain/recovery/start-recovery.js';
import { foldStatistics } from '../../src/domain/delivery/statistics/fold-statistics.js';
import { printLink } from '../../src/domain/session/print-link.js';
import { answer } from '../../test/support/behaviours.js';
import { createEndpoint } from '../../test/support/endpoints.js';
import { eventually } from '../../test/support/eventually.js';
import { type Receiver, startReceiver } from '../../test/support/receiver.js';
import { insertManyPastEvents } from '../../test/support/recoveries.js';
import { repositoryRoot } from '../../test/support/repository.js';
import type { Service } from '../../test/support/service.js';
import type { Tenant } from '../../test/support/tenants.js';
import { germanShots, lossShots, recoveryShots, type Shot, shots } from './dashboard-shots.js';
import { makeSales, saleShots } from './sale-shots.js';

const shopUrl = 'https://shop.alpine-prints.example/webhooks';

/** A receiver that says why it refuses an event. */
const closedPeriod = answer(
  503,
  { 'Content-Type': 'application/json', 'Retry-After': '120' },
  '{"error":{"code":"period_closed","message":"The books of October are closed.","retry":true}}',
);

/** Writes docs/dashboard/*.png, images of the dashboard with made-up data. @returns their paths */
export async function shootDashboard(
  service: Service,
  tenant: Tenant,
  browser: Browser,
): Promise<string[]> {
  const receiver = await startReceiver();
  receiver.choose(({ path }) => (path === '/books' ? closedPeriod : undefined));
  const endpoint = await fill(service, tenant, receiver);
  const attempt = await failedAttempt(service);
  const page = await browser.newPage();
  await signIn(page, service, tenant);
  const folder = join(repositoryRoot, 'docs', 'dashboard');
  mkdirSync(folder, { recursive: true });
  const paths: string[] = [];
  const shoot = async (wanted: readonly Shot[], endpointId: string, otherId: string) => {
    for (const { name, path, width = 1_280, dark = false, whole = false, ready } of wanted) {
      await page.setViewportSize({ width, height: width < 500 ? 700 : 800 });
      await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' });
      await page.goto(`${service.url}/dashboard${path(endpointId, otherId)}`);
      await ready(page);
      paths.push(join(folder, `${name}.png`));
      await page.screenshot({ path: join(folder, `${name}.png`), fullPage: whole });
    }
  };
  await shoot(shots, endpoint, attempt);
  const lost = await addLoss(service, tenant, receiver);
  await shoot(lossShots, lost, attempt);
  const sale = await makeSales(tenant);
  await shoot(saleShots, sale.order.id, sale.payment.id);
  const recovery = await beginRecovery(service, tenant, lost, receiver);
  await shoot(recoveryShots, lost, recovery);
  await shoot(germanShots, lost, recovery);
  await page.close();
  await receiver.close();
  return paths;
}

/** Makes endpoints in each state, and attempts at two of them. @returns the id of one that works */
async function fill(service: Service, tenant: Tenant, receiver: Receiver): Promise<string> {
  const create = async (path: string, description: string, active = true) => {
    const { status, body } = await tenant.rest.post('/v1/webhooks/endpoints', {
      ...{ url: path, description, active, notification_email: 'ops@alpine-prints.example' },
      event_types: ['cart.order.completed', 'cart.checkout.created', 'offer.sent'],
    });
    if (status !== 201) throw new Error(`HTTP ${status}: ${JSON.stringify(body)}`);
    return (body as { data: { id: string } }).data.id;
  };
  await create('https://old.alpine-prints.example/hooks', 'The shop before the move', false);
  const gone = await create('https://crm.example.net/in/9f31', 'Customers into the CRM');
  await service.database.query(
    `update endpoint set active = false, disabled_reason = 'receiver_gone' where id = $1`,
    [gone],
  );
  const failing = await create(receiver.url('/books'), 'Invoices into accounting');
  const id = await create(receiver.url('/signalpost/orders'), 'Orders into the warehouse');
  const types = ['cart.checkout.created', 'cart.order.completed', 'offer.sent'];
  for (let round = 0; round < 4; round += 1) {
    for (const type of types) await tenant.publish({ type });
  }
  await eventually(async () => {
    const deliveries = await service.database.query('select status from delivery');
    if (deliveries.length < 24) throw new Error(`only ${deliveries.length} deliveries yet`);
  }, 'deliveries are recorded');
  // Workers do so every minute.
  const { transact } = await service.database.open();
  await transact((tx) => foldStatistics(tx, 1_000));
  const example = 'https://hooks.alpine-prints.example/signalpost/orders';
  await service.database.query('update endpoint set url = $2 where id = $1', [id, example]);
  await service.database.query(
    `update endpoint set url = 'https://books.example.org/webhooks',
            failing_since = now() - interval '3 hours', failure_count = 41
      where id = $1`,
    [failing],
  );
  return id;
}

/** Makes an endpoint that failed to take about 180 events, and missed 40. @returns its id */
async function addLoss(service: Service, tenant: Tenant, receiver: Receiver): Promise<string> {
  const { account, rest } = tenant;
  const { id } = await createEndpoint(rest, { url: receiver.url('/shop') });
  await service.database.query(
    `update endpoint set created_at = now() - interval '1 day' where id = $1`,
    [id],
  );
  const lost = { account, endpoint: id };
  await insertManyPastEvents(service.database, lost, { abandoned: 180, missed: 40 });
  await service.database.query('update endpoint set url = $2 where id = $1', [id, shopUrl]);
  return id;
}

/** Starts a recovery, and waits until its endpoint took some events. @returns its id */
async function beginRecovery(
  service: Service,
  { account }: Tenant,
  endpointId: string,
  receiver: Receiver,
): Promise<string> {
  const { transact } = await service.database.open();
  await service.database.query('update endpoint set url = $2 where id = $1', [
    ...[endpointId, receiver.url('/shop')],
  ]);
  const what = { what: 'both', ratePerSecond: 1, idempotencyKey: 'shot' } as const;
  const { id } = await transact((tx) => startRecovery(tx, account, { endpointId, ...what }));
  await eventually(() => {
    if (!receiver.requests.some(({ path }) => path === '/shop')) throw new Error('none yet');
  }, 'the endpoint takes events again');
  return id;
}

/** Returns the id of an attempt that failed. */
async function failedAttempt(service: Service): Promise<string> {
  const [row] = await service.database.query<{ id: string }>(
    `select id from delivery where status = 'failed' and event_type = 'cart.order.completed'
      order by id limit 1`,
  );
  if (!row) throw new Error('no attempt has failed');
  return row.id;
}

/** Signs a member in by a printed link. */
async function signIn(page: Page, service: Service, tenant: Tenant): Promise<void> {
  const { transact } = await service.database.open();
  const link = await transact(async (tx) => {
    const email = 'ada@alpine-prints.example';
    const { id } = await createMember(tx, { account: tenant.account, email, role: 'owner' });
    return printLink(tx, id);
  });
  await page.goto(`${service.url}/dashboard/sign-in${new URL(link).hash}`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Views' }).waitFor();
}
