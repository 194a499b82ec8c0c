import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { createCheckout, payCheckout, makeOffer } from '../support/sales.js';
import { describeInChromium } from '../support/browser.js';

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

  it('stand on one line within their box, at every width, while and after they are paid', async () => {
    const page = await browse({});
    for (const cart of carts) {
      const id = await createCheckout(browserUser.tenant, { ...cart, buyerEmail: 'a@b.example' });
      await expectWhole(page, `${browserUser.service.url}/checkout/${id}`);
      await payCheckout(browserUser.tenant, id);
      await expectWhole(page, `${browserUser.service.url}/checkout/${id}`);
    }
  });

  it('stand on one line within their box on the page of an offer, at every width', async () => {
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
