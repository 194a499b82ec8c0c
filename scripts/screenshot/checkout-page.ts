import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { createCheckout } from '../../test/support/sales.js';
import { repositoryRoot } from '../../test/support/repository.js';
import type { Service } from '../../test/support/service.js';
import type { Tenant } from '../../test/support/tenants.js';

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
