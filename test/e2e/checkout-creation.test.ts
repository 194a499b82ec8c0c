import { expect } from 'chai';
import { createCheckout, payCheckout } from '../support/sales.js';
import { type Service, sharedService } from '../support/service.js';
import { createTenant, GraphqlRefusal, type Tenant } from '../support/tenants.js';

const item = { name: 'Poster', quantity: 1, unitAmountMinorUnits: 1_900 };

describe('creating a checkout', () => {
  let service: Service;
  let tenant: Tenant;

  before(async () => {
    service = await sharedService();
    tenant = await createTenant(service);
  });

  /** What `changes` are refused with, as "code param"; what GraphQL itself refuses by its code alone. */
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

  it('keeps ten thousand keys of metadata in their order, emoji included, to the last event', async () => {
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

  it('refuses what cannot be kept, by the name of the field, and changes nothing', async () => {
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
        // By the door already, which knows no fields.
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

  it('takes an origin with a port or an address as embed_origin', async () => {
    for (const embedOrigin of ['https://shop.example:8443', 'http://127.0.0.1:3000']) {
      const id = await createCheckout(tenant, { embedOrigin });
      const { body } = await tenant.rest.get(`/v1/commerce/checkouts/${id}`);
      expect((body as { data: object }).data).to.include({ embed_origin: embedOrigin });
    }
  });
});
