import axe from 'axe-core';
import { expect } from 'chai';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { browserMissing, startBrowser } from '../support/browser.js';
import { createCheckout, expireIn, payCheckout } from '../support/checkouts.js';
import { dataOf } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { type Service, sharedService } from '../support/service.js';
import { openShop, type Shop } from '../support/shop.js';
import { createTenant, type Tenant } from '../support/tenants.js';

const phone: BrowserContextOptions = { viewport: { width: 360, height: 740 } };

describe('the page to pay at, in Chromium', function () {
  if (browserMissing !== undefined) {
    it(browserMissing);
    return;
  }
  this.timeout(60_000);
  let service: Service;
  let tenant: Tenant;
  let shop: Shop;
  let browser: Browser;
  let page: Page;

  before(async () => {
    [service, shop, browser] = await Promise.all([sharedService(), openShop(), startBrowser()]);
    tenant = await createTenant(service);
  });
  after(async () => {
    await browser.close();
    await shop.close();
  });
  const surf = async (options: BrowserContextOptions) => {
    page = await browser.newPage(options);
    page.setDefaultTimeout(10_000);
  };
  afterEach(() => page.close());

  const urlOf = (id: string) => `${service.url}/checkout/${id}`;
  const open = (changes: object = {}) =>
    createCheckout(tenant, {
      successUrl: `${shop.origin}/thanks`,
      cancelUrl: `${shop.origin}/cart`,
      shippingMinorUnits: 490,
      ...changes,
    });
  const orderOf = async (id: string) => {
    const reply = await tenant.rest.get(`/v1/commerce/checkouts/${id}`);
    return dataOf<{ order: { id: string } | null }>(reply, 200).order?.id;
  };
  /** The path of the shop that the buyer reaches. */
  const arrival = async () => {
    // Not waitForURL: a second click aborts the navigation that it would wait for.
    await eventually(() => {
      expect(page.url()).to.include(`${shop.origin}/thanks?`);
    }, 'the buyer is back in the shop');
    return page.url().replace(shop.origin, '');
  };

  it('is paid without scripts on a screen of 360 pixels, and leads to the shop', async () => {
    await surf({ ...phone, javaScriptEnabled: false });
    const id = await open({ metadata: { cart: '7' } });
    await page.goto(`${urlOf(id)}?affiliate=partner-9`);
    await page.getByLabel('E-mail').fill('buyer@example.com');
    await page.getByLabel('Name').fill('Ada');
    await page.getByRole('button', { name: 'Pay €23.90' }).click();
    expect(await arrival()).to.equal(
      `/thanks?order=${(await orderOf(id)) ?? ''}&metadata%5Bcart%5D=7&affiliate=partner-9`,
    );
    expect(shop.visits.at(-1)).to.include({ referer: undefined });
    await page.goBack();
    await page.reload();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).to.equal(
      'This checkout is paid',
    );
  });

  it('is paid with the keyboard alone, where focus is always seen', async () => {
    await surf(phone);
    const id = await open();
    await page.goto(urlOf(id));
    const reached: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      await page.keyboard.press('Tab');
      const [name, outline] = await page.evaluate<[string, string]>(
        `[document.activeElement.id || document.activeElement.localName,
          getComputedStyle(document.activeElement).outlineStyle]`,
      );
      expect(outline, name).to.equal('solid');
      reached.push(name);
    }
    expect(reached).to.deep.equal(['buyer_email', 'buyer_name', 'method', 'button', 'a']);
    await page.getByLabel('E-mail').focus();
    await page.keyboard.type('buyer@example.com');
    await page.keyboard.press('Enter');
    expect(await arrival()).to.equal(`/thanks?order=${(await orderOf(id)) ?? ''}`);
  });

  it('leads to a shop that moves its buyers on to another host', async () => {
    await surf(phone);
    await page.goto(
      urlOf(await open({ successUrl: `${shop.origin}/moved`, buyerEmail: 'a@b.example' })),
    );
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.waitForURL(`${shop.otherOrigin}/thanks?**`);
  });

  it('makes one payment of a double click', async () => {
    await surf({});
    const id = await open({ buyerEmail: 'a@b.example' });
    await page.goto(urlOf(id));
    await page.getByRole('button', { name: 'Pay' }).dblclick();
    await arrival();
    const rows = await service.database.query('select from "order" where checkout_id = $1', [id]);
    expect(rows).to.have.length(1);
  });

  it('shows no horizontal scrolling, whatever has to fit', async () => {
    await surf(phone);
    const word = 'Unbreakable'.repeat(22);
    await service.database.query('update account set name = $2 where id = $1', [
      tenant.account,
      word,
    ]);
    const id = await open({
      shippingMinorUnits: 0,
      buyerEmail: `${'a'.repeat(120)}@example.com`,
      buyerEmailLocked: true,
      lineItems: [{ name: word, quantity: 1, unitAmountMinorUnits: Number.MAX_SAFE_INTEGER }],
    });
    const widest = async () => page.evaluate<number>('document.documentElement.scrollWidth');
    await page.goto(urlOf(id));
    expect(await widest()).to.equal(360);
    await page.setViewportSize({ width: 320, height: 600 });
    expect(await widest()).to.equal(320);
    await expireIn(service.database, id, 0);
    await page.reload();
    expect(await widest()).to.equal(320);
    await service.database.query(`update account set name = 'Test shop' where id = $1`, [
      tenant.account,
    ]);
  });

  it('has no fault that axe finds, in any of its states', async () => {
    await surf(phone);
    const paid = await open({ buyerEmail: 'a@b.example' });
    await payCheckout(tenant, paid);
    const expired = await open();
    await expireIn(service.database, expired, 0);
    const locked = await open({ buyerEmail: 'a@b.example', buyerEmailLocked: true });
    const visited = [await open(), locked, paid, expired, 'chk_0000000000000000000000AB'];
    const judge = async (what: string) => {
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate<axe.AxeResults>('axe.run()');
      expect(violations.map(({ id, help }) => `${what}: ${id}: ${help}`)).to.deep.equal([]);
    };
    for (const id of visited) {
      await page.goto(urlOf(id));
      await judge(id);
    }
    const refused = await open();
    await page.goto(urlOf(refused));
    // As a browser that does not check forms itself.
    await page.evaluate(`document.querySelector('form').noValidate = true`);
    await page.getByLabel('E-mail').fill('nobody');
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.getByRole('alert').waitFor();
    await judge('refused');
    await page.getByRole('link', { name: 'Enter a valid e-mail address.' }).click();
    expect(await page.evaluate('document.activeElement.id')).to.equal('buyer_email');
  });

  it('is shown in a frame of embed_origin, and paid there for the whole window', async () => {
    await surf({});
    const id = await open({ embedOrigin: shop.origin, buyerEmail: 'a@b.example' });
    shop.frame(`${urlOf(id)}/embed`);
    await page.goto(`${shop.origin}/frame`);
    const frame = page.frameLocator('iframe');
    await frame.getByRole('button', { name: 'Pay' }).click();
    await page.waitForURL(`${shop.origin}/thanks?order=**`);
    expect(await orderOf(id)).to.be.a('string');
  });

  it('is shown in no other frame, and checkout_url in none', async () => {
    await surf({});
    const id = await open({ embedOrigin: shop.origin });
    for (const [origin, url] of [
      [shop.otherOrigin, `${urlOf(id)}/embed`],
      [shop.origin, urlOf(id)],
    ] as const) {
      shop.frame(url);
      const refused = page.waitForEvent('console', (message) =>
        message.text().includes('frame-ancestors'),
      );
      await page.goto(`${origin}/frame`);
      await refused;
      expect(await page.frameLocator('iframe').getByRole('button').count()).to.equal(0);
    }
  });
});
