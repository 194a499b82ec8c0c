import { expect } from 'chai';
import {
  createCheckout,
  payCheckout,
  expireIn,
  makeOffer,
  openOfferCheckout,
} from '../support/sales.js';
import { type Service, sharedService, startService } from '../support/service.js';
import { createTenant, GraphqlRefusal, type Tenant } from '../support/tenants.js';
import { comparable, dataOf, toProblem, createEndpoint } from '../support/endpoints.js';
import type { RestClient } from '../support/rest-client.js';
import { recordedAs } from '../support/delivery-records.js';
import { type Receiver, startReceiver, verify } from '../support/receiver.js';
import { eventually } from '../support/eventually.js';
import { openPage, type PageRequest } from '../support/dashboard.js';

const item = { name: 'Poster', quantity: 1, unitAmountMinorUnits: 1_900 };

describe('creating a checkout', () => {
  let service: Service;
  let tenant: Tenant;

  before(async () => {
    service = await sharedService();
    tenant = await createTenant(service);
  });

  /** Returns why `changes` are refused, as "code param"; refusals by GraphQL itself have only a code. */
  const refusalOf = async (changes: object) => {
    const thrown = await createCheckout(tenant, changes).catch((error: unknown) => error);
    expect(thrown, JSON.stringify(changes).slice(0, 100)).to.be.instanceOf(GraphqlRefusal);
    const { code, extensions } = thrown as GraphqlRefusal;
    const errors = (extensions['errors'] ?? []) as { code: string; param?: string }[];
    if (errors.length === 0) return code;
    return errors.map((entry) => `${entry.code} ${entry.param ?? ''}`).join(', ');
  };

  const stored = async () =>
    service.database.query<{ checkouts: number; events: number }>(
      `select (select count(*) from checkout where account_id = $1) as checkouts,
              (select count(*) from event where account_id = $1) as events`,
      [tenant.account],
    );

  it('keeps ten thousand metadata keys in their order, emoji included, up to the last event', async () => {
    const metadata = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [`z${9_999 - index}`, index % 2 ? '' : '🎉']),
    );
    const text = JSON.stringify(metadata);
    const id = await createCheckout(tenant, { metadata });
    const reply = await tenant.rest.get(`/v1/commerce/checkouts/${id}`);
    expect(reply.text).to.include(`"metadata":${text}`);

    const { order, thankYouUrl } = await payCheckout(tenant, id);
    expect(thankYouUrl.length).to.be.at.most(2_000);

    const read = new URL(thankYouUrl).searchParams;
    expect([read.get('order'), read.get('metadata_truncated')]).to.deep.equal([order.id, 'true']);
    expect([read.get('metadata[z9999]'), read.get('metadata[z9998]')]).to.deep.equal(['🎉', '']);

    const events = await service.database.query<{ body: Buffer }>(
      `select body from event where account_id = $1
          and type in ('cart.checkout.created', 'cart.order.completed', 'order.completed')`,
      [tenant.account],
    );

    expect(events).to.have.length(3);
    for (const { body } of events) expect(body.toString()).to.include(`"metadata":${text}`);
  });

  it('refuses what cannot be stored, names the field, and changes nothing', async () => {
    const before = await stored();
    const url = (length: number) => `https://s.example/${'p'.repeat(length - 18)}`;
    for (const [refusal, ...inputs] of [
      ['too_long success_url', { successUrl: url(1_801) }],
      [
        'invalid_format success_url',
        ...[
          '',
          'shop.example',
          'javascript:alert(1)',
          'https://shop.example/a b',
          '//shop.example',
        ].map((successUrl) => ({ successUrl })),
      ],
      ['invalid_format cancel_url', { cancelUrl: 'javascript:alert(1)' }],
      ['too_long cancel_url', { cancelUrl: url(2_049) }],
      ['invalid_value currency', { currency: 'EURO' }, { currency: 'eur' }, { currency: 'BGN' }],
      ['too_few_items line_items', { lineItems: [] }],
      [
        'out_of_range line_items',
        ...[
          { quantity: 0 },
          { quantity: -1 },
          { quantity: 1_000_001 },
          { unitAmountMinorUnits: -1 },
          { discountMinorUnits: 1_901 },
          { quantity: 2, unitAmountMinorUnits: Number.MAX_SAFE_INTEGER },
        ].map((changes) => ({ lineItems: [{ ...item, ...changes }] })),
      ],
      ['out_of_range shipping_minor_units', { shippingMinorUnits: -1 }],
      [
        'BAD_USER_INPUT',
        { shippingMinorUnits: 1.5 },
        { shippingMinorUnits: '1' },
        { lineItems: [{ ...item, unitAmountMinorUnits: '1900' }] },
        { lineItems: [{ ...item, quantity: 0.5 }] },
        { buyerEmailLocked: 'yes' },
        { surprise: 1 },
      ],
      ['too_long external_reference', { externalReference: 'x'.repeat(256) }],
      [
        // GraphQL refuses these before any field is read.
        'invalid_value variables',
        { successUrl: 'https://shop.example/\0' },
        { metadata: { a: 'x\0' } },
        { metadata: { 'a\0': 'x' } },
        { metadata: { deep: [{ a: '\0' }] } },
      ],
      ['invalid_type metadata', { metadata: 'text' }, { metadata: ['a'] }],
      ['too_long metadata', { metadata: { a: 'x'.repeat(131_072) } }],
      ['invalid_format buyer_email', { buyerEmail: 'nobody' }, { buyerEmail: 'a@b' }],
      [
        'invalid_format embed_origin',
        ...[
          'https://shop.example/',
          'https://shop.example/page',
          'https://*',
          'https://*.shop.example',
          "https://shop.example;script-src'none'",
          'https://Shop.example',
          'https://shop.example:443',
          'ftp://shop.example',
          'null',
          'http://[::1]:3000',
        ].map((embedOrigin) => ({ embedOrigin })),
      ],
      ['invalid_format affiliate', { affiliate: 'a b' }, { affiliate: 'x'.repeat(65) }],
    ] as const) {
      for (const input of inputs) {
        expect(await refusalOf(input), JSON.stringify(input).slice(0, 200)).to.equal(refusal);
      }
    }

    expect(await stored()).to.deep.equal(before);
  });

  it('accepts an origin with a port or an address as embed_origin', async () => {
    for (const embedOrigin of ['https://shop.example:8443', 'http://127.0.0.1:3000']) {
      const id = await createCheckout(tenant, { embedOrigin });
      const { body } = await tenant.rest.get(`/v1/commerce/checkouts/${id}`);
      expect((body as { data: object }).data).to.include({ embed_origin: embedOrigin });
    }
  });
});

