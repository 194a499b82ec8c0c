import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { serveDashboardSources } from '../../test/support/dashboard-sources.js';
import { repositoryRoot } from '../../test/support/repository.js';

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
