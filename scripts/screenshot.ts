/** npm run screenshot: writes docs/checkout-page.png, an image of the hosted checkout page. */
import { join } from 'node:path';
import { browserMissing, startBrowser } from '../test/support/browser.js';
import { createCheckout } from '../test/support/checkouts.js';
import { stopCluster } from '../test/support/cluster.js';
import { repositoryRoot } from '../test/support/repository.js';
import { startService } from '../test/support/service.js';
import { createTenant } from '../test/support/tenants.js';

const path = join(repositoryRoot, 'docs', 'checkout-page.png');

async function takeScreenshot(): Promise<void> {
  const service = await startService({ workers: 0 });
  const browser = await startBrowser();
  try {
    const tenant = await createTenant(service);
    await service.database.query(`update account set name = 'Alpine Prints' where id = $1`, [
      tenant.account,
    ]);
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
    await page.screenshot({ path, fullPage: true });
    process.stdout.write(`wrote ${path}\n`);
  } finally {
    await browser.close();
    await service.stop();
    await stopCluster();
  }
}

if (browserMissing === undefined) await takeScreenshot();
else {
  process.stderr.write(`${browserMissing}\n`);
  process.exitCode = 1;
}
