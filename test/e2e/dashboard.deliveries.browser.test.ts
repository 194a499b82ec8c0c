import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import type { Page } from 'playwright-core';
import { foldStatistics } from '../../src/domain/delivery/statistics.js';
import { makeId } from '../../src/domain/values/id.js';
import { describedBy, sendKeySequence } from '../support/browser.js';
import { answer } from '../support/behaviours.js';
import { describeDashboard, heading } from '../support/dashboard.js';
import { recordedAs } from '../support/delivery-records.js';
import { createEndpoint, endpointsPath } from '../support/endpoints.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { insertPastEvent, insertRecords } from '../support/recoveries.js';

const script =
  '<img src=x onerror="window.attacked = true"><script>window.attacked = true</script>';
/** A receiver that attacks the reader: markup, reordered text, a number beyond doubles. */
const hostileBody = `{"error":${JSON.stringify(script)},"file":"user\u202egpj.exe","amount":12345678901234567890.10,"link":"javascript:alert(1)"}`;
// No retry comes while the tests run.
const hostileHeaders = {
  'Content-Type': 'application/json',
  Server: script,
  'Retry-After': '3600',
};

describeDashboard('the deliveries of the dashboard', (user) => {
  let receiver: Receiver;
  let failed: { readonly id: string; readonly event: string; readonly endpoint: string };

  before(async () => {
    receiver = await startReceiver();
    receiver.always(answer(503, hostileHeaders, hostileBody));
    const { rest } = user.tenant;
    const url = receiver.url(`/hooks?q=${encodeURIComponent(script)}`);
    const { id: endpoint } = await createEndpoint(rest, { url, description: `${script}\u202e` });
    const data = { metadata: { note: `${script}\u202e` } };
    const event = await user.tenant.publish({ subject: 'order:ord_1', data });
    const [{ id }] = await recordedAs(rest, event, ['failed']);
    failed = { id, event, endpoint };
  });

  after(() => receiver.close());

  const expectUnharmed = async (page: Page) => {
    expect(await page.evaluate('window.attacked')).to.equal(undefined);
    const links = await page.evaluate<string[]>('[...document.links].map(({ href }) => href)');
    for (const href of links) expect(href).to.match(/^http:\/\/127\.0\.0\.1:\d+\/dashboard\//);
  };

  it('H173: shows why an attempt failed, and what a receiver wrote as text', async () => {
    const page = await user.signIn('/deliveries?status=failed');
    const row = page.getByRole('link', { name: 'cart.order.completed' });
    await row.waitFor();
    await user.expectFit('the list');
    await page.keyboard.press('j');
    await page.getByText('The receiver responded with status 503.').waitFor();
    await page.waitForURL(new RegExp(`\\?status=failed&open=${failed.id}$`));
    await user.expectFit('the attempt beside the list');
    await expectUnharmed(page);
    await page.keyboard.press('Escape');
    await page.getByText('The receiver responded with status 503.').waitFor({ state: 'detached' });

    await page.keyboard.press('/');
    await page.getByLabel('Find by id').fill(failed.id);
    await page.keyboard.press('Enter');
    await heading(page, 'Attempt').waitFor();
    await page.getByText('12345678901234567890.10').waitFor();
    await page.getByText('\\u202e').first().waitFor();
    await page.getByText('onerror').first().waitFor();

    // The text that is signed begins with the time and a full stop, then comes the body.
    await page
      .getByText(/^\d{10}$/)
      .first()
      .waitFor();

    await page.getByText(/^\{"specversion":"1\.0"/).waitFor();
    await user.expectFit('the attempt');
    await expectUnharmed(page);
  });

  it('H173: shows descriptions of endpoints and data of events as text', async () => {
    const page = await user.signIn('/endpoints');
    for (const path of ['endpoints', `endpoints/${failed.endpoint}`, `events/${failed.event}`]) {
      await page.goto(`${user.service.url}/dashboard/${path}`);
      const written = page.getByText(/onerror.*\\u202e/).first();
      await written.waitFor();
      await expectUnharmed(page);
    }
  });

  it('H173: replays an attempt in place, and shows all attempts of its event', async () => {
    receiver.always(answer(200));
    const page = await user.signIn(`/deliveries/${failed.id}`);
    await page.getByText('Why it failed').waitFor();
    await page.keyboard.press('r');
    await page.getByText('The replay was delivered.').waitFor();
    await page.getByRole('link', { name: 'Attempt 1: Delivered, 200' }).waitFor();
    await page.getByRole('link', { name: failed.event }).click();
    await heading(page, 'cart.order.completed').waitFor();
    await page.getByRole('link', { name: 'Attempt 1: Failed, 503' }).waitFor();
    await page.getByLabel('Endpoint', { exact: true }).selectOption(failed.endpoint);
    await page.getByText('It did: the endpoint accepted the event.').waitFor();
    await user.expectFit('the event');
    await expectUnharmed(page);
  });

  it('H173: offers a viewer no replay, and shows the attempts of no other account', async () => {
    const page = await user.signIn(`/deliveries/${failed.id}`, 'viewer');
    await page.getByText('All attempts of this event').waitFor();
    expect(await page.getByRole('button', { name: 'Replay' }).count()).to.equal(0);
    await page.goto(`${user.service.url}/dashboard/deliveries/whd_0VbmZZ1vukb7Kiw4iIU5s39l`);
    await page.getByText('This did not work').waitFor();
  });

  it('H174: shows attempts as they end, and counts them while paused', async () => {
    const page = await user.signIn('/deliveries');
    await page.getByText('Live', { exact: true }).waitFor();

    const event = await user.tenant.publish({ subject: 'order:ord_2' });
    const [{ id }] = await recordedAs(user.tenant.rest, event, ['success']);
    await page.locator(`#row-${id}`).waitFor();
    await page.keyboard.press('.');
    await page.getByText('Paused').waitFor();

    const held = await user.tenant.publish({ subject: 'order:ord_3' });
    const [{ id: heldId }] = await recordedAs(user.tenant.rest, held, ['success']);
    const button = page.getByRole('button', { name: '1 new delivery' });
    await button.waitFor();
    expect(await page.locator(`#row-${heldId}`).count()).to.equal(0);
    await button.click();
    await page.locator(`#row-${heldId}`).waitFor();
    await page.goto(`${user.service.url}/dashboard/deliveries/${heldId}`);
    await page.getByText('Signalpost keeps the request and response of a failed attempt').waitFor();
    await user.expectFit('a success without evidence');
  });

  it('H174: leads from an endpoint to its attempts, and to no others', async () => {
    const { rest } = user.tenant;
    const url = receiver.url('/unused');
    const { id } = await createEndpoint(rest, { url, event_types: ['payment.refund.created'] });
    const page = await user.signIn(`/endpoints/${failed.endpoint}`, 'viewer');
    await page.getByRole('link', { name: 'View deliveries' }).click();
    await page.waitForURL(new RegExp(`/deliveries\\?endpoint=${failed.endpoint}$`));
    await page.locator(`#row-${failed.id}`).waitFor();
    await page.goto(`${user.service.url}/dashboard/endpoints/${id}`);
    await page.getByRole('link', { name: 'View deliveries' }).click();
    await page.getByText('No matching deliveries').waitFor();
  });

  it('H174: finds the attempts of a chosen range, and keeps the range in the URL', async () => {
    const page = await user.signIn('/deliveries?range=hour');
    const row = page.getByRole('link', { name: 'cart.order.completed' }).first();
    await row.waitFor();
    await page.getByLabel('Time').selectOption('custom');
    await page.waitForURL(/range=custom&since=/);

    const until = page.getByLabel('Until');
    const wrong = page.getByText('Choose a time after the start of the range.');

    await until.fill('2020-01-01T00:00');
    expect(await wrong.count(), 'said while it is typed').to.equal(0);
    await until.blur();
    await wrong.waitFor();
    expect(await until.getAttribute('max')).to.equal('9999-12-31T23:59');
    await page.getByLabel('From').fill('2019-12-31T00:00');
    await user.expectFit('the fields of a range');
    await until.press('Enter');
    await page.getByText('No matching deliveries').waitFor();
    await page.waitForURL(/since=2019-12-3.*&until=(?:2019-12-31|2020-01-01)/);
    await page.reload();
    expect(await until.inputValue()).to.equal('2020-01-01T00:00');
    await until.fill('');
    await page.getByRole('button', { name: 'Apply' }).press('Enter');
    await row.waitFor();
  });

  it('H280: says at a filter why the service refused it', async () => {
    const empty = 'since=2026-01-02T00:00:00.000Z&until=2026-01-01T00:00:00.000Z';
    const page = await user.signIn(`/deliveries?range=custom&${empty}`);
    const until = page.getByLabel('Until');

    await page.getByText('Choose a time after the start of the range.').waitFor();
    await page.goto(`${user.service.url}/dashboard/deliveries?endpoint=${failed.id}`);

    const endpoint = page.getByLabel('Endpoint', { exact: true });
    await endpoint.and(page.locator('[aria-invalid=true]')).waitFor();
    await eventually(async () => {
      expect(await describedBy(endpoint)).to.include('with this id.');
    }, 'the filter says why it was refused');
    await user.expectFit('a filter that is refused');
    await page.goto(`${user.service.url}/dashboard/deliveries?range=custom`);

    // Half a date: a browser says nothing of it in its own words, and the list stays as it is.
    await until.focus();
    await page.keyboard.type('01');
    await until.press('Enter');
    await until.and(page.locator('[aria-invalid=true]:focus')).waitFor();
    expect(await describedBy(until)).to.equal('Enter a date and a time.');
    expect(page.url()).to.match(/deliveries\?range=custom$/);
  });

  it('H174: starts at an overview that leads to attempts', async () => {
    const database = await user.service.database.open();
    await database.transact((tx) => foldStatistics(tx, 5_000));

    const page = await user.signIn('/');
    await heading(page, 'Overview').waitFor();
    await page.getByText('Endpoints with failures').waitFor();
    await page.getByText(/^1 failed attempt, latest/).waitFor();
    await page.getByText('Oldest overall', { exact: true }).waitFor();

    await page
      .getByText(/^\d+ (second|minute)s?$/)
      .nth(1)
      .waitFor();

    await user.expectFit('the overview');
    await page.getByRole('link', { name: 'Show them' }).click();
    await heading(page, 'Deliveries').waitFor();
    await page.getByRole('link', { name: 'cart.order.completed' }).first().waitFor();
    await expectUnharmed(page);
  });

  it('H174: every endpoint can be chosen, also beyond one page of them', async () => {
    const newer = Array.from({ length: 120 }, () => makeId('whs', new Date()));
    await user.service.database.query(
      `insert into endpoint (id, account_id, url, active, notification_email, event_types,
                             created_at, updated_at)
       select id, $2, 'https://other.example/', false, 'ops@shop.example', '{offer.sent}', now(), now()
         from unnest($1::text[]) id`,
      [newer, user.tenant.account],
    );

    const page = await user.signIn('/deliveries');
    const label = `${new URL(receiver.url('/')).host}/hooks`;
    await page.getByLabel('Endpoint').selectOption({ label });
    await page.waitForURL(/endpoint=whs_/);
    await page.getByRole('link', { name: 'cart.order.completed' }).first().waitFor();
  });
});

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

  it('H188: offers to recover lost events after enabling, and shows them arrive', async () => {
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
