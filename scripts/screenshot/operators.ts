import type { Browser, Page } from 'playwright-core';
import { readVersion } from '../../src/process/version.js';
import type { Service } from '../../test/support/service.js';
import type { Tenant } from '../../test/support/tenants.js';
import { takeShots } from './dashboard.js';
import type { Shot } from './dashboard-shots.js';

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
