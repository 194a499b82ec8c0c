import { expect } from 'chai';
import { describedBy, describeInChromium, phone, expectVisibleFocus } from '../support/browser.js';
import {
  createCheckout,
  expireIn,
  payCheckout,
  ask,
  expireOfferIn,
  makeOffer,
  type OfferTransition,
  openOfferCheckout,
  payPage,
} from '../support/sales.js';
import { dataOf } from '../support/endpoints.js';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';

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

  it('takes a payment without scripts on a screen of 360 pixels, and leads to the shop', async () => {
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

  it('takes a payment by keyboard only, with the focus always visible', async () => {
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

  it('the page to pay at does not scroll horizontally for the longest texts', async () => {
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

  it('the checkout page passes axe in every state', async () => {
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

  it('H281: accepts a prefilled address that browsers refuse', async () => {
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

  it('shows the checkout in a frame of embed_origin, and takes the payment there for the whole window', async () => {
    const page = await browse({});
    const id = await open({ embedOrigin: shop.origin, buyerEmail: 'a@b.example' });
    shop.frame(`${urlOf(id)}/embed`);
    await page.goto(`${shop.origin}/frame`);
    const frame = page.frameLocator('iframe');
    await frame.getByRole('button', { name: 'Pay' }).click();
    await page.waitForURL(`${shop.origin}/thanks?order=**`);
    expect(await orderOf(id)).to.be.a('string');
  });

  it('lets no other site frame the checkout, and none frame checkout_url', async () => {
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

describeInChromium('the page behind offer_url', (browserUser) => {
  const { browse, waitForUrl, contentWidth } = browserUser;
  const make = (changes?: object, steps?: readonly OfferTransition[]) =>
    makeOffer(browserUser.tenant.rest, changes, steps);
  const checkoutUrl = (id: string) => `${browserUser.service.url}/checkout/${id}`;

  it('accepts the offer by paying, without scripts, on a screen of 360 pixels', async () => {
    const page = await browse({ ...phone, javaScriptEnabled: false });
    const offer = await make({ message: 'As we said.', metadata: { deal: '7' } });
    await page.goto(offer.offer_url);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).to.equal('One poster');
    await page.getByRole('button', { name: 'Continue to pay €19.00' }).click();
    await waitForUrl('/checkout/chk_');
    await page.getByRole('button', { name: 'Pay €19.00' }).click();
    await waitForUrl(`${offer.offer_url}?order=ord_`);
    expect(page.url()).to.include('deal');
    await page.getByRole('heading', { name: 'Accepted and paid' }).waitFor();
    expect(await page.getByRole('button').count()).to.equal(0);
    await page.reload();
    await page.getByRole('heading', { name: 'Accepted and paid' }).waitFor();
  });

  it('accepts the offer by keyboard only, with the focus always visible', async () => {
    const page = await browse(phone);
    await page.goto((await make()).offer_url);
    await page.keyboard.press('Tab');
    expect(
      await page.evaluate(
        '[document.activeElement.localName, getComputedStyle(document.activeElement).outlineStyle]',
      ),
    ).to.deep.equal(['button', 'solid']);
    await page.keyboard.press('Enter');
    await waitForUrl('/checkout/chk_');
  });

  it('redirects correctly when the service is reached under another host name', async () => {
    const page = await browse(phone);
    const { offer_url: url } = await make();
    expect(url).to.include('//127.0.0.1:');
    await page.goto(url.replace('127.0.0.1', 'localhost'));
    await page.getByRole('button', { name: 'Continue to pay' }).click();
    await waitForUrl(`${browserUser.service.url}/checkout/chk_`);
    await page.getByRole('button', { name: 'Pay' }).click();
    await waitForUrl(`${url}?order=`);
  });

  /** Addresses of the page in each of its states, and of the checkouts that an offer closes. */
  const states = async (changes: object): Promise<Record<string, string>> => {
    const sent = await make(changes);
    const accepted = await make(changes);
    const cancelled = await make(changes);
    const expired = await make(changes);
    const paid = await openOfferCheckout(accepted);
    const closed = await openOfferCheckout(cancelled);
    const over = await openOfferCheckout(expired);

    await payPage(checkoutUrl(paid));
    dataOf(await ask(browserUser.tenant.rest, cancelled.id, 'cancel'), 200);
    await expireOfferIn(browserUser.service, expired.id, 0);

    return {
      sent: sent.offer_url,
      accepted: accepted.offer_url,
      cancelled: cancelled.offer_url,
      expired: expired.offer_url,
      draft: (await make(changes, [])).offer_url,
      'checkout of the accepted': checkoutUrl(paid),
      'checkout of the cancelled': checkoutUrl(closed),
      'checkout of the expired': checkoutUrl(over),
    };
  };

  it('the page of an offer passes axe in every state', async () => {
    const page = await browse(phone);
    const shown = await states({ message: 'Dear all,\nas we said.', shipping_minor_units: 490 });
    for (const [state, url] of Object.entries(shown)) {
      await page.goto(url);
      await browserUser.expectAccessible(state);
    }
  });

  it('the page of an offer does not scroll horizontally for the longest texts, in any of its states', async () => {
    const page = await browse(phone);
    const word = 'Unbreakable'.repeat(23).slice(0, 250);
    await browserUser.withAccountName(word, async () => {
      const shown = await states({
        title: word,
        message: word.repeat(8),
        line_items: [{ name: word, quantity: 1, unit_amount_minor_units: Number.MAX_SAFE_INTEGER }],
      });
      for (const [state, url] of Object.entries(shown)) {
        await page.goto(url);
        for (const width of [360, 320]) {
          await page.setViewportSize({ width, height: 600 });
          expect(await contentWidth(), state).to.equal(width);
        }
      }
    });
  });
});

/** A price on the page, and how many lines it takes. */
interface ShownPrice {
  readonly text: string;
  readonly lines: number;
}

/** Amounts as pages write them, with the sign of a currency or its code. */
const prices = String.raw`/-?(?:[€$¥]|[A-Z]{3}\u00a0)\d[\d,]*(?:\.\d+)?/gu`;

/** Reads every price of the page, wherever it stands, and how many lines it is broken into. */
const readPrices = `(() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    for (const match of node.data.matchAll(${prices})) {
      const range = document.createRange();
      range.setStart(node, match.index);
      range.setEnd(node, match.index + match[0].length);
      const tops = new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top)));
      found.push({ text: match[0], lines: tops.size });
    }
  }
  return found;
})()`;

/** Elements that are wider than the box they stand in, or than the screen. */
const readOverflows = `Array.from(document.querySelectorAll('body *'))
  .filter((element) => {
    const { left, right } = element.getBoundingClientRect();
    const box = element.parentElement.getBoundingClientRect();
    return left < box.left - 1 || right > box.right + 1 || right > innerWidth || left < 0;
  })
  .map((element) => element.outerHTML.slice(0, 80))`;

const widths = [320, 360, 390, 768, 1_024];
const word = 'Unbreakable'.repeat(22);
const words = 'A very long name of many words '.repeat(8).trim();

describeInChromium('prices on the hosted pages', (browserUser) => {
  const { browse } = browserUser;

  /** Short and long names beside the same amount. */
  const lineItemsOf = (unitAmountMinorUnits: number) =>
    ['Poster', words, word].map((name) => ({ name, quantity: 1, unitAmountMinorUnits }));
  const carts = [
    { currency: 'EUR', lineItems: lineItemsOf(1_999), shippingMinorUnits: 490 },
    { currency: 'EUR', lineItems: lineItemsOf(999_999_999_999), shippingMinorUnits: 490 },
    { currency: 'JPY', lineItems: lineItemsOf(999_999_999_999), shippingMinorUnits: 1 },
    { currency: 'KWD', lineItems: lineItemsOf(999_999_999_999), shippingMinorUnits: 1 },
    {
      currency: 'KWD',
      shippingMinorUnits: 0,
      lineItems: [
        {
          name: words,
          quantity: 1_000_000,
          unitAmountMinorUnits: 8_000_000_000,
          discountMinorUnits: 900_000_000_000_000,
          taxMinorUnits: 900_000_000_000_000,
        },
        { name: 'Poster', quantity: 1_000_000, unitAmountMinorUnits: 1 },
      ],
    },
  ];

  const expectWhole = async (page: Page, url: string) => {
    await page.goto(url);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      const shown = await page.evaluate<ShownPrice[]>(readPrices);
      expect(shown.length, url).to.be.greaterThan(3);
      const broken = shown.filter(({ lines }) => lines !== 1);
      expect(broken, `broken at ${width} pixels`).to.deep.equal([]);
      expect(await page.evaluate(readOverflows), `too wide at ${width}`).to.deep.equal([]);
      expect(await browserUser.contentWidth(), `scrolls at ${width}`).to.equal(width);
    }
  };

  it('shows prices on one line within their box, at every width, before and after the payment', async () => {
    const page = await browse({});
    for (const cart of carts) {
      const id = await createCheckout(browserUser.tenant, { ...cart, buyerEmail: 'a@b.example' });
      await expectWhole(page, `${browserUser.service.url}/checkout/${id}`);
      await payCheckout(browserUser.tenant, id);
      await expectWhole(page, `${browserUser.service.url}/checkout/${id}`);
    }
  });

  it('shows prices on one line within their box on the page of an offer, at every width', async () => {
    const page = await browse({});

    for (const { currency, lineItems, shippingMinorUnits } of carts) {
      const { offer_url: url } = await makeOffer(browserUser.tenant.rest, {
        currency,
        shipping_minor_units: shippingMinorUnits,
        line_items: lineItems.map(({ name, quantity, unitAmountMinorUnits }) => ({
          name,
          quantity,
          unit_amount_minor_units: unitAmountMinorUnits,
        })),
      });
      await expectWhole(page, url);
    }
  });
});