interface CheckoutBody {
  readonly id: string;
  readonly status: string;
  readonly order: { readonly id: string; readonly object: string } | null;
  readonly created_at: string;
  readonly expires_at: string;
  readonly checkout_url?: string;
}

describe('commerce.checkouts.retrieve', () => {
  let service: Service;
  let tenant: Tenant;

  before(async () => {
    service = await sharedService();
    tenant = await createTenant(service);
  });

  const pathOf = (id: string) => `/v1/commerce/checkouts/${id}`;
  const read = async (id: string, rest: RestClient = tenant.rest) =>
    dataOf<CheckoutBody>(await rest.get(pathOf(id)), 200);

  it('H12: shows every member of an open checkout, which expires 30 minutes after its creation', async () => {
    const id = await createCheckout(tenant, {
      successUrl: 'https://shop.example/thanks?a=1%202',
      cancelUrl: 'https://shop.example/cart',
      externalReference: 'cart-77',
      metadata: { customer_id: '42', nested: { list: [1, null, 'é'] }, b: true },
      embedOrigin: 'https://shop.example',
      buyerEmail: 'buyer@example.com',
      buyerEmailLocked: true,
      shippingMinorUnits: 490,
      lineItems: [
        {
          name: 'Poster',
          quantity: 3,
          unitAmountMinorUnits: 1_000,
          discountMinorUnits: 500,
          taxMinorUnits: 475,
          taxPercentage: '19.00',
        },
      ],
    });

    expect(id).to.match(/^chk_[0-9A-Za-z]{24}$/);

    const { created_at: created, expires_at: expires, ...rest } = await read(id);
    expect(Date.parse(expires) - Date.parse(created)).to.equal(30 * 60_000);

    expect(rest).to.deep.equal({
      object: 'checkout',
      id,
      status: 'open',
      order: null,
      buyer_email_locked: true,
      cancel_url: 'https://shop.example/cart',
      success_url: 'https://shop.example/thanks?a=1%202',
      checkout_url: `${service.url}/checkout/${id}`,
      embed_url: `${service.url}/checkout/${id}/embed`,
      embed_origin: 'https://shop.example',
      external_reference: 'cart-77',
      metadata: { customer_id: '42', nested: { list: [1, null, 'é'] }, b: true },
      totals: {
        currency: 'EUR',
        subtotal_minor_units: 3_000,
        discount_minor_units: 500,
        shipping_minor_units: 490,
        tax_minor_units: 475,
        total_minor_units: 3_465,
      },
    });
  });

  it('A44: shows empty strings where no reference and no cancel URL were given', async () => {
    const checkout = await read(await createCheckout(tenant));
    expect(checkout).to.include({ external_reference: '', cancel_url: '' });
    expect(checkout).to.deep.include({ metadata: {}, buyer_email_locked: false });
    expect(checkout).not.to.have.property('embed_origin');
  });

  it('A21, A23: a checkout is open until expires_at, and expired from then on', async () => {
    const id = await createCheckout(tenant);
    await expireIn(service.database, id, 60_000);
    expect(await read(id)).to.include({ status: 'open' });
    await expireIn(service.database, id, 0);
    const expired = await read(id);
    expect(expired).to.include({ status: 'expired', order: null });
    expect(expired).not.to.have.any.keys('checkout_url', 'embed_url');
  });

  it('A22: a checkout with an order is completed, even after its expiry', async () => {
    const id = await createCheckout(tenant);
    const { order } = await payCheckout(tenant, id);
    expect(order.id).to.match(/^ord_[0-9A-Za-z]{24}$/);
    for (const ms of [60_000, -60_000]) {
      await expireIn(service.database, id, ms);
      const completed = await read(id);
      expect(completed).to.deep.include({
        status: 'completed',
        order: { id: order.id, object: 'order' },
      });
      expect(completed).not.to.have.any.keys('checkout_url', 'embed_url');
    }
  });

  it('A30: shows a checkout to every key of its account, and to no other', async () => {
    const id = await createCheckout(tenant);
    for (const input of [
      { kind: 'legacy' },
      { kind: 'live', level: 'read' },
      { kind: 'live', role: 'accountant' },
    ] as const) {
      expect(await read(id, await tenant.client(input))).to.include({ id });
    }
    const { rest: other } = await createTenant(service);
    const foreign = toProblem(await other.get(pathOf(id)), 404);
    const unknown = toProblem(await other.get(pathOf('chk_0000000000000000000000AB')), 404);
    expect(comparable(foreign)).to.deep.equal(comparable(unknown));
  });

  it('A28, H87: answers 401 to a dashboard token, even to that of an owner', async () => {
    const id = await createCheckout(tenant);
    const dashboard = await tenant.client({ kind: 'dashboard', role: 'owner' });
    const { errors } = toProblem(await dashboard.get(pathOf(id)), 401);
    expect(errors.map(({ code }) => code)).to.deep.equal(['credential_kind_not_accepted']);
  });

  it('answers 404 to ids that cannot exist', async () => {
    for (const id of [
      'chk_',
      'chk_short',
      'whs_0000000000000000000000AB',
      'chk_%F0%9F%98%80',
      '..',
    ]) {
      expect((await tenant.rest.get(pathOf(id))).status, id).to.equal(404);
    }
  });
});

