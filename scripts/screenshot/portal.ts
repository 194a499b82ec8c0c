import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { createPortalLink } from '../../src/domain/portal/portal-links.js';
import { updatePortalSettings } from '../../src/domain/portal/portal-settings.js';
import { startMerchant } from '../../test/support/portal.js';
import { repositoryRoot } from '../../test/support/repository.js';
import type { Service } from '../../test/support/service.js';
import type { Tenant } from '../../test/support/tenants.js';

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
