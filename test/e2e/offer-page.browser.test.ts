import axe from 'axe-core';
import { expect } from 'chai';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { browserMissing, startBrowser } from '../support/browser.js';
import { ask, expireOfferIn, makeOffer, openOffer, payPage } from '../support/offers.js';
import { dataOf } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { type Service, sharedService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

const phone: BrowserContextOptions = { viewport: { width: 360, height: 740 } };

describe('the page behind offer_url, in Chromium', function () {
  if (browserMissing !== undefined) {
    it(browserMissing);
    return;
  }
  this.timeout(60_000);
  let service: Service;
  let tenant: Tenant;
  let browser: Browser;
  let page: Page;

  before(async () => {
    [service, browser] = await Promise.all([sharedService(), startBrowser()]);
    tenant = await createTenant(service);
  });
  after(() => browser.close());
  const surf = async (options: BrowserContextOptions) => {
    page = await browser.newPage(options);
    page.setDefaultTimeout(10_000);
  };
  afterEach(() => page.close());

  const goOn = () => page.getByRole('button', { name: 'Continue to pay' });
  const arriveAt = (path: string) =>
    eventually(() => expect(page.url()).to.include(path), `the recipient is at ${path}`);
  const widest = () => page.evaluate<number>('document.documentElement.scrollWidth');
  const checkoutUrl = (id: string) => `${service.url}/checkout/${id}`;

  it('is accepted by paying, without scripts, on a screen of 360 pixels', async () => {
    await surf({ ...phone, javaScriptEnabled: false });
    const offer = await makeOffer(tenant.rest, { message: 'As we said.', metadata: { deal: '7' } });
    await page.goto(offer.offer_url);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).to.equal('One poster');
    await page.getByRole('button', { name: 'Continue to pay €19.00' }).click();
    await arriveAt('/checkout/chk_');
    await page.getByRole('button', { name: 'Pay €19.00' }).click();
    await arriveAt(`${offer.offer_url}?order=ord_`);
    expect(page.url()).to.include('deal');
    await page.getByRole('heading', { name: 'Accepted and paid' }).waitFor();
    expect(await page.getByRole('button').count()).to.equal(0);
    await page.reload();
    await page.getByRole('heading', { name: 'Accepted and paid' }).waitFor();
  });

  it('is accepted with the keyboard alone, where focus is always seen', async () => {
    await surf(phone);
    await page.goto((await makeOffer(tenant.rest)).offer_url);
    await page.keyboard.press('Tab');
    expect(
      await page.evaluate(
        '[document.activeElement.localName, getComputedStyle(document.activeElement).outlineStyle]',
      ),
    ).to.deep.equal(['button', 'solid']);
    await page.keyboard.press('Enter');
    await arriveAt('/checkout/chk_');
  });

  it('leads on when the service is reached under another name than its own', async () => {
    await surf(phone);
    const { offer_url: url } = await makeOffer(tenant.rest);
    expect(url).to.include('//127.0.0.1:');
    await page.goto(url.replace('127.0.0.1', 'localhost'));
    await goOn().click();
    await arriveAt(`${service.url}/checkout/chk_`);
    await page.getByRole('button', { name: 'Pay' }).click();
    await arriveAt(`${url}?order=`);
  });

  /** Addresses of the page in each of its states, and of the checkouts that an offer closes. */
  const states = async (changes: object): Promise<Record<string, string>> => {
    const sent = await makeOffer(tenant.rest, changes);
    const accepted = await makeOffer(tenant.rest, changes);
    const cancelled = await makeOffer(tenant.rest, changes);
    const expired = await makeOffer(tenant.rest, changes);
    const paid = await openOffer(accepted);
    const closed = await openOffer(cancelled);
    const over = await openOffer(expired);
    await payPage(checkoutUrl(paid));
    dataOf(await ask(tenant.rest, cancelled.id, 'cancel'), 200);
    await expireOfferIn(service, expired.id, 0);
    return {
      sent: sent.offer_url,
      accepted: accepted.offer_url,
      cancelled: cancelled.offer_url,
      expired: expired.offer_url,
      draft: (await makeOffer(tenant.rest, changes, [])).offer_url,
      'checkout of the accepted': checkoutUrl(paid),
      'checkout of the cancelled': checkoutUrl(closed),
      'checkout of the expired': checkoutUrl(over),
    };
  };

  it('has no fault that axe finds, in any of its states', async () => {
    await surf(phone);
    const shown = await states({ message: 'Dear all,\nas we said.', shipping_minor_units: 490 });
    for (const [state, url] of Object.entries(shown)) {
      await page.goto(url);
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate<axe.AxeResults>('axe.run()');
      expect(violations.map(({ id, help }) => `${state}: ${id}: ${help}`)).to.deep.equal([]);
    }
  });

  it('shows no horizontal scrolling, whatever has to fit, in any of its states', async () => {
    await surf(phone);
    const word = 'Unbreakable'.repeat(23).slice(0, 250);
    const rename = (name: string) =>
      service.database.query('update account set name = $2 where id = $1', [tenant.account, name]);
    await rename(word);
    const shown = await states({
      title: word,
      message: word.repeat(8),
      line_items: [{ name: word, quantity: 1, unit_amount_minor_units: Number.MAX_SAFE_INTEGER }],
    });
    for (const [state, url] of Object.entries(shown)) {
      await page.goto(url);
      for (const width of [360, 320]) {
        await page.setViewportSize({ width, height: 600 });
        expect(await widest(), state).to.equal(width);
      }
    }
    await rename('Test shop');
  });
});