interface OrderCompleted {
  readonly id: string;
  readonly subject: string;
  readonly data: {
    readonly order: { readonly id: string };
    readonly checkout: { readonly id: string };
    readonly metadata: unknown;
    readonly totals: { readonly total_minor_units: number };
    readonly affiliate: unknown;
  };
}

const shop = 'https://shop.example.com/thanks';

describe('a paid checkout', () => {
  let service: Service;
  let receiver: Receiver;
  let tenant: Tenant;

  before(async () => {
    service = await sharedService();
    receiver = await startReceiver();
    tenant = await createTenant(service);
  });

  after(() => receiver.close());

  /** Returns the URL that the buyer is sent to, with `ord_1` as the order's id, and its real length. */
  const thankYou = async (successUrl: string, changes: object = {}) => {
    const id = await createCheckout(tenant, { successUrl, ...changes });
    const { order, thankYouUrl } = await payCheckout(tenant, id);
    return { url: thankYouUrl.replace(order.id, 'ord_1'), length: thankYouUrl.length };
  };

  it("delivers the order event to a real receiver: signed, recorded, and with the merchant's metadata", async () => {
    const endpoint = await createEndpoint(tenant.rest, { url: receiver.url() });
    const metadata = {
      customer_id: '42',
      'k y': 'v é&=',
      n: 7.5,
      deep: { list: [null, true, 'x'] },
    };

    const id = await createCheckout(tenant, { metadata, affiliate: 'partner-9' });
    const { order, thankYouUrl } = await payCheckout(tenant, id);

    const request = await receiver.next();
    expect(verify(request, endpoint.signing_secret)).to.deep.equal({
      service: true,
      standard: true,
    });

    const event = JSON.parse(request.body.toString()) as OrderCompleted;
    expect(event.subject).to.equal(`order:${order.id}`);
    expect(event.data.order).to.include({ id: order.id });
    expect(event.data.checkout).to.include({ id });
    expect(event.data.metadata).to.deep.equal(metadata);
    expect(JSON.stringify(event.data.metadata)).to.equal(JSON.stringify(metadata));
    expect(event.data.totals.total_minor_units).to.equal(1_900);

    await recordedAs(tenant.rest, event.id, ['success']);

    const reply = await tenant.rest.get(`/v1/commerce/checkouts/${id}`);
    expect(dataOf(reply, 200)).to.deep.include({
      status: 'completed',
      order: { id: order.id, object: 'order' },
      metadata,
    });

    expect(new URL(thankYouUrl).searchParams.get('order')).to.equal(order.id);
  });

  it('A39, A40: sends the buyer back with order, metadata and affiliate, and keeps every other byte', async () => {
    const metadata = { customer_id: '42', 'k y': 'v é&=', n: 7, obj: { a: 1 }, nil: null };
    const { url } = await thankYou(
      `${shop}?a=1%202&order=spoof&order_id=7&b=x+y&order_uuid=8#top`,
      {
        metadata,
        affiliate: 'partner-9',
      },
    );

    expect(url).to.equal(
      `${shop}?a=1%202&order_id=7&b=x+y&order_uuid=8&order=ord_1` +
        '&metadata%5Bcustomer_id%5D=42&metadata%5Bk%20y%5D=v%20%C3%A9%26%3D&metadata%5Bn%5D=7' +
        '&metadata%5Bobj%5D=%7B%22a%22%3A1%7D&metadata%5Bnil%5D=&affiliate=partner-9#top',
    );
  });

  it('A40: keeps the merchant’s own affiliate where the buyer came through no affiliate link', async () => {
    const successUrl = `${shop}?affiliate=own&b=1`;
    expect((await thankYou(successUrl, {})).url).to.equal(`${successUrl}&order=ord_1`);
    const { url } = await thankYou(successUrl, { affiliate: 'partner-9' });
    expect(url).to.equal(`${shop}?b=1&order=ord_1&affiliate=partner-9`);
  });

  it('A37: sends the buyer to a URL of at most 2,000 characters, the flag included', async () => {
    const base = 'https://s.example/t?order='.length + 'ord_'.length + 24;
    const room = 2_000 - base - '&metadata%5Bm%5D='.length;
    const full = await thankYou('https://s.example/t', { metadata: { m: 'x'.repeat(room) } });
    expect(full.length).to.equal(2_000);
    expect(full.url).not.to.contain('metadata_truncated');
    const cut = await thankYou('https://s.example/t', { metadata: { m: 'x'.repeat(room + 1) } });
    expect(cut.url).to.equal('https://s.example/t?order=ord_1&metadata_truncated=true');
    const tight = `https://s.example/${'p'.repeat(1_782)}`;
    const metadata = { a: 'x'.repeat(200), b: 'y' };
    const { length } = await thankYou(tight, { metadata, affiliate: 'a'.repeat(60) });
    expect(length).to.be.at.most(2_000);
  });

  it('A38: leaves out a whole key that does not fit, and adds a smaller one after it', async () => {
    const metadata = {
      blob: 'x'.repeat(1_990),
      customer_id: '42',
      more: 'y'.repeat(1_950),
      z: '1',
    };
    const { url } = await thankYou(shop, { metadata });
    expect(url).to.equal(
      `${shop}?order=ord_1&metadata%5Bcustomer_id%5D=42&metadata%5Bz%5D=1&metadata_truncated=true`,
    );
  });

  it('takes one payment of a checkout, and none after its expiry', async () => {
    const id = await createCheckout(tenant);
    const paid = await payCheckout(tenant, id, { key: 'payment-1' });
    expect(await payCheckout(tenant, id, { key: 'payment-1' })).to.deep.equal(paid);
    const refusal = async (checkout: string, changes: object = {}) => {
      const thrown = await payCheckout(tenant, checkout, changes).catch((error: unknown) => error);
      expect(thrown).to.be.instanceOf(GraphqlRefusal);
      return (thrown as GraphqlRefusal).code;
    };
    expect(await refusal(id)).to.equal('checkout_not_payable');
    const late = await createCheckout(tenant);
    await expireIn(service.database, late, -1_800_000);
    expect(await refusal(late)).to.equal('checkout_not_payable');
  });
});

