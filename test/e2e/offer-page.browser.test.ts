import { expect } from 'chai';
import {
  ask,
  expireOfferIn,
  makeOffer,
  type OfferTransition,
  openOfferCheckout,
  payPage,
} from '../support/sales.js';
import { dataOf } from '../support/endpoints.js';
import { describeInChromium, phone } from '../support/browser.js';

describeInChromium('the page behind offer_url', (browserUser) => {
  const { browse, waitForUrl, contentWidth } = browserUser;
  const make = (changes?: object, steps?: readonly OfferTransition[]) =>
    makeOffer(browserUser.tenant.rest, changes, steps);
  const checkoutUrl = (id: string) => `${browserUser.service.url}/checkout/${id}`;

  it('is accepted by paying, without scripts, on a screen of 360 pixels', async () => {
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

  it('is accepted by keyboard only, with focus always visible', async () => {
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

  it('leads on when the service is reached under another name than its own', async () => {
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

  it('has no issue that axe finds, in any of its states', async () => {
    const page = await browse(phone);
    const shown = await states({ message: 'Dear all,\nas we said.', shipping_minor_units: 490 });
    for (const [state, url] of Object.entries(shown)) {
      await page.goto(url);
      await browserUser.expectAccessible(state);
    }
  });

  it('shows no horizontal scrolling for the longest texts, in any of its states', async () => {
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
