import { expect } from 'chai';
import {
  codeOf,
  dayAhead,
  type OfferBody,
  offerInput,
  offersPath,
  pendingNoticesAbout,
} from '../support/sales.js';
import { dataOf, refusalsOf } from '../support/endpoints.js';
import type { Ask } from '../support/rest-client.js';
import { type Service, sharedService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

const item = { name: 'Poster', quantity: 1, unit_amount_minor_units: 1_900 };
const totals = {
  currency: 'EUR',
  subtotal_minor_units: 1_900,
  discount_minor_units: 0,
  shipping_minor_units: 0,
  tax_minor_units: 0,
  total_minor_units: 1_900,
};

describe('commerce.offers.create', () => {
  let service: Service;
  let tenant: Tenant;

  before(async () => {
    service = await sharedService();
    tenant = await createTenant(service);
  });

  const create = (changes: object = {}, ask: Ask = {}) =>
    tenant.rest.post(offersPath, offerInput(changes), ask);

  /** How many offers and events the account has. */
  const stored = async () => {
    const [row] = await service.database.query<{ offers: number; events: number }>(
      `select (select count(*)::int from offer where account_id = $1) as offers,
              (select count(*)::int from event where account_id = $1) as events`,
      [tenant.account],
    );
    return row;
  };

  it('H12, H13: creates a draft for 30 days and sends no mail', async () => {
    const reply = await create();
    const { id, created_at, ...made } = dataOf<OfferBody>(reply, 201);
    expect(id).to.match(/^off_[0-9A-Za-z]{24}$/);
    expect(created_at).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

    const {
      line_items: items,
      expires_at,
      ...rest
    } = made as typeof made & { line_items: object[] };

    expect(Date.parse(expires_at) - Date.parse(created_at)).to.be.within(0, 30 * 86_400_000);
    expect(Date.parse(expires_at) - Date.parse(created_at)).to.be.above(30 * 86_400_000 - 1_000);

    expect(rest).to.deep.equal({
      object: 'offer',
      status: 'draft',
      recipient_email: 'buyer@example.com',
      title: 'One poster',
      message: null,
      currency: 'EUR',
      totals,
      metadata: {},
      offer_url: `${service.url}/offer/${id}`,
      send_count: 0,
      sent_at: null,
      accepted_at: null,
      cancelled_at: null,
      order: null,
      updated_at: created_at,
    });

    expect(items).to.have.length(1);

    expect(items[0]).to.deep.include({
      quantity: 1,
      unit_amount_minor_units: 1_900,
      tax_percentage: '0.00',
      total_minor_units: 1_900,
    });

    expect(await pendingNoticesAbout(service, id)).to.deep.equal([]);
  });

  it('takes every field, adds up, and keeps metadata in its order', async () => {
    const metadata = { z: '1', a: [true, null, { ü: '🎉' }], deal: 42 };
    const day = dayAhead(30);
    const reply = await create({
      recipient_email: 'Büro.Chef@Example.COM',
      title: 'Zwei Poster 🖼',
      message: 'Hallo,\nwie besprochen.',
      currency: 'JPY',
      shipping_minor_units: 390,
      metadata,
      expires_at: day,
      line_items: [
        {
          name: 'Poster',
          product_id: 'prod_7',
          quantity: 2,
          unit_amount_minor_units: 1_000,
          discount_minor_units: 100,
          tax_minor_units: 361,
          tax_percentage: '19.00',
        },
      ],
    });

    const offer = dataOf<Record<string, unknown>>(reply, 201);
    expect(offer).to.deep.include({
      recipient_email: 'Büro.Chef@Example.COM',
      title: 'Zwei Poster 🖼',
      message: 'Hallo,\nwie besprochen.',
      expires_at: `${day}T23:59:59.999Z`,
      totals: {
        currency: 'JPY',
        subtotal_minor_units: 2_000,
        discount_minor_units: 100,
        shipping_minor_units: 390,
        tax_minor_units: 361,
        total_minor_units: 2_651,
      },
    });

    expect(offer['line_items']).to.deep.include.members([
      {
        product: { id: 'prod_7', name: 'Poster' },
        quantity: 2,
        unit_amount_minor_units: 1_000,
        discount_minor_units: 100,
        tax_minor_units: 361,
        tax_percentage: '19.00',
        total_minor_units: 2_261,
      },
    ]);

    expect(reply.text).to.include(`"metadata":${JSON.stringify(metadata)}`);
  });

  it('refuses what is no offer, names each field, and changes nothing', async () => {
    const known = await stored();
    const items = (changes: object) => ({ line_items: [{ ...item, ...changes }] });
    const cases: [object, string[]][] = [
      [{ recipient_email: undefined }, ['recipient_email: required']],
      [{ recipient_email: 'nobody' }, ['recipient_email: invalid_format']],
      [{ recipient_email: 'a@b.c\r\nBcc: x@y.z' }, ['recipient_email: invalid_format']],
      [{ recipient_email: ['a@b.c'] }, ['recipient_email: invalid_type']],
      [{ recipient_email: `${'a'.repeat(250)}@b.cd` }, ['recipient_email: too_long']],
      [{ title: '' }, ['title: invalid_value']],
      [{ title: 'x'.repeat(251) }, ['title: too_long']],
      [{ title: 'Hello\r\nBcc: x@y.z' }, ['title: invalid_value']],
      [{ title: 'a\0b' }, ['title: invalid_value']],
      [{ title: null }, ['title: invalid_type']],
      [{ message: 'x'.repeat(2_001) }, ['message: too_long']],
      [{ message: '\ud83d' }, ['message: invalid_value']],
      [{ message: null }, ['message: invalid_type']],
      [{ currency: 'XXX' }, ['currency: invalid_value']],
      [{ currency: 'eur' }, ['currency: invalid_value']],
      [{ currency: 'BGN', title: 7 }, ['currency: invalid_value', 'title: invalid_type']],
      [{ line_items: [] }, ['line_items: too_few_items']],
      [{ line_items: {} }, ['line_items: invalid_type']],
      [{ line_items: [null] }, ['line_items: invalid_type']],
      [{ line_items: Array(101).fill(item) }, ['line_items: out_of_range']],
      [
        { line_items: Array(101).fill({ ...item, unit_amount_minor_units: -1 }), expires_at: 5 },
        ['expires_at: invalid_type', 'line_items: out_of_range'],
      ],
      [{ line_items: [{}] }, ['line_items: required']],
      [items({ colour: 'red' }), ['line_items: unknown_property']],
      [items({ quantity: 0 }), ['line_items: out_of_range']],
      [items({ quantity: -3e9 }), ['line_items: out_of_range']],
      [items({ quantity: 1e9 }), ['line_items: out_of_range']],
      [items({ quantity: 3e9 }), ['line_items: out_of_range']],
      [items({ quantity: 1.5 }), ['line_items: invalid_type']],
      [items({ quantity: '1' }), ['line_items: invalid_type']],
      [items({ unit_amount_minor_units: -1 }), ['line_items: out_of_range']],
      [items({ unit_amount_minor_units: 1e300 }), ['line_items: out_of_range']],
      [items({ unit_amount_minor_units: 0.5 }), ['line_items: invalid_type']],
      [items({ discount_minor_units: 1_901 }), ['line_items: out_of_range']],
      [items({ tax_percentage: 'much' }), ['line_items: invalid_format']],
      [items({ product_id: '7' }), ['line_items: invalid_format']],
      [items({ name: '' }), ['line_items: invalid_value']],
      [
        items({ quantity: 2, unit_amount_minor_units: Number.MAX_SAFE_INTEGER }),
        ['line_items: out_of_range'],
      ],
      [{ shipping_minor_units: -1 }, ['shipping_minor_units: out_of_range']],
      [{ shipping_minor_units: -1e300 }, ['shipping_minor_units: out_of_range']],
      [{ shipping_minor_units: '1' }, ['shipping_minor_units: invalid_type']],
      [{ metadata: [] }, ['metadata: invalid_type']],
      [{ metadata: { 'a\0': 1 } }, ['metadata: invalid_value']],
      [{ metadata: { a: 'x'.repeat(140_000) } }, ['metadata: too_long']],
      [{ expires_at: '2027-02-30' }, ['expires_at: invalid_format']],
      [{ expires_at: 'tomorrow' }, ['expires_at: invalid_format']],
      [{ expires_at: 1_800_000_000 }, ['expires_at: invalid_type']],
      [{ expires_at: '2020-01-01T00:00:00Z' }, ['expires_at: out_of_range']],
      [{ expires_at: dayAhead(366) }, ['expires_at: out_of_range']],
      [{ expires_at: '2020-01-01', title: 7 }, ['expires_at: out_of_range', 'title: invalid_type']],
      [{ expires_at: 'tomorrow', title: 7 }, ['expires_at: invalid_format', 'title: invalid_type']],
      [{ status: 'sent', id: 'off_1' }, ['status: unknown_property', 'id: unknown_property']],
      [
        { title: 7, currency: '', recipient_email: 'x', line_items: [{ ...item, quantity: 0 }] },
        [
          'title: invalid_type',
          'currency: invalid_value',
          'recipient_email: invalid_format',
          'line_items: out_of_range',
        ],
      ],
    ];
    for (const [changes, refusals] of cases) {
      const name = JSON.stringify(changes).slice(0, 100);
      expect(refusalsOf(await create(changes)), name).to.have.members(refusals);
    }

    const huge = `${JSON.stringify(offerInput()).slice(0, -1)},"shipping_minor_units":9007199254740993}`;
    const headers = { 'content-type': 'application/json' };
    const refused = await tenant.rest.send('POST', offersPath, { bytes: huge, headers });
    expect(codeOf(refused, 400)).to.equal('invalid_json');
    expect(await stored()).to.deep.equal(known);
  });

  it('says which item of a list is meant', async () => {
    const reply = await create({ line_items: [item, { ...item, name: undefined }] });
    const { errors } = reply.body as { errors: object[] };
    expect(errors).to.deep.equal([
      { code: 'required', detail: 'Item 2, name: Is required.', param: 'line_items' },
    ]);
  });

  it('H57, A7: requires an idempotency key, and drafts once under it', async () => {
    expect(codeOf(await create({}, { key: null }), 400)).to.equal('idempotency_key_required');

    const key = `offer-${tenant.account}`;
    const first = await create({ title: 'Keyed' }, { key });
    const again = await create({ title: 'Keyed' }, { key });
    expect(again.headers['idempotent-replayed']).to.equal('true');
    expect(again.text).to.equal(first.text);
    expect(codeOf(await create({ title: 'Other' }, { key }), 409)).to.equal(
      'idempotency_key_conflict',
    );

    const rows = await service.database.query(
      `select from offer where account_id = $1 and title = 'Keyed'`,
      [tenant.account],
    );
    expect(rows).to.have.length(1);
  });

  it('H44: leaves the key of a refused offer free, also for another body', async () => {
    const key = `refused-${tenant.account}`;
    expect(refusalsOf(await create({ title: '' }, { key }))).to.deep.equal([
      'title: invalid_value',
    ]);
    dataOf(await create({}, { key }), 201);
  });

  it('H87, H88, H89: takes the orders permission at write, of API keys only', async () => {
    for (const input of [
      { kind: 'live', level: 'read' },
      { kind: 'live', role: 'developer' },
      { kind: 'legacy', role: 'viewer' },
    ] as const) {
      const client = await tenant.client(input);
      expect(codeOf(await client.post(offersPath, offerInput()), 403)).to.equal('forbidden');
    }
    const dashboard = await tenant.client({ kind: 'dashboard', role: 'owner' });
    expect(codeOf(await dashboard.post(offersPath, offerInput()), 401)).to.equal('unauthorized');
    const legacy = await tenant.client({ kind: 'legacy', role: 'admin' });
    dataOf(await legacy.post(offersPath, offerInput()), 201);
  });
});