describe('an expired checkout', () => {
  let service: Service;
  let receiver: Receiver;
  let tenant: Tenant;

  before(async () => {
    service = await sharedService();
    receiver = await startReceiver();
    tenant = await createTenant(service);
  });

  after(() => receiver.close());

  it('publishes one signed event for an expired checkout, without a request', async () => {
    const { signing_secret: secret } = await createEndpoint(tenant.rest, {
      url: receiver.url(),
      event_types: ['cart.checkout.expired'],
    });

    const id = await createCheckout(tenant, { metadata: { customer: '42' } });
    await expireIn(service.database, id, 200);

    const request = await receiver.next();
    expect(verify(request, secret)).to.deep.equal({ service: true, standard: true });

    const event = JSON.parse(request.body.toString()) as { type: string; subject: string };
    expect(event).to.deep.include({
      type: 'cart.checkout.expired',
      subject: `checkout:${id}`,
    });

    expect(dataOf(await tenant.rest.get(`/v1/commerce/checkouts/${id}`), 200)).to.include({
      status: 'expired',
    });

    const events = await service.database.query(
      `select from event where account_id = $1 and type = 'cart.checkout.expired'`,
      [tenant.account],
    );
    expect(events).to.have.length(1);
  });

  it('counts an expired checkout at the worker that expired it', async () => {
    const id = await createCheckout(tenant);
    await expireIn(service.database, id, 0);
    await eventually(async () => {
      const [worker] = service.workers;
      const text = await (await fetch(`${worker?.healthUrl ?? ''}/metrics`)).text();
      expect(text).to.match(/^signalpost_checkouts_expired_total [1-9]/m);
      expect(text, 'its events').to.match(/^signalpost_events_accepted_total [1-9]/m);
    }, 'the worker counts it');
  });
});

