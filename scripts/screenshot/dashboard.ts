import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { createMember } from '../../src/domain/account/accounts.js';
import { printLink } from '../../src/domain/session/sign-in-links.js';
import { repositoryRoot } from '../../test/support/repository.js';
import type { Service } from '../../test/support/service.js';
import { createTenant, type Tenant } from '../../test/support/tenants.js';
import {
  moveSales,
  fillDashboard,
  addSession,
  createPeople,
  writeAuditLog,
} from './fill-dashboard.js';
import { beginRecovery } from './loss.js';
import {
  createCheckout,
  type MadePayment,
  payCheckout,
  offerInput,
  offersPath,
} from '../../test/support/sales.js';

const folder = join(repositoryRoot, 'docs', 'dashboard');

/** Writes docs/dashboard/*.png, images of the dashboard with made-up data. @returns their paths */
export async function shootDashboard(
  service: Service,
  tenant: Tenant,
  browser: Browser,
): Promise<string[]> {
  const shown = await fillDashboard(service, tenant);
  const sale = await makeSales(tenant);

  await moveSales(service, tenant);

  const people = await createPeople(service, tenant);
  const page = await browser.newPage();
  await signIn(page, service, people.ada);
  await addSession(service, tenant, people.ada);
  await writeAuditLog(service, tenant, people, shown);

  const paths: string[] = [];
  const shoot = async (wanted: readonly Shot[], ...ids: readonly [string, string]) =>
    paths.push(...(await takeShots(page, service.url, wanted, ids)));
  const { orders, shop, attempt } = shown;
  await shoot(shots, orders, attempt);
  await shoot(lossShots, shop, attempt);
  await shoot(saleShots, sale.order.id, sale.payment.id);
  await shoot(documentShots, sale.invoice.id, await makeDraftOffer(tenant));

  const recovery = await beginRecovery(service, tenant, shop);
  await shoot(recoveryShots, shop, recovery);
  await shoot(germanShots, shop, recovery);
  await page.close();

  return [...paths, ...(await shootBeginning(service, browser))];
}

/** Writes images of views of the dashboard at a listener. @returns their paths */
export async function takeShots(
  page: Page,
  listener: string,
  shots: readonly Shot[],
  ids: readonly [string, string],
): Promise<string[]> {
  const paths: string[] = [];
  for (const { name, path, width = 1_280, dark = false, whole = false, ready } of shots) {
    await page.setViewportSize({ width, height: width < 500 ? 700 : 800 });
    await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' });
    await page.goto(`${listener}/dashboard${path(...ids)}`);
    await ready(page);
    paths.push(join(folder, `${name}.png`));
    await page.screenshot({ path: join(folder, `${name}.png`), fullPage: whole });
  }
  return paths;
}

/** Shows the sign-in page, and an account in which nothing has happened yet. */
async function shootBeginning(service: Service, browser: Browser) {
  const { account } = await createTenant(service);
  const page = await browser.newPage({ viewport: { width: 1_280, height: 800 } });
  const entrance = join(folder, 'sign-in.png');
  const steps = join(folder, 'first-steps.png');

  await page.goto(`${service.url}/dashboard`);
  await page.getByLabel('Email address').waitFor();
  await page.screenshot({ path: entrance });

  const { transact } = await service.database.open();
  const email = 'ada@example.com';
  await signIn(
    page,
    service,
    await transact(async (tx) => (await createMember(tx, { account, email, role: 'owner' })).id),
  );

  await page.getByText('Receive your first event').waitFor();
  await page.screenshot({ path: steps });
  await page.close();

  return [entrance, steps];
}

