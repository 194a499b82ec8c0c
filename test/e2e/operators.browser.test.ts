import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeInChromium } from '../support/browser.js';
import { firstRecordedAs } from '../support/delivery-records.js';
import { createEndpoint } from '../support/endpoints.js';
import { heading } from '../support/dashboard.js';
import { eventually } from '../support/eventually.js';
import { startReceiver } from '../support/receiver.js';
import { startService, type Service } from '../support/service.js';
import type { Tenant } from '../support/tenants.js';

const wide = { width: 1_280, height: 860 };

describeInChromium(
  'the pages of operators in Chromium',
  (user) => {
    const violations: string[] = [];
    afterEach(() => expect(violations.splice(0)).to.deep.equal([]));

    /** Opens a path and signs in with a new internal token. */
    async function signIn(path: string): Promise<Page> {
      const page = await user.browse({ viewport: wide, reducedMotion: 'reduce' });
      page.on('console', (message) => {
        if (/Content.Security.Policy|Trusted/i.test(message.text()))
          violations.push(message.text());
      });

      page.on('pageerror', (error) => violations.push(String(error)));
      await page.goto(`${user.service.internalUrl}/dashboard${path}`);
      await heading(page, 'Sign in as an operator').waitFor();
      await page.getByLabel('Internal token').fill('int_wrong');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('This is not a token of this service.').waitFor();
      await user.expectFit('the sign-in');

      const { token } = await user.tenant.credential({ kind: 'internal' });
      await page.getByLabel('Internal token').fill(token);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('navigation', { name: 'Views' }).waitFor();

      const kept = await page.evaluate<string>(
        'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
      );
      expect(kept).not.to.include('int_').and.not.to.include('signalpost-operator');

      return page;
    }

    it('H224, H225: an operator sees workers come and go, and releases a dead letter', async () => {
      const { service, tenant } = user;
      const receiver = await startReceiver();
      try {
        const id = await makeDeadLetter(service, tenant, receiver.url());
        const page = await signIn('/overview');
        await page.getByText('No worker is running').waitFor();

        const count = page.getByRole('definition').filter({ has: page.getByRole('link') });
        await eventually(async () => expect(await count.innerText()).to.equal('1'), 'it counts it');
        await user.expectFit('the overview');

        const worker = await service.startWorker();
        await page.getByText('1 worker is running').waitFor();
        await page.getByText('deliver, replay, notify, expire').waitFor();
        await user.expectFit('the overview with a worker');
        expect(receiver.requests).to.have.lengthOf(0);

        await page.getByRole('link', { name: 'Dead letters' }).click();
        await page.getByRole('link', { name: id }).waitFor();
        await user.expectFit('the dead letters');
        await page.getByRole('link', { name: id }).click();
        await page.getByText('Attempts ended with their worker.').waitFor();
        await page.getByText('No attempt has finished.').waitFor();
        await page.getByRole('button', { name: 'Release' }).click();

        const dialog = page.getByRole('dialog');
        await dialog.waitFor();
        await user.expectFit('the dialog of the release');
        await dialog.getByRole('button', { name: 'Release' }).click();
        await receiver.next();
        await page.getByText('Delivered', { exact: true }).waitFor();
        await user.expectFit('the released dead letter');
        await page.getByRole('link', { name: 'Dead letters' }).first().click();
        await page.getByText('No dead letters').waitFor();

        const log = await tenant.graphql<{ auditLog: { data: { actorKind: string }[] } }>(
          `query ($account: ID!) {
            auditLog(account: $account, action: dead_letter_released) { data { actorKind } } }`,
          { account: tenant.account },
        );

        expect(log.auditLog.data).to.deep.equal([{ actorKind: 'operator' }]);

        await page.getByRole('link', { name: 'Overview' }).click();
        await page.getByText('1 worker is running').waitFor();
        await worker.end('SIGKILL');

        await eventually(async () => {
          await service.database.query(
            `update worker_heartbeat set seen_at = seen_at - interval '31 seconds'`,
          );
          expect(await page.getByText('No worker is running').count()).to.equal(1);
        }, 'the worker has vanished');
      } finally {
        await receiver.close();
      }
    });

    it('H272: an operator looks up an event, and sees who got it and who did not', async () => {
      const { service, tenant } = user;
      const receiver = await startReceiver();
      try {
        await makeDeadLetter(service, tenant, receiver.url());

        const [late] = await service.database.query<{ event: string; endpoint: string }>(
          `select event_id as event, endpoint_id as endpoint from pending_delivery
            where account_id = $1 and dead_letter_reason is not null`,
          [tenant.account],
        );
        if (!late) throw new Error('nothing is pending');

        const page = await signIn('/overview');
        const search = page.getByLabel('Any id, or the beginning of a name');
        await search.fill(`I did not get ${late.event}!`);
        await page.getByRole('button', { name: 'Find' }).click();
        await page.getByRole('link', { name: 'See what happened to the event' }).waitFor();
        await user.expectFit('the event that was found');
        await page.getByRole('link', { name: 'See what happened to the event' }).click();
        await page.getByRole('heading', { name: 'Delivery by endpoint' }).waitFor();
        await page.getByRole('link', { name: 'Dead letter', exact: true }).waitFor();
        await user.expectFit('the event');

        await page.getByRole('link', { name: late.endpoint }).click();
        await page.getByRole('heading', { name: 'The endpoint you searched for' }).waitFor();
        await page.getByText('Oldest pending').first().waitFor();
        await user.expectFit('the account with an endpoint');

        await page.getByRole('link', { name: 'Overview' }).click();
        await search.fill('req_0VcFfl5PbuHbmfoYa01If68x');
        await page.getByRole('button', { name: 'Find' }).click();
        await page.getByText('docker compose logs api | grep -F req_0VcFfl5PbuHbmf').waitFor();
        await user.expectFit('the request that was found');
        await search.fill('evt_0VcFfl5PbuHbmfoYa01If68x');
        await page.getByRole('button', { name: 'Find' }).click();
        await page.getByText('No object has this id now').waitFor();
        await search.fill(`${'My account is '.repeat(20)} ${tenant.account}.`);
        await page.getByRole('button', { name: 'Find' }).click();
        await page.getByRole('link', { name: 'See the account' }).waitFor();
        await page.goto(`${service.internalUrl}/dashboard/events/evt_0VcFfl5PbuHbmfoYa01If68x`);
        await page.getByRole('heading', { name: 'No event has this id' }).waitFor();
      } finally {
        await receiver.close();
      }
    });

    it('H272: an operator reads in German why an attempt failed', async () => {
      const { service, tenant } = user;
      const receiver = await startReceiver();
      await createEndpoint(tenant.rest, { url: receiver.url('/gone') });
      await receiver.close();

      const worker = await service.startWorker();
      const event = await tenant.publish({});
      await firstRecordedAs(tenant.rest, event, 'failed');
      await worker.end();

      const page = await user.browse({ viewport: wide, locale: 'de-AT' });
      await page.goto(`${service.internalUrl}/dashboard/events/${event}`);

      const { token } = await tenant.credential({ kind: 'internal' });
      await page.getByLabel('Internes Token').fill(token);
      await page.getByRole('button', { name: 'Anmelden' }).click();
      await page.getByText('Verbindung abgelehnt').first().waitFor();
      expect(await page.getByText('connection refused').count()).to.equal(0);
    });

    it('H225: an operator finds an account by its name and opens it', async () => {
      const { tenant } = user;
      await user.withAccountName('Under the Öak <b>', async () => {
        const page = await signIn('/accounts');
        await page.getByLabel('Any id, or the beginning of a name').fill('uNDER the');
        await page.getByRole('button', { name: 'Find' }).click();
        await page.waitForURL(/search=/);
        await page.getByRole('link', { name: 'Under the Öak <b>' }).waitFor();
        await user.expectFit('the accounts');
        await page.getByRole('link', { name: 'Under the Öak <b>' }).click();
        await heading(page, 'Under the Öak <b>').waitFor();
        await page.getByText('Receivers get no traceparent').waitFor();
        await user.expectFit('the account');
        await page.goto(`${user.service.internalUrl}/dashboard/accounts?search=${tenant.account}`);
        await page.getByRole('link', { name: 'Under the Öak <b>' }).waitFor();
        await page.getByRole('button', { name: 'Sign out' }).click();
        await heading(page, 'Sign in as an operator').waitFor();
      });
    });
  },
  () => startService({ workers: 0 }),
);

/** Publishes an event and makes its delivery a dead letter. Call it while no worker runs. @returns its id */
async function makeDeadLetter(service: Service, tenant: Tenant, url: string): Promise<string> {
  const { id: endpoint } = await createEndpoint(tenant.rest, { url });
  const event = await tenant.publish({});
  const [written] = await service.database.query<{ id: string }>(
    `update pending_delivery
        set ready = false, due_at = now(), dead_letter_reason = 'Attempts ended with their worker.'
      where endpoint_id = $1 and event_id = $2 returning id`,
    [endpoint, event],
  );
  if (!written) throw new Error('no delivery was written');
  return written.id;
}
