import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describedBy } from '../support/browser.js';
import { createCheckout, makeOrder, payCheckout, makeOffer } from '../support/sales.js';
import { describeDashboard, heading } from '../support/dashboard.js';
import { dataOf } from '../support/endpoints.js';
import { openPdf, pdfReaderMissing, textOfPdf } from '../support/pdf.js';
import { createTenant } from '../support/tenants.js';

const refundMutation = `
  mutation ($id: ID!, $account: ID, $input: RefundPaymentInput!) {
    refundPayment(id: $id, account: $account, input: $input) { id }
  }`;

describeDashboard('the sales of the dashboard', (user) => {
  const open = (page: Page, path: string) => page.goto(`${user.service.url}/dashboard/${path}`);
  const fact = (page: Page, name: string, value: string) =>
    page
      .locator('.facts > div', { has: page.getByText(name, { exact: true }) })
      .getByText(value, { exact: true });

  const refund = (payment: string, input: object) =>
    user.tenant.graphql(refundMutation, { id: payment, account: user.tenant.account, input });
  const lists = ['orders', 'payments', 'refunds', 'invoices', 'offers', 'checkouts'] as const;

  it('H217: says in each empty list what to do next', async () => {
    const page = await user.signIn('/orders', 'accountant');
    for (const list of lists) {
      await open(page, list);
      await page.locator('.empty').waitFor();
    }
    await user.expectFit('an empty list');
  });

  it('H217: finds an order by its id, and refunds its payment in part and in full', async () => {
    const { order, payment, invoice } = await makeOrder(user.tenant);
    const page = await user.signIn('/orders', 'admin');
    await page.locator(`a[href$="${order.id}"]`).waitFor();
    await user.expectFit('the list of orders');
    await page.keyboard.press('/');
    await page.getByLabel('Find by id').fill(order.id);
    await page.keyboard.press('Enter');
    await page.getByText('Poster').waitFor();
    await user.expectFit('an order');
    await page.getByRole('link', { name: payment.id }).click();
    await heading(page, '€19.00').waitFor();
    await page.locator('nav a[aria-current]', { hasText: 'Sales' }).waitFor();
    await user.expectFit('a payment');

    await page.getByRole('button', { name: 'Refund' }).click();

    const dialog = page.getByRole('dialog');
    const amount = dialog.getByLabel('Amount in EUR');
    expect(await amount.inputValue()).to.equal('19.00');
    await dialog.getByText('€19.00 is left to refund.').waitFor();
    await amount.fill('19.01');
    await dialog.getByText('Enter at most €19.00.').waitFor();
    await amount.fill('5,00');
    await dialog.getByText('Enter an amount such as 19.00.').waitFor();
    await amount.fill('5.00');
    await dialog.getByText('Enter an amount such as 19.00.').waitFor({ state: 'detached' });
    await amount.fill('5.005');
    await dialog.getByText('Enter an amount such as 19.00.').waitFor();
    await user.expectFit('the refund');
    await amount.fill('5.00');
    await dialog.getByLabel('Reason').selectOption('duplicate');
    await dialog.getByLabel('Note').fill('<b>twice</b>');
    await dialog.getByRole('button', { name: 'Refund €5.00' }).click();
    await page.getByText('€5.00 is refunded.').waitFor();
    await fact(page, 'Left to refund', '€14.00').waitFor();

    await page.getByRole('button', { name: 'Refund' }).click();
    await dialog.getByRole('button', { name: 'Refund €14.00' }).click();
    await fact(page, 'Left to refund', '€0.00').waitFor();
    await page.getByRole('button', { name: 'Refund' }).waitFor({ state: 'detached' });

    await open(page, 'refunds');
    await page.getByRole('link', { name: 'Paid twice' }).click();
    await page.getByText('<b>twice</b>').waitFor();
    await user.expectFit('a refund');
    await open(page, `invoices/${invoice.id}`);

    const pdf = page.getByRole('link', { name: 'Open the PDF' });
    await pdf.waitFor();
    await user.expectFit('an invoice');

    const response = await page.request.get((await pdf.getAttribute('href')) ?? '');
    expect(response.headers()['content-type']).to.equal('application/pdf');
    await open(page, 'invoices');

    await page
      .getByRole('link', { name: /^Credit note / })
      .first()
      .waitFor();
  });

  it('H280: says at the filter of payments why the service refused it', async () => {
    const page = await user.signIn('/payments', 'accountant');
    const buyer = page.getByRole('searchbox', { name: 'Email address of the buyer' });
    await buyer.fill('nobody');
    await buyer.press('Enter');
    await page.locator('[aria-invalid=true]:focus').waitFor();
    await buyer.and(page.locator('[aria-invalid=true]')).waitFor();
    expect(await describedBy(buyer)).to.equal('Must be an e-mail address.');
    await user.expectFit('a refused filter');
  });

  it('H278: finds orders, refunds and invoices by buyer, number and days', async () => {
    const tenant = user.tenant;
    const buyerEmail = 'grace@buyers.example';
    const sale = await payCheckout(tenant, await createCheckout(tenant), { buyerEmail });
    const other = await makeOrder(tenant);

    await refund(sale.payment.id, { amountMinorUnits: 500, reason: 'fraudulent' });

    const { number } = dataOf<{ number: string }>(
      await tenant.rest.get(`/v1/commerce/invoices/${sale.invoice.id}`),
      200,
    );

    const page = await user.signIn('/invoices', 'accountant');
    const of = (id: string) => page.locator(`.list a[href$="${id}"]`);
    const count = (text: string) => page.getByText(text, { exact: true }).waitFor();

    await page.getByLabel('Invoice number').fill(` ${number.toLowerCase()} `);
    await page.keyboard.press('Enter');
    await count('1 entry');
    await of(sale.invoice.id).waitFor();
    await user.expectFit('the filtered list of invoices');

    await open(page, 'orders');
    await of(other.order.id).waitFor();
    await page.getByLabel('Email address of the buyer').fill('Grace@buyers.example');
    await page.getByRole('button', { name: 'Show' }).click();
    await count('1 entry');
    await of(sale.order.id).waitFor();
    expect(await of(other.order.id).count()).to.equal(0);
    await page.reload();
    await count('1 entry');
    await page.getByRole('link', { name: 'Clear filters' }).click();
    await of(other.order.id).waitFor();

    await open(page, `refunds?number=${number}`);
    await page.getByRole('link', { name: 'Fraud' }).waitFor();
    await count('1 entry');
    await page.getByLabel('Until').fill('2001-01-01');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.locator('.empty').waitFor();
    await page.getByLabel('From').fill('2001-01-02');
    await page.keyboard.press('Enter');
    await page.getByText('Choose a day that is not before the first one.').waitFor();
    await user.expectFit('a range of days that ends before it begins');

    await open(page, 'orders?buyer=grace&from=2026-02-30');

    const refusal = page.locator('.field-error');
    await refusal.getByText('Must be an e-mail address.').waitFor();
    await refusal.getByText('Must be a date').waitFor();
    await user.expectFit('a filter that is refused');

    await page.keyboard.press('/');
    await page.getByLabel('Find by id').fill(number);
    await page.keyboard.press('Enter');
    await count('1 entry');
    await of(sale.invoice.id).waitFor();
  });

  it('H279: names the time zone of the date of an invoice', async () => {
    const { invoice } = await makeOrder(user.tenant);
    await user.service.database.query(
      `update invoice set issued_at = '2026-11-21T23:59:59Z' where id = $1`,
      [invoice.id],
    );

    const page = await user.signIn('/invoices', 'accountant');
    await page.getByText('Nov 21, 2026 UTC', { exact: true }).waitFor();
    await open(page, `invoices/${invoice.id}`);
    await fact(page, 'Issued', 'Nov 21, 2026, 11:59:59 PM UTC').waitFor();

    const pdf = await page.getByRole('link', { name: 'Open the PDF' }).getAttribute('href');

    if (pdfReaderMissing === undefined) {
      const text = await textOfPdf((await openPdf(pdf ?? '')).bytes);
      expect(text).to.include('Date: 2026-11-21 (UTC)');
    }
  });

  it('H218: refunds once when another refund came first, and keeps the input', async () => {
    const { payment } = await makeOrder(user.tenant);
    const page = await user.signIn(`/payments/${payment.id}`, 'admin');
    await page.getByRole('button', { name: 'Refund' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Amount in EUR').fill('4.00');
    await refund(payment.id, { amountMinorUnits: 400, refundedMinorUnits: 0 });
    await dialog.getByRole('button', { name: 'Refund €4.00' }).click();
    await dialog.getByText('The payment has been refunded since you read it.').waitFor();
    expect(await dialog.getByLabel('Amount in EUR').inputValue()).to.equal('4.00');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await fact(page, 'Left to refund', '€15.00').waitFor();
  });

  it('H217: sends and withdraws an offer, by keyboard alone', async () => {
    const { id } = await makeOffer(user.tenant.rest, { title: '<i>Poster</i>' }, []);
    const page = await user.signIn('/offers', 'owner');
    await page.getByRole('link', { name: '<i>Poster</i>' }).focus();
    await page.keyboard.press('Enter');
    await heading(page, '<i>Poster</i>').waitFor();
    expect(page.url()).to.include(id);
    await user.expectFit('an offer');

    for (const [step, done] of [
      ['Send', 'The offer is on its way.'],
      ['Withdraw', 'The offer is withdrawn.'],
    ] as const) {
      await page.getByRole('button', { name: step, exact: true }).focus();
      await page.keyboard.press('Enter');
      await user.expectFit(`the dialog of the step ${step}`);
      await page.getByRole('dialog').getByRole('button', { name: step, exact: true }).focus();
      await page.keyboard.press('Enter');
      await page.getByText(done).waitFor();
    }

    await page.getByRole('button', { name: 'Withdraw' }).waitFor({ state: 'detached' });
  });

  it('H217: shows what buyers wrote as text, and nothing of other accounts', async () => {
    const attack = '<img src=x onerror="document.title=1">\u202e';
    const checkout = await createCheckout(user.tenant, {
      lineItems: [{ name: attack, quantity: 2, unitAmountMinorUnits: 1_000 }],
    });
    const { order } = await payCheckout(user.tenant, checkout, { buyerName: attack });
    const page = await user.signIn(`/orders/${order.id}`, 'accountant');
    await page.locator('h1 .escape', { hasText: String.raw`\u202e` }).waitFor();
    expect(await page.locator('main img').count()).to.equal(0);

    const other = await makeOrder(await createTenant(user.service));
    for (const path of [
      `orders/${other.order.id}`,
      `payments/${other.payment.id}`,
      `invoices/${other.invoice.id}`,
    ]) {
      await open(page, path);
      await page.getByText('with this id.').waitFor();
    }
  });

  it('H217: offers a viewer no change, and refuses a forged one', async () => {
    const { payment } = await makeOrder(user.tenant);
    const offer = await makeOffer(user.tenant.rest, {}, []);
    const admin = await user.signIn(`/payments/${payment.id}`, 'admin');
    const sent = admin.waitForRequest((request) => request.postData()?.includes('input') === true);

    await admin.getByRole('button', { name: 'Refund' }).click();
    await admin.getByLabel('Amount in EUR').fill('1.00');
    await admin.getByRole('button', { name: 'Refund €1.00' }).click();

    const forged = (await sent).postData() ?? '';
    await fact(admin, 'Left to refund', '€18.00').waitFor();
    await admin.context().close();

    const page = await user.signIn(`/payments/${payment.id}`, 'viewer');
    await fact(page, 'Left to refund', '€18.00').waitFor();
    expect(await page.getByRole('button', { name: 'Refund' }).count()).to.equal(0);
    await open(page, `offers/${offer.id}`);
    await page.getByText('Draft').waitFor();
    expect(await page.getByRole('button', { name: 'Send' }).count()).to.equal(0);

    const answer = await page.evaluate(
      async (body) => {
        const headers = { 'Content-Type': 'application/json' };
        const response = await fetch('/dashboard/graphql', { method: 'POST', headers, body });
        return response.text();
      },
      forged.replace('"refundedMinorUnits":0', '"refundedMinorUnits":100'),
    );

    expect(answer).to.include('"forbidden"');
    await open(page, `payments/${payment.id}`);
    await fact(page, 'Left to refund', '€18.00').waitFor();
  });
});