const form = { buyer_email: 'buyer@example.com', method: 'sandbox' };

describe('checkouts without sandbox payments', () => {
  let service: Service;
  let tenant: Tenant;

  before(async () => {
    service = await startService({ workers: 0, environment: { SANDBOX_PAYMENTS: '' } });
    tenant = await createTenant(service);
  });

  after(() => service.stop());

  const open = (id: string, ask: PageRequest = {}) =>
    openPage(`${service.url}/checkout/${id}`, ask);
  const read = async (id: string) =>
    dataOf<{ status: string; order: object | null }>(
      await tenant.rest.get(`/v1/commerce/checkouts/${id}`),
      200,
    );

  it('the page of a checkout shows what is bought, and says that the shop takes the payment', async () => {
    const cancelUrl = 'https://shop.example/cart';
    const { status, text, headers } = await open(await createCheckout(tenant, { cancelUrl }));
    expect(status).to.equal(200);
    expect(text).to.include('<title>Checkout – Test shop</title>').and.include('€19.00');
    expect(text).to.include('Payment is made in the shop').and.include(`href="${cancelUrl}"`);
    expect(text).not.to.match(/<form|<button|<input|andbox/);
    expect(headers['content-security-policy']).to.include("form-action 'none'");
  });

  it('no form pays a checkout, at neither of its addresses and from no offer', async () => {
    const plain = await createCheckout(tenant);
    const offered = await openOfferCheckout(await makeOffer(tenant.rest));
    for (const address of [plain, `${plain}/embed`, offered]) {
      const refused = await open(address, { form });
      expect(refused.status, address).to.equal(404);
    }

    for (const id of [plain, offered]) {
      expect(await read(id)).to.include({ status: 'open', order: null });
    }

    const options = await open(plain, { method: 'OPTIONS' });
    expect(options.headers['allow']).to.equal('GET, HEAD, OPTIONS');

    const put = await open(plain, { method: 'PUT' });
    expect([put.status, put.headers['allow']]).to.deep.equal([405, 'GET, HEAD, OPTIONS']);
  });

  it('a payment that the shop records pays a checkout, and its page says so', async () => {
    const id = await createCheckout(tenant);
    await payCheckout(tenant, id);
    const paid = await open(id);
    expect(paid.status).to.equal(200);
    expect(paid.text).to.include('This checkout is paid');
    const expired = await createCheckout(tenant);
    await expireIn(service.database, expired, 0);
    expect((await open(expired)).status).to.equal(410);
  });
});
