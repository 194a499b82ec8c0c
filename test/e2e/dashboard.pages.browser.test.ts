import { expect } from 'chai';
import { makeOrder } from '../support/checkouts.js';
import { describeDashboard, heading } from '../support/dashboard-user.js';
import { createEndpoint, endpointsPath } from '../support/endpoints.js';
import { makeOffer } from '../support/offers.js';

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
});
