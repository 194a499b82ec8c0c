import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { createMember } from '../../src/domain/account/accounts.js';
import { printLink } from '../../src/domain/session/sign-in-links.js';
import { repositoryRoot } from '../../test/support/repository.js';
import type { Service } from '../../test/support/service.js';
import { createTenant, type Tenant } from '../../test/support/tenants.js';
import { germanShots, lossShots, recoveryShots, type Shot, shots } from './dashboard-shots.js';
import { moveSales } from './example-names.js';
import { fillDashboard } from './fill-dashboard.js';
import { beginRecovery } from './loss.js';
import { addSession, createPeople, writeAuditLog } from './people.js';
import { documentShots, makeDraftOffer, makeSales, saleShots } from './sale-shots.js';

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
