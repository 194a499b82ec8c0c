import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { answer } from '../support/behaviours.js';
import { describeDashboard, heading } from '../support/dashboard.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { RestClient } from '../support/rest-client.js';

describeDashboard('one member at the dashboard', (user) => {
  let receiver: Receiver;

  before(async () => {
    receiver = await startReceiver();
  });
  after(() => receiver.close());

  const dialog = (page: Page) => page.getByRole('dialog');
  const click = (page: Page, name: string) =>
    page.getByRole('button', { name, exact: true }).click();

  async function signInByMail(): Promise<Page> {
    const page = await user.open('/');
    const { link } = await user.askForMail(page, await user.newMember('owner'));
    await page.goto(link);
    await click(page, 'Sign in');
    await heading(page, 'Overview').waitFor();
    return page;
  }

  /** @returns the page of the endpoint, in `page` */
  async function createEndpoint(page: Page): Promise<string> {
    await page.getByRole('link', { name: 'Endpoints', exact: true }).click();
    // The overview has such a link, too.
    await heading(page, 'Endpoints').waitFor();
    await page.getByRole('link', { name: 'Create' }).first().click();
    await page.getByLabel('URL').fill(receiver.url('/orders'));
    await page.getByPlaceholder('Search event types').fill('order.completed');
    await page.getByLabel('cart.order.completed').check();
    await page.getByLabel('Notification address').fill('ops@shop.example');
    await click(page, 'Create endpoint');
    await page.getByText(/^whsec_/).waitFor();
    await page.getByRole('link', { name: 'I stored it' }).click();
    await page.getByRole('heading', { name: 'Health' }).waitFor();

    return page.url();
  }

  it('H171, H173, H174, H188, H194: a member looks after an endpoint from sign-in to sign-out', async function () {
    // A recovery takes an event once the minute after it is over (H145).
    this.timeout(720_000);

    const page = await signInByMail();
    const endpoint = await createEndpoint(page);

    const tail = await page.context().newPage();
    tail.setDefaultTimeout(120_000);
    await tail.goto(`${user.service.url}/dashboard/deliveries`);
    await tail.getByText('Live', { exact: true }).waitFor();
    await click(page, 'Send test event');
    await dialog(page).getByRole('button', { name: 'Send' }).click();
    await tail.getByRole('link', { name: 'cart.order.completed' }).click();
    await tail.getByText('Response').first().waitFor();

    receiver.always(answer(410, {}, 'The shop has moved out.'));

    const event = await user.tenant.publish({ subject: 'order:ord_1' });
    await tail.goto(`${user.service.url}/dashboard/deliveries?event=${event}`);
    await tail.getByRole('link', { name: 'cart.order.completed' }).click();
    await tail.getByText('The shop has moved out.').waitFor();

    receiver.always(answer(200));
    await page.goto(endpoint);
    await click(page, 'Rotate secret');
    await dialog(page).getByRole('button', { name: 'Rotate secret' }).click();
    await dialog(page)
      .getByText(/^whsec_/)
      .waitFor();
    await dialog(page).getByRole('button', { name: 'I stored it' }).click();
    await click(page, 'Enable');
    await page.getByRole('link', { name: 'Send them again' }).click();
    await click(page, 'Start the recovery');
    await heading(page, 'Failed and missed events').waitFor();

    await tail.getByRole('link', { name: 'API keys' }).click();
    await click(tail, 'Create API key');
    await dialog(tail).getByRole('button', { name: 'Create API key' }).click();

    const token = await dialog(tail)
      .getByText(/^sk_live_/)
      .innerText();
    const key = new RestClient(user.service.url, token);
    expect((await key.get('/v1/webhooks/endpoints')).status).to.equal(200);
    await dialog(tail).getByRole('button', { name: 'I stored it' }).click();

    await tail
      .locator('.record', { hasText: token.slice(-4) })
      .getByText('Revoke')
      .click();

    await dialog(tail).getByRole('button', { name: 'Revoke' }).click();
    await tail.getByText('The key is revoked.').waitFor();
    expect((await key.get('/v1/webhooks/endpoints')).status).to.equal(401);

    page.setDefaultTimeout(120_000);
    await page.locator('.facts > div', { hasText: 'Delivered' }).getByText('1').waitFor();

    const sentTo = receiver.requests.filter(({ body }) => body.includes(event));
    expect(sentTo.map(({ answered }) => answered)).to.deep.equal([410, 200]);
    expect(sentTo.at(-1)?.headers['webhook-signature']).to.match(/^v1,\S+ v1,\S+$/);
    await click(page, 'Sign out');
    await heading(page, 'Sign in').waitFor();
    await heading(tail, 'Sign in').waitFor();
  });
});
