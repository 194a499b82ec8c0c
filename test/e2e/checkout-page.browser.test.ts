import { expect } from 'chai';
import { describedBy, describeInChromium, phone, expectVisibleFocus } from '../support/browser.js';
import { createCheckout, expireIn, payCheckout } from '../support/sales.js';
import { dataOf } from '../support/endpoints.js';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

describeInChromium('the page to pay at', (browserUser) => {
  const { browse, waitForUrl, contentWidth } = browserUser;
  let shop: Shop;

  before(async () => (shop = await openShop()));
  after(() => shop.close());

  const urlOf = (id: string) => `${browserUser.service.url}/checkout/${id}`;
  const open = (changes: object = {}) =>
    createCheckout(browserUser.tenant, {
      successUrl: `${shop.origin}/thanks`,
      cancelUrl: `${shop.origin}/cart`,
      shippingMinorUnits: 490,
      ...changes,
    });

  const orderOf = async (id: string) => {
    const reply = await browserUser.tenant.rest.get(`/v1/commerce/checkouts/${id}`);
    return dataOf<{ order: { id: string } | null }>(reply, 200).order?.id;
  };

  const arrival = () => waitForUrl(`${shop.origin}/thanks?`);

  it('is paid without scripts on a screen of 360 pixels, and leads to the shop', async () => {
    const page = await browse({ ...phone, javaScriptEnabled: false });
    const id = await open({ metadata: { cart: '7' } });
    await page.goto(`${urlOf(id)}?affiliate=partner-9`);
    await page.getByLabel('E-mail').fill('buyer@example.com');
    await page.getByLabel('Name').fill('Ada');
    await page.getByRole('button', { name: 'Pay €23.90' }).click();
    await arrival();
    expect(page.url()).to.equal(
      `${shop.origin}/thanks?order=${(await orderOf(id)) ?? ''}&metadata%5Bcart%5D=7&affiliate=partner-9`,
    );
    expect(shop.visits.at(-1)).to.include({ referer: undefined });
    await page.goBack();
    await page.reload();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).to.equal(
      'This checkout is paid',
    );
  });

  it('is paid by keyboard only, with focus always visible', async () => {
    const page = await browse(phone);
    const id = await open();
    await page.goto(urlOf(id));

    const reached: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      await page.keyboard.press('Tab');
      reached.push(await expectVisibleFocus(page));
    }

    expect(reached).to.deep.equal(['buyer_email', 'buyer_name', 'method', 'button', 'a']);
    await page.getByLabel('E-mail').focus();
    await page.keyboard.type('buyer@example.com');
    await page.keyboard.press('Enter');
    await arrival();
    expect(page.url()).to.equal(`${shop.origin}/thanks?order=${(await orderOf(id)) ?? ''}`);
  });

  it('leads to a shop that moves its buyers on to another host', async () => {
    const page = await browse(phone);
    await page.goto(
      urlOf(await open({ successUrl: `${shop.origin}/moved`, buyerEmail: 'a@b.example' })),
    );
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.waitForURL(`${shop.otherOrigin}/thanks?**`);
  });

  it('makes one payment of a double click', async () => {
    const page = await browse({});
    const id = await open({ buyerEmail: 'a@b.example' });
    await page.goto(urlOf(id));
    await page.getByRole('button', { name: 'Pay' }).dblclick();
    await arrival();
    const rows = await browserUser.service.database.query(
      'select from "order" where checkout_id = $1',
      [id],
    );
    expect(rows).to.have.length(1);
  });

  it('shows no horizontal scrolling for the longest texts', async () => {
    const page = await browse(phone);
    const word = 'Unbreakable'.repeat(22);
    await browserUser.withAccountName(word, async () => {
      const id = await open({
        shippingMinorUnits: 0,
        buyerEmail: `${'a'.repeat(120)}@example.com`,
        buyerEmailLocked: true,
        lineItems: [{ name: word, quantity: 1, unitAmountMinorUnits: Number.MAX_SAFE_INTEGER }],
      });

      await page.goto(urlOf(id));
      expect(await contentWidth()).to.equal(360);
      await page.setViewportSize({ width: 320, height: 600 });
      expect(await contentWidth()).to.equal(320);
      await expireIn(browserUser.service.database, id, 0);
      await page.reload();
      expect(await contentWidth()).to.equal(320);
    });
  });

  it('has no issue that axe finds, in any of its states', async () => {
    const page = await browse(phone);
    const paid = await open({ buyerEmail: 'a@b.example' });
    await payCheckout(browserUser.tenant, paid);

    const expired = await open();
    await expireIn(browserUser.service.database, expired, 0);

    const locked = await open({ buyerEmail: 'a@b.example', buyerEmailLocked: true });
    const visited = [await open(), locked, paid, expired, 'chk_0000000000000000000000AB'];
    for (const id of visited) {
      await page.goto(urlOf(id));
      await browserUser.expectAccessible(id);
    }

    const refused = await open();
    await page.goto(urlOf(refused));
    await page.getByLabel('E-mail').fill('nobody');
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.getByRole('alert').waitFor();
    await browserUser.expectAccessible('refused');
    await page.getByRole('link', { name: 'Enter a valid e-mail address.' }).click();
    expect(await page.evaluate('document.activeElement.id')).to.equal('buyer_email');
  });

  it('H281: takes the address that it is prefilled with, which browsers refuse', async () => {
    const page = await browse(phone);
    const id = await open({ buyerEmail: 'müller@example.com' });
    await page.goto(urlOf(id));
    await page.getByRole('button', { name: 'Pay' }).click();
    await arrival();
    expect(page.url()).to.include((await orderOf(id)) ?? 'no order');
  });

  it('H281: says at each field what is wrong, and puts the cursor into the first', async () => {
    const page = await browse({ ...phone, javaScriptEnabled: false });
    await page.goto(urlOf(await open()));

    const email = page.getByLabel('E-mail');
    const name = page.getByLabel('Name');

    await email.fill(`${'a'.repeat(250)}@example.com`);
    await name.fill('b'.repeat(251));
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.getByRole('heading', { name: 'The payment was not made' }).waitFor();
    await page.locator('#buyer_email:focus').waitFor();
    expect(await describedBy(email)).to.equal('Enter an e-mail address of at most 254 characters.');
    expect(await describedBy(name)).to.include('at most 250');
    expect((await email.inputValue()).length).to.equal(262);
    await email.fill('');
    await name.fill('');
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.getByRole('link', { name: 'Enter a valid e-mail address.' }).waitFor();
    await page.locator('#buyer_email:focus').waitFor();
    await email.fill('buyer@example.com');
    await name.fill('b'.repeat(251));
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.getByRole('link', { name: /^Enter a name/ }).waitFor();
    await page.locator('#buyer_name:focus').waitFor();
  });

  it('is shown in a frame of embed_origin, and paid there for the whole window', async () => {
    const page = await browse({});
    const id = await open({ embedOrigin: shop.origin, buyerEmail: 'a@b.example' });
    shop.frame(`${urlOf(id)}/embed`);
    await page.goto(`${shop.origin}/frame`);
    const frame = page.frameLocator('iframe');
    await frame.getByRole('button', { name: 'Pay' }).click();
    await page.waitForURL(`${shop.origin}/thanks?order=**`);
    expect(await orderOf(id)).to.be.a('string');
  });

  it('is shown in no other frame, and checkout_url in none', async () => {
    const page = await browse({});
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

/** The web site of a merchant on this machine. */
interface Shop {
  /** The origin with 127.0.0.1. */
  readonly origin: string;
  /** The same site with the name localhost, which is another origin. */
  readonly otherOrigin: string;
  /** The requests in order, with their Referer. */
  readonly visits: readonly { readonly path: string; readonly referer: string | undefined }[];
  /** Sets the URL in the frame of pages below /frame. */
  frame(url: string): void;
  close(): Promise<void>;
}

/** Opens a shop; `/moved` redirects to `/thanks` of the other origin. */
async function openShop(): Promise<Shop> {
  const visits: { path: string; referer: string | undefined }[] = [];
  let framed = '';
  const server = createServer(({ url: path = '/', headers }, response) => {
    if (path === '/favicon.ico') {
      response.writeHead(404).end();
      return;
    }

    visits.push({ path, referer: headers.referer });

    if (path.startsWith('/moved')) {
      response.writeHead(302, { location: shop.otherOrigin + path.replace('/moved', '/thanks') });
      response.end();
      return;
    }

    response.setHeader('content-type', 'text/html; charset=utf-8');

    const frame = path.startsWith('/frame')
      ? `<iframe src="${framed}" title="checkout"></iframe>`
      : '';
    response.end(`<!doctype html><title>Shop</title><h1>Shop</h1>${frame}`);
  });

  server.listen(0);
  await once(server, 'listening');

  const { port } = server.address() as AddressInfo;
  const shop: Shop = {
    origin: `http://127.0.0.1:${port}`,
    otherOrigin: `http://localhost:${port}`,
    visits,
    frame(url) {
      framed = url;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return shop;
}