/** Signs a member in by a printed link. */
async function signIn(page: Page, service: Service, member: string): Promise<void> {
  const { transact } = await service.database.open();
  const link = await transact((tx) => printLink(tx, member));
  await page.goto(`${service.url}/dashboard/sign-in${new URL(link).hash}`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Views' }).waitFor();
}

/** Shots of sales, by the ids of an order and of its payment. */
const saleShots: readonly Shot[] = [
  {
    name: 'orders',
    path: () => '/orders',
    ready: (page) => page.getByText('Grace Hopper').first().waitFor(),
  },
  {
    name: 'order-dark',
    path: (order) => `/orders/${order}`,
    dark: true,
    ready: (page) => page.getByText('Total', { exact: true }).waitFor(),
  },
  {
    name: 'refund',
    path: (_, payment) => `/payments/${payment}`,
    async ready(page) {
      await page.getByRole('button', { name: 'Refund' }).click();
      await page.getByLabel('Amount in EUR').fill('19.00');
    },
  },
  {
    name: 'payment-320',
    path: (_, payment) => `/payments/${payment}`,
    width: 320,
    ready: (page) => page.getByText('Left to refund').waitFor(),
  },
];

/** Shots of what buyers get, by the ids of an invoice and of an offer. */
const documentShots: readonly Shot[] = [
  {
    name: 'invoice',
    path: (invoice) => `/invoices/${invoice}`,
    ready: (page) => page.getByText('Total', { exact: true }).waitFor(),
  },
  {
    name: 'offer',
    path: (_, offer) => `/offers/${offer}`,
    ready: (page) => page.getByRole('button', { name: 'Send' }).first().waitFor(),
  },
];

/** Makes an offer that is not sent yet. @returns its id */
async function makeDraftOffer({ rest }: Tenant): Promise<string> {
  const { body } = await rest.post(
    offersPath,
    offerInput({
      title: 'Five prints for the lobby',
      recipient_email: 'grace@example.com',
      line_items: [
        { name: 'Matterhorn at dawn, 50 × 70 cm', quantity: 5, unit_amount_minor_units: 1_900 },
      ],
    }),
  );
  return (body as { readonly data: { readonly id: string } }).data.id;
}

/** Makes five orders. @returns the newest one */
async function makeSales(tenant: Tenant): Promise<MadePayment> {
  const order = async (buyerName: string, changes: object) => {
    const checkout = await createCheckout(tenant, {
      lineItems: [
        { name: 'Matterhorn at dawn, 50 × 70 cm', quantity: 2, unitAmountMinorUnits: 1_900 },
        { name: 'Frame, oak', quantity: 1, unitAmountMinorUnits: 3_450 },
      ],
      ...changes,
    });
    const buyerEmail = `${buyerName.split(' ')[0]?.toLowerCase()}@example.com`;
    return payCheckout(tenant, checkout, { buyerName, buyerEmail, buyerCountry: 'CH' });
  };

  await order('Katherine Johnson', { externalReference: 'cart-1039', currency: 'USD' });
  await order('Barbara Liskov', { externalReference: 'cart-1040' });
  await order('Alan Turing', { externalReference: 'cart-1041', currency: 'JPY' });
  await order('Ada Lovelace', { externalReference: 'cart-1042', currency: 'CHF' });

  return order('Grace Hopper', { externalReference: 'cart-1043', shippingMinorUnits: 690 });
}

/** An image of one view. */
export interface Shot {
  readonly name: string;
  /** Its path below /dashboard, by the ids of an endpoint, and of an attempt or a recovery. */
  readonly path: (endpoint: string, other: string) => string;
  readonly width?: number;
  readonly dark?: boolean;
  /** Shows the page to its end. */
  readonly whole?: boolean;
  /** Waits until the view is there, or opens what belongs to it. */
  readonly ready: (page: Page) => Promise<void>;
}

const shown = (text: string) => (page: Page) => page.getByText(text).first().waitFor();

const listed = async (page: Page) => {
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'offer.sent' }).first().waitFor();
};
const counted = async (page: Page) => {
  await page.getByText('Oldest overall').waitFor();
  await page.waitForLoadState('networkidle');
};
const failed = async (page: Page) => {
  await page.getByText('period_closed').first().waitFor();
  await page.locator('.attempt-dot').first().waitFor();
};
const logged = (page: Page) => page.locator('.record').first().waitFor();

