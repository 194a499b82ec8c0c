import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeDashboard, heading } from '../support/dashboard.js';
import { createEndpoint, endpointsPath } from '../support/endpoints.js';
import { sendKeySequence } from '../support/browser.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { insertPastEvent, insertRecords } from '../support/recoveries.js';

describeDashboard('the recoveries of the dashboard', (user) => {
  let receiver: Receiver;

  before(async () => {
    receiver = await startReceiver();
  });
  after(() => receiver.close());

  /** An endpoint that failed to take one event of a type of its own, and missed two. */
  const endpointWithLoss = async (path: string, type: string) => {
    const { rest, account } = user.tenant;
    const { database } = user.service;
    const { id } = await createEndpoint(rest, {
      url: receiver.url(path),
      event_types: [type],
    });

    await database.query(
      `update endpoint set created_at = now() - interval '2 hours' where id = $1`,
      [id],
    );

    const event = await insertPastEvent(database, account, { type });
    const failed = { account, endpoint: id, event };
    await insertRecords(database, failed, 'failed', 'abandoned');
    await insertPastEvent(database, account, { type });
    await insertPastEvent(database, account, { type });

    return id;
  };

  const pausedRecovery = async (endpoint: string) => {
    const { tenant } = user;
    const { account } = tenant;
    const input = { endpoint, what: 'both', idempotencyKey: endpoint };
    const { started } = await tenant.graphql<{ started: { id: string } }>(
      `
        mutation ($input: StartRecoveryInput!, $account: ID) {
          started: startRecovery(input: $input, account: $account) {
            id
          }
        }
      `,
      { input, account },
    );

    await tenant.graphql(
      `
        mutation ($id: ID!, $account: ID) {
          pauseRecovery(id: $id, account: $account) {
            id
          }
        }
      `,
      { id: started.id, account },
    );

    return started.id;
  };

  const fact = (page: Page, name: string, value: string) =>
    page.locator('.facts > div', { hasText: name }).getByText(value, { exact: true });

  it('H188: offers after enabling what did not arrive, and shows it arrive', async () => {
    const id = await endpointWithLoss('/away', 'invoice.issued');
    await user.tenant.rest.patch(`${endpointsPath}/${id}`, { active: false });

    const page = await user.signIn(`/endpoints/${id}`);
    await page.getByText('3 events did not arrive').waitFor();
    expect(await page.getByRole('link', { name: 'Send them again' }).count()).to.equal(0);
    await page.getByRole('button', { name: 'Enable' }).click();

    const offer = page.getByRole('link', { name: 'Send them again' });
    await offer.waitFor();
    await user.expectFit('the endpoint with an offer');
    await offer.click();

    await heading(page, 'Start a recovery').waitFor();
    await fact(page, 'Missed', '2').waitFor();
    await fact(page, 'Failed', '1').waitFor();
    await page.getByRole('radio', { name: /^Failed events/ }).check();
    await fact(page, 'Missed', '0').waitFor();
    await page.getByRole('radio', { name: /^Failed and missed/ }).check();
    await page.getByLabel('Events per second').fill('501');
    await page.getByText('Enter a whole number from 1 to 500.').waitFor();
    expect(await page.getByRole('button', { name: 'Start the recovery' }).count()).to.equal(0);
    await page.getByLabel('Events per second').fill('20');
    await fact(page, 'Missed', '2').waitFor();
    await user.expectFit('the form');
    await page.getByRole('button', { name: 'Start the recovery' }).click();

    await heading(page, 'Failed and missed events').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('A member or a program requested it.').waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await fact(page, 'Delivered', '3').waitFor();
    await user.expectFit('the recovery');
    expect(receiver.requests.filter(({ path }) => path === '/away')).to.have.length(3);
  });

  it('H188: finds a recovery by its id, cancels it, and lists it', async () => {
    const endpoint = await endpointWithLoss('/cancelled', 'offer.sent');
    const id = await pausedRecovery(endpoint);
    const page = await user.signIn('/recoveries?status=paused');
    await page.getByRole('link', { name: /^Failed and missed events/ }).waitFor();
    await user.expectFit('the list');
    await page.keyboard.press('/');
    await page.getByLabel('Find by id').fill(id);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Cancel recovery' }).click();
    await user.expectFit('the dialog before a recovery is cancelled');

    await page
      .getByRole('dialog')
      .getByRole('button', { name: 'Cancel recovery', exact: true })
      .click();

    await page.getByText('The recovery is cancelled.').waitFor();
    await page.getByRole('button', { name: 'Pause' }).waitFor({ state: 'detached' });
    await sendKeySequence(page, 'g', 'r');
    await heading(page, 'Recoveries').waitFor();
    await page.getByText('Cancelled').nth(1).waitFor();
    expect(await page.locator(`a[href$="${id}"]`).count()).to.equal(1);
  });

  it('H188: offers a viewer no recovery, and shows those of the account', async () => {
    const endpoint = await endpointWithLoss('/viewed', 'offer.accepted');
    const id = await pausedRecovery(endpoint);
    const page = await user.signIn('/recoveries', 'viewer');
    await page.locator(`a[href$="${id}"]`).click();

    // The list says the rest, too: "Paused" and "Progress".
    await heading(page, 'Failed and missed events').waitFor();

    for (const name of ['Pause', 'Resume', 'Cancel recovery']) {
      expect(await page.getByRole('button', { name }).count(), name).to.equal(0);
    }

    await page.goto(`${user.service.url}/dashboard/recoveries/new?endpoint=${endpoint}`);
    await page.getByText('Ask a developer or an admin of your account to start one.').waitFor();
    await page.goto(`${user.service.url}/dashboard/endpoints/${endpoint}`);
    await page.getByText('A recovery for this endpoint has not finished.').waitFor();
    expect(await page.getByRole('link', { name: 'Start a recovery' }).count()).to.equal(0);
  });
});
