import { expect } from 'chai';
import { membersDocument } from '../../dashboard/src/generated/documents.js';
import { makeOrder, makeOffer } from '../support/sales.js';
import { describeDashboard, heading } from '../support/dashboard.js';
import { createEndpoint, endpointsPath } from '../support/endpoints.js';

describeDashboard('the pages of the dashboard', (user) => {
  const sales = ['orders', 'payments', 'refunds', 'invoices', 'offers', 'checkouts'] as const;

  it('H171: changes an endpoint', async () => {
    const { id } = await createEndpoint(user.tenant.rest);
    const page = await user.signIn(`/endpoints/${id}`);
    await page.getByRole('link', { name: 'Edit' }).click();
    await heading(page, 'Edit the endpoint').waitFor();
    await page.getByLabel('Description').fill('Into the books');
    await user.expectFit('the form of a change');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Into the books').waitFor();
    const { body } = await user.tenant.rest.get(`${endpointsPath}/${id}`);
    expect(body).to.have.nested.property('data.description', 'Into the books');
  });

  it('H217: lists and shows sales of each kind, accessible in both themes', async () => {
    const { payment } = await makeOrder(user.tenant);
    await user.tenant.graphql(
      `mutation ($id: ID!, $account: ID, $input: RefundPaymentInput!) {
        refundPayment(id: $id, account: $account, input: $input) { id } }`,
      { id: payment.id, account: user.tenant.account, input: { amountMinorUnits: 500 } },
    );

    await makeOffer(user.tenant.rest, { title: 'Poster' }, []);

    const page = await user.signIn('/orders', 'owner');

    for (const kind of sales) {
      await page.goto(`${user.service.url}/dashboard/${kind}`);
      const first = page.locator(`main a[href^="/dashboard/${kind}/"]`).first();
      await first.waitFor();
      await user.expectFit(`the list of ${kind}`);
      await first.click();
      await page.locator('.facts').first().waitFor();
      await user.expectFit(`one of ${kind}`);
    }
  });

  const failures = [
    { path: 'nowhere', shown: 'The address may be wrong' },
    { path: 'endpoints/whs_0VbmZZ1vukb7Kiw4iIU5s39l', shown: 'This did not work' },
    { path: 'members', shown: 'The dashboard failed to show this page.' },
  ] as const;

  it('says why it shows nothing, accessible in both themes', async () => {
    const first = await user.signIn('/overview', 'owner');
    // Of its own: the view that throws must not fail the test.
    const page = await first.context().newPage();
    await page.route('**/dashboard/graphql', async (route) => {
      const isForMembers = route.request().postData()?.includes(membersDocument.id) === true;
      await (isForMembers
        ? route.fulfill({ json: { data: { members: null } } })
        : route.continue());
    });

    for (const { path, shown } of failures) {
      await page.goto(`${user.service.url}/dashboard/${path}`);
      await page.getByText(shown).waitFor();
      await user.expectFit(path, page);
    }
  });

  it('says that the service does not answer, accessible in both themes', async () => {
    const page = await user.browse({ reducedMotion: 'reduce' });
    await page.route('**/dashboard/graphql', (route) => route.abort());
    await page.goto(`${user.service.url}/dashboard/endpoints`);
    await page.getByText('The service did not answer.').waitFor();
    await user.expectFit('a service that does not answer');
    await page.unroute('**/dashboard/graphql');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByLabel('Email address').waitFor();
  });

  it('keeps the theme that a member chose, and follows the device again', async () => {
    const page = await user.signIn('/endpoints');
    const theme = (name: string, state = {}) => page.getByRole('radio', { name, ...state });
    const colour = () =>
      page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');

    await page.emulateMedia({ colorScheme: 'light' });

    const light = await colour();
    await theme('Dark').check();

    const dark = await colour();
    expect(dark).not.to.equal(light);
    await page.reload();
    await theme('Dark', { checked: true }).waitFor();
    expect(await colour()).to.equal(dark);
    await theme('System').check();
    expect(await colour()).to.equal(light);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await colour()).to.equal(dark);
    await page.reload();
    await theme('System', { checked: true }).waitFor();
  });
});
