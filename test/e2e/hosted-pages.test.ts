import { expect } from 'chai';
import {
  createCheckout,
  expireIn,
  payCheckout,
  codeOf,
  ask,
  expireOfferIn,
  makeOffer,
  offerInput,
  offersPath,
  openOfferCheckout,
  payPage,
} from '../support/sales.js';
import { dataOf, createEndpoint, refusalsOf } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { openPage, type PageRequest } from '../support/dashboard.js';
import { type Service, sharedService, startService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';
import { checkEvent } from '../support/contract.js';
import { startReceiver, verify } from '../support/receiver.js';

const email = 'buyer@example.com';
const form = { buyer_email: email, buyer_name: 'Ada', method: 'sandbox' };
const foreign = 'https://elsewhere.example';

describe('the page behind checkout_url', () => {
  let service: Service;
  let tenant: Tenant;

  before(async () => {
    service = await sharedService();
    tenant = await createTenant(service);
  });

  const urlOf = (id: string) => `${service.url}/checkout/${id}`;
  const open = (id: string, ask: PageRequest = {}, suffix = '') =>
    openPage(urlOf(id) + suffix, ask);
  const pay = (id: string, changes: object = {}, headers = {}) =>
    open(id, { form: { ...form, ...changes }, headers });
  const read = async (id: string) =>
    dataOf<{ status: string; order: { id: string } | null; checkout_url?: string }>(
      await tenant.rest.get(`/v1/commerce/checkouts/${id}`),
      200,
    );

  const payments = (id: string) =>
    service.database.query<{ method: string; buyer_email: string }>(
      `select p.method, p.buyer_email from payment p join "order" o on o.id = p.order_id
        where o.checkout_id = $1`,
      [id],
    );

  describe('a checkout that is open', () => {
    it('shows at checkout_url what is bought and what it costs', async () => {
      const id = await createCheckout(tenant, {
        cancelUrl: 'https://shop.example/cart?a=1&b=2',
        shippingMinorUnits: 490,
        lineItems: [
          { name: 'Poster', quantity: 2, unitAmountMinorUnits: 1_900, discountMinorUnits: 500 },
          { name: 'Frame', quantity: 1, unitAmountMinorUnits: 123_456, taxMinorUnits: 600 },
        ],
      });

      const { checkout_url: url = '' } = await read(id);
      const { status, text } = await openPage(url);
      expect(status).to.equal(200);

      for (const shown of [
        '<title>Pay – Test shop</title>',
        'Poster<small>2 × <span class="price">€19.00</span></small>',
        '€38.00',
        '€1,234.56',
        '€1,272.56',
        '-€5.00',
        '€4.90',
        '€6.00',
        'Pay <span class="price">€1,278.46</span></button>',
        'href="https://shop.example/cart?a=1&amp;b=2"',
      ]) {
        expect(text).to.include(shown);
      }
    });

    it('writes amounts as their currency is written, the largest exactly', async () => {
      for (const [currency, unitAmountMinorUnits, written] of [
        ['JPY', 1_190, '¥1,190'],
        ['KWD', 1_190, 'KWD 1.190'],
        ['USD', 5, '$0.05'],
        ['EUR', Number.MAX_SAFE_INTEGER, '€90,071,992,547,409.91'],
        ['EUR', 0, '€0.00'],
      ] as const) {
        const lineItems = [{ name: 'x', quantity: 1, unitAmountMinorUnits }];
        const { text } = await open(await createCheckout(tenant, { currency, lineItems }));
        expect(text.replaceAll('\u00a0', ' ')).to.include(
          `Pay <span class="price">${written}</span></button>`,
        );
      }
    });

    it('escapes every value, those of the form too', async () => {
      const nasty = `"'><i x=y>&amp;`;
      const other = await createTenant(service);
      await service.database.query('update account set name = $2 where id = $1', [
        other.account,
        nasty,
      ]);

      const id = await createCheckout(other, {
        lineItems: [{ name: nasty, quantity: 1, unitAmountMinorUnits: 1 }],
        cancelUrl: `https://shop.example/?q="'><i>`,
      });

      const first = await open(id, {}, `?affiliate=${encodeURIComponent(nasty)}`);
      const again = await pay(id, { buyer_email: nasty, buyer_name: nasty });
      expect([first.status, again.status]).to.deep.equal([200, 422]);

      const escaped = '&quot;&#39;&gt;&lt;i x=y&gt;&amp;amp;';

      for (const { text } of [first, again]) {
        expect(text).not.to.include('<i ');
        expect(text).to.include(` – ${escaped}</title>`);
      }

      expect(again.text).to.include(`value="${escaped}"`);
    });

    it('shows the buyer’s address to change, or to keep when it is locked', async () => {
      const free = await open(await createCheckout(tenant, { buyerEmail: email }));
      expect(free.text).to.match(/<input id="buyer_email"[^>]* value="buyer@example.com"/);

      const id = await createCheckout(tenant, { buyerEmail: email, buyerEmailLocked: true });
      const { text } = await open(id);
      expect(text).to.include(email).and.not.to.include('id="buyer_email"');

      const other = await pay(id, { buyer_email: 'mallory@example.com' });
      expect(other.status).to.equal(422);
      expect(other.text).to.include('cannot be used for this checkout');
      expect(await payments(id)).to.deep.equal([]);
      expect((await open(id, { form: { method: 'sandbox' } })).status).to.equal(303);
      expect(await payments(id)).to.deep.equal([{ method: 'sandbox', buyer_email: email }]);

      const unknown = await createCheckout(tenant, { buyerEmailLocked: true });
      expect((await open(unknown)).text).to.include('id="buyer_email"');
    });

    it('lets no site frame checkout_url, and only embed_origin frame embed_url', async () => {
      const embedOrigin = 'https://shop.example:8443';
      const embeddable = await createCheckout(tenant, { embedOrigin });
      const plain = await createCheckout(tenant);
      for (const [id, suffix, ancestors, options] of [
        [embeddable, '', "'none'", 'DENY'],
        [embeddable, '/embed', embedOrigin, undefined],
        [plain, '/embed', "'none'", 'DENY'],
      ] as const) {
        const { headers, status } = await open(id, {}, suffix);
        expect(status).to.equal(200);
        expect(headers['content-security-policy']).to.match(
          new RegExp(`; frame-ancestors ${ancestors}$`),
        );
        expect(headers['x-frame-options']).to.equal(options);
      }
    });
  });

  describe('the payment of a checkout', () => {
    it('sends the buyer to the thank-you URL, and completes the checkout', async () => {
      const id = await createCheckout(tenant, { metadata: { cart: '7' } });
      const { status, headers, text } = await pay(id);
      expect(status).to.equal(303);

      const { order, ...rest } = await read(id);
      expect(rest).to.include({ status: 'completed' });

      const thankYou = `https://shop.example.com/thanks?order=${order?.id ?? ''}&metadata%5Bcart%5D=7`;
      expect(headers['location']).to.equal(thankYou);
      expect(text).to.include(thankYou.replaceAll('&', '&amp;'));
      expect(await payments(id)).to.deep.equal([{ method: 'sandbox', buyer_email: email }]);

      const after = await open(id);
      expect(after.status).to.equal(200);
      expect(after.text).to.include('This checkout is paid').and.not.to.include('<form');
      expect(after.text).to.include(thankYou.replaceAll('&', '&amp;'));
      expect((await pay(id, { buyer_email: '' })).headers['location']).to.equal(thankYou);
    });

    it('takes one payment, however often and from wherever the form is sent', async () => {
      const id = await createCheckout(tenant);
      const sent = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          open(id, { form: { ...form, buyer_name: `Ada ${index}` } }, index % 2 ? '/embed' : ''),
        ),
      );

      expect(new Set(sent.map(({ status }) => status))).to.deep.equal(new Set([303]));
      expect(new Set(sent.map(({ headers }) => headers['location']))).to.have.property('size', 1);
      expect(await payments(id)).to.have.length(1);

      const { order } = await read(id);
      const events = await service.database.query(
        `select from event where subject = $1 and type = 'cart.order.completed'`,
        [`order:${order?.id ?? ''}`],
      );
      expect(events).to.have.length(1);
    });

    it('accepts an address with spaces around it, and needs none where the checkout has one', async () => {
      const spaced = await createCheckout(tenant);
      expect((await pay(spaced, { buyer_email: ` ${email} ` })).status).to.equal(303);
      const known = await createCheckout(tenant, { buyerEmail: 'known@example.com' });
      expect((await pay(known, { buyer_email: '' })).status).to.equal(303);
      expect(await payments(known)).to.deep.equal([
        { method: 'sandbox', buyer_email: 'known@example.com' },
      ]);
    });

    it('shows the form again with what is wrong, and creates nothing', async () => {
      const id = await createCheckout(tenant);

      for (const [changes, shownText] of [
        [{ buyer_email: 'nobody' }, 'href="#buyer_email">Enter a valid e-mail address.'],
        [{ buyer_email: '' }, 'href="#buyer_email">Enter a valid e-mail address.'],
        [{ buyer_name: 'x'.repeat(251) }, 'href="#buyer_name">Enter a name of at most 250'],
        [{ buyer_name: 'a\0' }, 'href="#buyer_name">'],
        [{ method: 'card' }, 'href="#method">Choose a payment method.'],
        [{ method: '' }, 'href="#method">Choose a payment method.'],
      ] as const) {
        const { status, text } = await pay(id, changes);
        expect([status, text.includes(shownText)], shownText).to.deep.equal([422, true]);
        expect(text).to.include('role="alert"').and.to.include('<title>Error: ');
      }

      const kept = await pay(id, { buyer_email: 'nobody', buyer_name: 'Ada' });
      expect(kept.text).to.include('value="nobody" aria-invalid="true"');
      expect(kept.text).to.include('value="Ada"');
      expect(await payments(id)).to.deep.equal([]);
    });
  });

  describe('a checkout that cannot be paid', () => {
    it('says with 410 that the checkout has expired, to a late payment too', async () => {
      const id = await createCheckout(tenant, { cancelUrl: 'https://shop.example/cart' });
      await expireIn(service.database, id, 0);
      for (const page of [await open(id), await open(id, {}, '/embed'), await pay(id)]) {
        expect(page.status).to.equal(410);
        expect(page.text).to.include('This checkout has expired').and.not.to.include('<form');
        expect(page.text).to.include('href="https://shop.example/cart"');
        // A payment that was in flight at the expiry may still succeed.
        expect(page.text).not.to.include('Nothing was charged');
      }
      expect(await payments(id)).to.deep.equal([]);
    });

    it('answers 404 with a page to addresses that lead to no checkout', async () => {
      const paths = ['chk_0000000000000000000000AB', 'chk_', 'x', '%00', 'chk_a/other', ''];
      for (const path of paths) {
        const page = await open(path);
        expect([page.status, page.text.includes('Page not found')], path).to.deep.equal([
          404,
          true,
        ]);
      }
      expect((await pay('chk_0000000000000000000000AB')).status).to.equal(404);
    });
  });

  describe('the hosted pages over HTTP', () => {
    it('accepts GET, HEAD, POST and OPTIONS', async () => {
      const id = await createCheckout(tenant);
      const { headers, text } = await open(id);
      const head = await open(id, { method: 'HEAD' });
      expect([head.status, head.text]).to.deep.equal([200, '']);
      expect(head.headers['content-length']).to.equal(String(Buffer.byteLength(text)));
      expect(head.headers['content-security-policy']).to.equal(headers['content-security-policy']);

      const options = await open(id, { method: 'OPTIONS' });
      expect([options.status, options.headers['allow']]).to.deep.equal([
        204,
        'GET, HEAD, OPTIONS, POST',
      ]);

      const put = await open(id, { method: 'PUT' });
      expect([put.status, put.headers['allow']]).to.deep.equal([405, 'GET, HEAD, OPTIONS, POST']);
    });

    it('accepts forms of a limited size, and nothing else', async () => {
      const id = await createCheckout(tenant);
      const json = { body: '{}', headers: { 'content-type': 'application/json' } };
      expect((await open(id, json)).status).to.equal(415);
      expect((await pay(id, {}, { 'content-encoding': 'gzip' })).status).to.equal(415);
      expect((await pay(id, { buyer_name: 'x'.repeat(20_000) })).status).to.equal(413);
      expect(await payments(id)).to.deep.equal([]);
    });

    it('accepts no form from a page of another site', async () => {
      const id = await createCheckout(tenant);
      const { host } = new URL(service.url);

      for (const headers of [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site', origin: service.url },
        { origin: foreign },
        { origin: 'null' },
      ]) {
        expect((await pay(id, {}, headers)).status, JSON.stringify(headers)).to.equal(403);
      }

      expect(await payments(id)).to.deep.equal([]);

      for (const headers of [
        { 'sec-fetch-site': 'same-origin', origin: foreign },
        { origin: service.url },
        { origin: `https://${host}` },
      ]) {
        expect((await pay(id, {}, headers)).status, JSON.stringify(headers)).to.equal(303);
      }
    });

    it('limits the requests of one address', async () => {
      const limited = await startService({ workers: 0, environment: { RATE_LIMIT: '50' } });
      try {
        const { url } = limited;
        const statuses: number[] = [];
        for (let index = 0; index < 6; index += 1) {
          statuses.push(
            (await openPage(`${url}/checkout/chk_0VbZhtKChz5muOrEm8zyydr${index}`)).status,
          );
        }

        expect(statuses).to.deep.equal([404, 404, 404, 404, 404, 429]);

        const refused = await openPage(`${url}/checkout/chk_x`, { form });
        expect(refused.status).to.equal(429);
        expect(Number(refused.headers['retry-after'])).to.be.within(1, 60);
        expect(refused.text).to.include('Too many requests');

        await eventually(() => {
          const lines = limited.api.lines.filter((line) => line.includes('checkout.pay'));
          expect(lines.join()).to.include('rate_limit_exceeded');
        }, 'the log says so');

        expect(limited.api.lines.join())
          .to.include('/checkout/chk_0VbZhtKC…')
          .and.not.include('hz5muO');
      } finally {
        await limited.stop();
      }
    });
  });

  describe('an affiliate’s link', () => {
    const visit = (id: string, code: string, ask: PageRequest = {}) =>
      open(id, ask, `?affiliate=${code}`);
    const affiliateOf = async (id: string) => {
      const { headers } = await pay(id);
      return new URL(String(headers['location'])).searchParams.get('affiliate');
    };

    it('counts an affiliate on the first visit, and on no later one', async () => {
      const id = await createCheckout(tenant);
      await visit(id, 'partner-9');
      await visit(id, 'partner-10');
      expect(await affiliateOf(id)).to.equal('partner-9');
      const direct = await createCheckout(tenant);
      await open(direct);
      await visit(direct, 'partner-9');
      expect(await affiliateOf(direct)).to.equal(null);
    });

    it('counts an affiliate after the shop showed the checkout in a frame, and in a frame itself', async () => {
      const id = await createCheckout(tenant, { embedOrigin: 'https://shop.example.com' });
      await open(id, {}, '/embed');
      await open(id, {}, '/embed?affiliate=a%20b');
      await visit(id, 'partner-9');
      expect(await affiliateOf(id)).to.equal('partner-9');
      const framed = await createCheckout(tenant, { embedOrigin: 'https://shop.example.com' });
      await open(framed, {}, '/embed?affiliate=partner-9');
      await visit(framed, 'partner-10');
      expect(await affiliateOf(framed)).to.equal('partner-9');
    });

    it('counts one affiliate when several visits come at once', async () => {
      const id = await createCheckout(tenant);
      await Promise.all(Array.from({ length: 8 }, (_, index) => visit(id, `p-${index}`)));
      const first = await affiliateOf(id);
      expect(first).to.match(/^p-\d$/);
      const [order] = await service.database.query<{ affiliate: string }>(
        'select affiliate from "order" where checkout_id = $1',
        [id],
      );
      expect(order?.affiliate).to.equal(first);
    });

    it('counts no affiliate when a concurrent visit without one came first', async () => {
      const id = await createCheckout(tenant);
      const held = await service.database.hold(
        `select from checkout where id = '${id}' for update`,
      );
      const waiting = (count: number) =>
        eventually(async () => {
          const rows = await service.database.query(
            `select from pg_stat_activity where datname = current_database()
               and wait_event_type = 'Lock' and query like '%visited_at = now()%'`,
          );
          expect(rows).to.have.length(count);
        }, `${count} visits wait`);

      const direct = open(id);

      await waiting(1);

      const linked = visit(id, 'partner-9');
      await waiting(2);
      await held.release();
      await Promise.all([direct, linked]);
      expect(await affiliateOf(id)).to.equal(null);
    });

    it('keeps the affiliate that the merchant named', async () => {
      const id = await createCheckout(tenant, { affiliate: 'own' });
      await visit(id, 'partner-9');
      expect(await affiliateOf(id)).to.equal('own');
    });

    it('ignores an invalid code, and counts no visit for a HEAD request or a read', async () => {
      const id = await createCheckout(tenant);
      await visit(id, 'late', { method: 'HEAD' });
      await read(id);
      expect((await visit(id, encodeURIComponent('a b<>'))).status).to.equal(200);
      await visit(id, 'late');
      expect(await affiliateOf(id)).to.equal(null);
      const paid = await createCheckout(tenant);
      await payCheckout(tenant, paid);
      await visit(paid, 'late');
      expect(await affiliateOf(paid)).to.equal(null);
    });
  });
});

