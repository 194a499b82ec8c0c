/** npm run screenshot: writes the images of docs/, of the hosted checkout page, of the dashboard and of the pages of operators. */
import { browserMissing, startBrowser } from '../test/support/browser.js';
import { stopCluster } from '../test/support/cluster.js';
import { startService } from '../test/support/service.js';
import { createTenant } from '../test/support/tenants.js';
import {
  shootCheckoutPage,
  shootComponents,
  shootOperators,
  shootPortal,
} from './screenshot/pages.js';
import { shootDashboard } from './screenshot/dashboard.js';

async function takeScreenshots(): Promise<void> {
  const service = await startService();
  const browser = await startBrowser();
  try {
    const tenant = await createTenant(service);
    await service.database.query(`update account set name = 'Alpine Prints' where id = $1`, [
      tenant.account,
    ]);

    for (const shoot of [shootCheckoutPage, shootDashboard, shootOperators, shootPortal]) {
      for (const path of await shoot(service, tenant, browser)) {
        process.stdout.write(`wrote ${path}\n`);
      }
    }

    process.stdout.write(`wrote ${await shootComponents(browser)}\n`);
  } finally {
    await browser.close();
    await service.stop();
    await stopCluster();
  }
}

if (browserMissing === undefined) await takeScreenshots();
else {
  process.stderr.write(`${browserMissing}\n`);
  process.exitCode = 1;
}