/** Shots of the views with made-up data. */
const shots: readonly Shot[] = [
  { name: 'overview', path: () => '/overview', whole: true, ready: counted },
  { name: 'deliveries', path: () => '/deliveries', ready: listed },
  { name: 'attempt', path: (_, id) => `/deliveries?open=${id}`, ready: failed },
  {
    name: 'attempt-dark',
    path: (_, id) => `/deliveries/${id}`,
    dark: true,
    whole: true,
    ready: failed,
  },
  { name: 'deliveries-320', path: () => '/deliveries', width: 320, ready: listed },
  { name: 'endpoints', path: () => '/endpoints', ready: shown('Disabled') },
  { name: 'endpoint', path: (id) => `/endpoints/${id}`, ready: shown('Last success') },
  { name: 'endpoint-dark', path: (id) => `/endpoints/${id}`, dark: true, ready: shown('Healthy') },
  { name: 'endpoint-320', path: (id) => `/endpoints/${id}`, width: 320, ready: shown('Healthy') },
  { name: 'audit-log', path: () => '/audit-log', ready: logged },
  {
    name: 'audit-log-320',
    path: () => '/audit-log',
    width: 320,
    dark: true,
    ready: logged,
  },
  { name: 'portal-settings', path: () => '/portal', whole: true, ready: shown('Create a link') },
  { name: 'sessions', path: () => '/sessions', ready: shown('This browser') },
  { name: 'members', path: () => '/members', dark: true, ready: shown('You') },
  {
    name: 'created-key',
    path: () => '/keys',
    async ready(page) {
      await page.getByRole('button', { name: 'Create API key' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Create API key' }).click();
      await page.getByText('Your new API key').waitFor();
    },
  },
  { name: 'create-endpoint', path: () => '/endpoints/new', ready: shown('cart.order.completed') },
  { name: 'event-types', path: () => '/event-types', ready: shown('offer.sent') },
  {
    name: 'event-type',
    path: () => '/event-types/cart.order.completed',
    whole: true,
    ready: shown('line_items'),
  },
  {
    name: 'event-type-dark',
    path: () => '/event-types/cart.order.completed',
    dark: true,
    async ready(page) {
      await page.getByText('Python', { exact: true }).click();
      await page.getByText('compare_digest').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'event-type-320',
    path: () => '/event-types/cart.order.completed',
    width: 320,
    whole: true,
    ready: shown('line_items'),
  },
  {
    name: 'rotated-secret',
    path: (id) => `/endpoints/${id}`,
    async ready(page) {
      await page.getByRole('button', { name: 'Rotate secret' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
      await page.getByText('Your new signing secret').waitFor();
    },
  },
];

/** Shots of an endpoint that lost events. */
const lossShots: readonly Shot[] = [
  { name: 'endpoint-offer', path: (id) => `/endpoints/${id}`, ready: shown('did not arrive') },
  {
    name: 'start-recovery',
    path: (id) => `/recoveries/new?endpoint=${id}`,
    ready: shown('Start the recovery'),
  },
  {
    name: 'start-recovery-320',
    path: (id) => `/recoveries/new?endpoint=${id}`,
    width: 320,
    whole: true,
    ready: shown('Start the recovery'),
  },
];

/** Shots of a recovery that runs. */
const recoveryShots: readonly Shot[] = [
  { name: 'recovery', path: (_, id) => `/recoveries/${id}`, ready: shown('Pause') },
  {
    name: 'recovery-dark',
    path: (_, id) => `/recoveries/${id}`,
    dark: true,
    ready: shown('Pause'),
  },
  { name: 'recovery-320', path: (_, id) => `/recoveries/${id}`, width: 320, ready: shown('Pause') },
  {
    name: 'recoveries',
    path: () => '/recoveries',
    ready: (page) => page.locator('.recovery-state').first().waitFor(),
  },
];

/** The dashboard in German. It is last, because the page stays German. */
const germanShots: readonly Shot[] = [
  {
    name: 'deliveries-german',
    path: () => '/deliveries',
    ready: async (page) => {
      await page.getByLabel('Deutsch').check();
      await page.getByRole('heading', { name: 'Zustellungen', level: 1 }).waitFor();
      await page.getByText('Live', { exact: true }).waitFor();
    },
  },
];