interface OfferEvent {
  readonly subject: string;
  readonly data: {
    readonly offer: { readonly id: string; readonly status: string };
    readonly order: { readonly id: string };
    readonly checkout: { readonly id: string };
    readonly metadata: unknown;
  };
}

describe('the page behind offer_url', () => {
  let service: Service;
  let tenant: Tenant;

  before(async () => {
    service = await sharedService();
    tenant = await createTenant(service);
  });

  const checkouts = (offer: string) =>
    service.database.query('select id from checkout where offer_id = $1', [offer]);
  const readOffer = async (id: string) =>
    (
      await tenant.graphql<{ offer: Record<string, unknown> }>(
        'query ($id: ID!, $account: ID!) { offer(id: $id, account: $account) { status order acceptedAt sentAt } }',
        { id, account: tenant.account },
      )
    ).offer;

  it('shows what is offered, escaped, and opens no checkout at a GET', async () => {
    const nasty = `"'><i x=y>&amp;`;
    const offer = await makeOffer(tenant.rest, {
      title: nasty,
      message: `Line 1\n${nasty}`,
      shipping_minor_units: 490,
    });

    for (const method of ['GET', 'GET', 'HEAD']) {
      const { status, text, headers } = await openPage(offer.offer_url, { method });
      expect(status).to.equal(200);
      expect(headers['x-frame-options']).to.equal('DENY');
      expect(text).not.to.include('<i x');
      if (method === 'HEAD') continue;

      for (const shown of [
        'Test shop',
        '€19.00',
        '€4.90',
        'Continue to pay <span class="price">€23.90</span></button>',
      ]) {
        expect(text).to.include(shown);
      }

      expect(text).to.include('Line 1\n');
    }

    expect(await checkouts(offer.id)).to.deep.equal([]);
  });

  it('answers 404 before the offer is sent, and under another id', async () => {
    const draft = await makeOffer(tenant.rest, {}, []);
    const unsent = await makeOffer(tenant.rest, {}, ['cancel']);
    const expired = await makeOffer(tenant.rest, {}, []);
    await expireOfferIn(service, expired.id, 0);
    for (const id of [draft.id, unsent.id, expired.id, 'off_1', 'chk_1', 'off_1/embed', '']) {
      for (const form of [undefined, {}]) {
        const { status } = await openPage(`${service.url}/offer/${id}`, form ? { form } : {});
        expect(status, id).to.equal(404);
      }
    }
    expect(await checkouts(draft.id)).to.deep.equal([]);
  });

  it('leads to one checkout, however often it is asked, and to another when that soon expires', async () => {
    const offer = await makeOffer(tenant.rest, { metadata: { deal: '7' } });
    const ids = await Promise.all(Array.from({ length: 6 }, () => openOfferCheckout(offer)));
    expect(new Set(ids).size).to.equal(1);

    const [id = ''] = ids;
    const reply = await tenant.rest.get(`/v1/commerce/checkouts/${id}`);
    expect(dataOf(reply, 200)).to.deep.include({
      status: 'open',
      buyer_email_locked: true,
      success_url: offer.offer_url,
      cancel_url: offer.offer_url,
      metadata: { deal: '7' },
    });

    await expireIn(service.database, id, 11 * 60_000);
    expect(await openOfferCheckout(offer)).to.equal(id);
    await expireIn(service.database, id, 9 * 60_000);

    const next = await openOfferCheckout(offer);
    expect(next).not.to.equal(id);
    expect(await openOfferCheckout(offer)).to.equal(next);
    expect(await checkouts(offer.id)).to.have.length(2);
  });

  it('H268: a draft needs a currency that is in use; a sent offer stays payable after its withdrawal', async () => {
    for (const currency of ['ANG', 'BGN', 'CUC']) {
      const refused = await tenant.rest.post(offersPath, offerInput({ currency }));
      expect(refusalsOf(refused), currency).to.deep.equal(['currency: invalid_value']);
    }
    await makeOffer(tenant.rest, { currency: 'XCG' });

    const offer = await makeOffer(tenant.rest);
    await service.database.query("update offer set currency = 'BGN' where id = $1", [offer.id]);
    const checkout = await openOfferCheckout(offer);
    await payPage(`${service.url}/checkout/${checkout}`);
    expect(await readOffer(offer.id)).to.include({ status: 'accepted' });
  });

  it('H83: a payment accepts the offer, publishes an event, and ends all other steps', async () => {
    const receiver = await startReceiver();
    const { signing_secret: secret } = await createEndpoint(tenant.rest, {
      url: receiver.url(),
      event_types: ['offer.accepted'],
    });

    const offer = await makeOffer(tenant.rest, { metadata: { deal: '7' } });
    dataOf(await ask(tenant.rest, offer.id, 'resend'), 200);

    const checkout = await openOfferCheckout(offer);
    const paid = await payPage(`${service.url}/checkout/${checkout}`);
    expect(paid.status).to.equal(303);

    const back = new URL(String(paid.headers['location']));
    expect(back.href).to.match(new RegExp(`^${offer.offer_url}\\?order=ord_[A-Za-z0-9]+&`));
    expect(back.searchParams.get('metadata[deal]')).to.equal('7');
    expect((await payPage(`${service.url}/checkout/${checkout}`)).headers['location']).to.equal(
      back.href,
    );

    const { status, text } = await openPage(back.href);
    expect(status).to.equal(200);
    expect(text).to.include('Accepted and paid').and.not.include('<form');

    const request = await receiver.next();
    await receiver.close();
    expect(verify(request, secret)).to.deep.equal({ service: true, standard: true });
    checkEvent(request.body);

    const { subject, data } = JSON.parse(request.body.toString()) as OfferEvent;
    const order = back.searchParams.get('order');

    expect(subject).to.equal(`offer:${offer.id}`);
    expect(data.offer).to.include({ id: offer.id, status: 'accepted', send_count: 2 });
    expect([data.order.id, data.checkout.id]).to.deep.equal([order, checkout]);
    expect(data.metadata).to.deep.equal({ deal: '7' });
    expect(await readOffer(offer.id)).to.include({ status: 'accepted', order });

    for (const step of ['send', 'resend', 'cancel'] as const) {
      const refused = await ask(tenant.rest, offer.id, step);
      expect(codeOf(refused, 409)).to.equal('offer_state_conflict');
    }

    await expireOfferIn(service, offer.id, -1);
    expect(await readOffer(offer.id)).to.include({ status: 'accepted' });
  });

  it('says that an offer has expired, and refuses payment even in an open checkout', async () => {
    const offer = await makeOffer(tenant.rest);
    const id = await openOfferCheckout(offer);
    const checkout = `${service.url}/checkout/${id}`;
    const end = await expireOfferIn(service, offer.id, 90_000);
    expect((await openPage(checkout)).text).to.include(`<time datetime="${end.toISOString()}">`);
    await expireOfferIn(service, offer.id, 0);

    for (const form of [undefined, {}]) {
      const { status, text } = await openPage(offer.offer_url, form ? { form } : {});
      expect(status).to.equal(410);
      expect(text).to.include('This offer has expired');
    }

    for (const page of [await openPage(checkout), await payPage(checkout)]) {
      expect(page.status).to.equal(410);
      expect(page.text).to.include('This checkout has expired').and.include(offer.offer_url);
    }

    expect(await readOffer(offer.id)).to.include({ status: 'expired', order: null });

    const reply = await tenant.rest.get(`/v1/commerce/checkouts/${id}`);
    expect(dataOf(reply, 200)).to.include({ status: 'expired', order: null });
    expect(dataOf(reply, 200)).not.to.have.any.keys('checkout_url', 'embed_url');
  });

  it('closes an open checkout of an offer once another was paid, for its merchant too', async () => {
    const offer = await makeOffer(tenant.rest);
    const ids = [await openOfferCheckout(offer)];
    await expireIn(service.database, ids[0] ?? '', 5 * 60_000);
    ids.push(await openOfferCheckout(offer));
    expect((await payPage(`${service.url}/checkout/${ids[1] ?? ''}`)).status).to.equal(303);

    const states = await Promise.all(
      ids.map(async (id) => {
        const reply = await tenant.rest.get(`/v1/commerce/checkouts/${id}`);
        return dataOf<{ status: string }>(reply, 200).status;
      }),
    );

    expect(states).to.deep.equal(['expired', 'completed']);
    expect((await openPage(`${service.url}/checkout/${ids[0] ?? ''}`)).status).to.equal(410);
  });

  it('accepts no form of another site, and no other method', async () => {
    const offer = await makeOffer(tenant.rest);
    const headers = { origin: 'https://elsewhere.example' };
    expect((await openPage(offer.offer_url, { form: {}, headers })).status).to.equal(403);
    const refused = await openPage(offer.offer_url, { method: 'DELETE' });
    expect(refused.status).to.equal(405);
    expect(refused.headers['allow']).to.equal('GET, HEAD, OPTIONS, POST');
    expect((await openPage(offer.offer_url, { method: 'OPTIONS' })).status).to.equal(204);
    expect(await checkouts(offer.id)).to.deep.equal([]);
  });
});
