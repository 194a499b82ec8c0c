import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { violationsOf } from '../support/browser.js';
import { createCheckout } from '../support/sales.js';
import { describeDashboard, heading } from '../support/dashboard.js';
import { recordedAs } from '../support/delivery-records.js';
import { createEndpoint } from '../support/endpoints.js';
import { startReceiver } from '../support/receiver.js';

describeDashboard('the layout of the dashboard', (user) => {
  const topOf = async (element: Locator) => (await element.boundingBox())?.y;

  before(async () => {
    const receiver = await startReceiver();
    const { rest } = user.tenant;
    await createEndpoint(rest, { url: receiver.url('/a/rather/long/path/of/a/receiver') });
    await recordedAs(rest, await user.tenant.publish({}), ['success']);
    await receiver.close();
  });

  it('H173: fits the list of attempts into each width of the window', async () => {
    const page = await user.signIn('/deliveries');
    const list = page.getByRole('table');
    await list.getByRole('link').first().waitFor();
    for (const width of [320, 480, 641, 700, 768, 820, 900, 1000, 1100, 1280, 2560]) {
      await page.setViewportSize({ width, height: 800 });
      await drawn(page);
      const { content, room } = await page.evaluate<{ content: number; room: number }>(`(() => {
        const { scrollWidth, clientWidth } = document.querySelector('[role=table]');
        return { content: scrollWidth, room: clientWidth };
      })()`);
      expect(content, `the list in a window of ${width} pixels`).to.be.at.most(room);
    }
  });

  it('H280: prints a page of the dark theme in ink on white, without what is pressed', async () => {
    const page = await user.signIn('/deliveries');
    await page.getByRole('table').getByRole('link').first().waitFor();
    await page.getByText('Dark', { exact: true }).click();
    await page.locator('html[data-theme=dark]').waitFor();
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });

    const colours = await page.evaluate<string[]>(`(() => {
      const { backgroundColor, color } = getComputedStyle(document.documentElement);
      return [backgroundColor, color];
    })()`);

    expect(colours).to.deep.equal(['rgb(255, 255, 255)', 'rgb(27, 28, 31)']);
    expect(await violationsOf(page, 'colours')).to.deep.equal([]);
    for (const hidden of [page.getByRole('navigation', { name: 'Views' }), page.locator('.button')])
      expect(await hidden.filter({ visible: true }).count()).to.equal(0);
  });

  it('H174: moves nothing when the first filter is chosen', async () => {
    for (const [path, filter, value, list] of [
      ['/deliveries', 'Outcome', 'success', '.deliveries'],
      ['/audit-log', 'What', 'session_opened', '.records'],
    ] as const) {
      const page = await user.signIn(path, 'owner');
      await page.locator(`${list} >> text=/./`).first().waitFor();
      const select = page.getByLabel(filter, { exact: true });
      const before = [await select.boundingBox(), await topOf(page.locator(list))];
      await select.selectOption(value);
      await page.getByRole('link', { name: 'Clear filters' }).waitFor();
      expect([await select.boundingBox(), await topOf(page.locator(list))]).to.deep.equal(before);
    }
  });

  it('H171: ends the form of an endpoint where its content ends', async () => {
    const page = await user.signIn('/endpoints/new');
    await page.getByLabel('cart.order.completed').waitFor();
    const { page: all, main } = await page.evaluate<{ page: number; main: number }>(`({
      page: document.documentElement.scrollHeight,
      main: document.querySelector('main').getBoundingClientRect().bottom + scrollY,
    })`);
    expect(all).to.be.at.most(Math.max(Math.ceil(main), 860));
  });

  it('H172: starts where the role may read', async () => {
    const page = await user.signIn('', 'accountant');
    await heading(page, 'Orders').waitFor();
    expect(new URL(page.url()).pathname).to.equal('/dashboard/orders');
    const first = page.getByRole('navigation', { name: 'Views' }).getByRole('link').first();
    expect(await first.innerText()).to.equal('Sales');
    const brand = page.getByRole('link', { name: 'Signalpost' });
    expect(await brand.getAttribute('href')).to.equal('/dashboard/orders');
  });

  it('H217: shows sums that add up', async () => {
    const id = await createCheckout(user.tenant, { shippingMinorUnits: 690 });
    const page = await user.signIn(`/checkouts/${id}`, 'accountant');
    const sum = (name: string) =>
      page.getByRole('row', { name: new RegExp(`^${name} `) }).locator('td');
    const [subtotal, shipping, total] = await Promise.all(
      ['Subtotal', 'Shipping', 'Total'].map((name) => sum(name).innerText()),
    );
    const minorUnits = (shown = '') => Number(shown.replace(/\D/g, ''));
    expect(minorUnits(shipping)).to.equal(690);
    expect(minorUnits(subtotal) + 690).to.equal(minorUnits(total));
  });
});

/** Waits until what a change of the size started is drawn. */
function drawn(page: Page): Promise<unknown> {
  return page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
  );
}
