import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { createCheckout } from '../../test/support/sales.js';
import { repositoryRoot } from '../../test/support/repository.js';
import type { Service } from '../../test/support/service.js';
import type { Tenant } from '../../test/support/tenants.js';
import { serveDashboardSources } from '../../test/support/dashboard-sources.js';
import { createPortalLink } from '../../src/domain/portal/portal-links.js';
import { updatePortalSettings } from '../../src/domain/portal/portal-settings.js';
import { startMerchant } from '../../test/support/portal.js';
import { readVersion } from '../../src/process/version.js';
import { takeShots, type Shot } from './dashboard.js';

/** Writes docs/checkout-page.png, an image of the hosted checkout page. @returns its path */
export async function shootCheckoutPage(
  service: Service,
  tenant: Tenant,
  browser: Browser,
): Promise<string[]> {
  const id = await createCheckout(tenant, {
    cancelUrl: 'https://shop.example/cart',
    buyerEmail: 'ada@example.com',
    shippingMinorUnits: 490,
    lineItems: [
      { name: 'Poster “Matterhorn”', quantity: 2, unitAmountMinorUnits: 1_900 },
      { name: 'Frame, oak, 50 × 70 cm', quantity: 1, unitAmountMinorUnits: 5_900 },
    ],
  });

  const page = await browser.newPage({ viewport: { width: 480, height: 800 } });
  await page.goto(`${service.url}/checkout/${id}`);

  const path = join(repositoryRoot, 'docs', 'checkout-page.png');
  await page.screenshot({ path, fullPage: true });
  await page.close();

  return [path];
}

/** Writes docs/dashboard/components.png, the begin of the page of components. @returns its path */
export async function shootComponents(browser: Browser): Promise<string> {
  const sources = await serveDashboardSources();
  const page = await browser.newPage({
    viewport: { width: 1_280, height: 1_100 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
  });

  await page.goto(`${sources.url}/_components`);
  await page.getByText('This part was loaded.').waitFor();

  const path = join(repositoryRoot, 'docs', 'dashboard', 'components.png');
  await page.screenshot({ path });
  await page.close();
  await sources.close();

  return path;
}

/** Writes docs/dashboard/portal.png, the portal in the page of a merchant. @returns its path */
export async function shootPortal(
  service: Service,
  { account }: Tenant,
  browser: Browser,
): Promise<string[]> {
  const { transact } = await service.database.open();
  const merchant = await startMerchant(async () => {
    const { url } = await transact((tx) =>
      createPortalLink(tx, null, account, { role: 'developer' }),
    );
    return new URL(new URL(url).pathname + new URL(url).hash, service.url).href;
  });

  const theme = { scheme: 'light', accent: '#14532d', background: '#fffdf5' } as const;
  const origins = [merchant.origin];
  await transact((tx) => updatePortalSettings(tx, account, { origins, theme }));

  const page = await browser.newPage({ viewport: { width: 1_280, height: 800 } });
  await page.goto(merchant.origin);

  const frame = page.frameLocator('#portal');
  await frame.getByRole('link', { name: 'Endpoints' }).click();
  await frame.getByRole('heading', { name: 'Endpoints', level: 1 }).waitFor();
  await frame.locator('main a code, main a.mono').first().waitFor();

  const path = join(repositoryRoot, 'docs', 'dashboard', 'portal.png');
  await page.screenshot({ path });
  await page.close();
  await merchant.close();

  return [path];
}

/** Shots of the pages of operators, by the ids of an account and of a dead letter. */
const operatorShots: readonly Shot[] = [
  {
    name: 'operators',
    path: () => '/overview',
    whole: true,
    ready: (page) => page.getByText(/^\d+ workers? (?:is|are) running$/).waitFor(),
  },
  {
    name: 'operators-320',
    path: () => '/overview',
    width: 320,
    dark: true,
    ready: (page) => page.getByText(/^\d+ workers? (?:is|are) running$/).waitFor(),
  },
  {
    name: 'operators-account-dark',
    path: (account) => `/accounts/${account}`,
    dark: true,
    ready: (page) => page.getByText('Success rate').waitFor(),
  },
  {
    name: 'operators-dead-letter',
    path: (_, letter) => `/dead-letters/${letter}`,
    async ready(page) {
      await page.getByText('Reason').waitFor();
      await page.getByText('Attempt 1').first().waitFor();
    },
  },
];

/** Writes docs/dashboard/operators*.png. Needs deliveries that wait for a retry. @returns their paths */
export async function shootOperators(
  service: Service,
  tenant: Tenant,
  browser: Browser,
): Promise<string[]> {
  const [letter] = await service.database.query<{ id: string }>(
    `update pending_delivery
        set ready = false, due_at = now(), lane = 'isolated',
            dead_letter_reason = 'Each of 6 attempts was interrupted: its process died or hung.'
      where id = (select id from pending_delivery
                   where not ready and lease_token is null order by id limit 1)
     returning id`,
  );
  if (!letter) throw new Error('no delivery waits for a retry');

  await showWorkers(service);

  const page = await browser.newPage();
  await signIn(page, service, tenant);

  const ids = [tenant.account, letter.id] as const;
  const paths = await takeShots(page, service.internalUrl, operatorShots, ids);

  await page.close();

  return paths;
}

/** Writes the heartbeats of two workers, and makes due what waits: no worker runs while pictures are taken. */
async function showWorkers({ database }: Service): Promise<void> {
  await database.query('delete from worker_heartbeat');
  await database.query(
    `insert into worker_heartbeat (id, roles, version, started_at, seen_at)
     select 'worker-' || w.place || w.rest, '{deliver,replay,notify,expire}', $1,
            now() - interval '6 days', now()
       from (values (1, '/17/72aa3c5c'), (2, '/17/0be41f96')) w (place, rest)`,
    [readVersion()],
  );
  await database.query('update pending_delivery set due_at = now() where ready');
}

async function signIn(page: Page, service: Service, tenant: Tenant): Promise<void> {
  const { token } = await tenant.credential({ kind: 'internal' });
  await page.goto(`${service.internalUrl}/dashboard`);
  await page.getByLabel('Internal token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Views' }).waitFor();
}
