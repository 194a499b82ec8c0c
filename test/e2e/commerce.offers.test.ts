import { expect } from 'chai';
import {
  codeOf,
  dayAhead,
  type OfferBody,
  offerInput,
  offersPath,
  pendingNoticesAbout,
  ask,
  expireOfferIn,
  mailsAbout,
  makeOffer,
  moveOffersBack,
  openOfferCheckout,
  payPage,
} from '../support/sales.js';
import { dataOf, refusalsOf, toProblem } from '../support/endpoints.js';
import type { Ask } from '../support/rest-client.js';
import { type Service, sharedService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';
import { randomUUID } from 'node:crypto';
import { openPage } from '../support/dashboard.js';

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
    const { id, created_at, ...offer } = dataOf<OfferBody>(reply, 201);
    expect(id).to.match(/^off_[0-9A-Za-z]{24}$/);
    expect(created_at).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

    const {
      line_items: items,
      expires_at,
      ...rest
    } = offer as typeof offer & { line_items: object[] };

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

  it('accepts every field, computes the totals, and keeps metadata in its order', async () => {
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

  it('refuses an invalid offer, names each field, and changes nothing', async () => {
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

  it('names the item of a list that is invalid', async () => {
    const reply = await create({ line_items: [item, { ...item, name: undefined }] });
    const { errors } = reply.body as { errors: object[] };
    expect(errors).to.deep.equal([
      { code: 'required', detail: 'Item 2, name: Is required.', param: 'line_items' },
    ]);
  });

  it('H57, A7: requires an idempotency key, and creates one draft under it', async () => {
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

  it('H44: frees the key of a refused offer, also for another body', async () => {
    const key = `refused-${tenant.account}`;
    expect(refusalsOf(await create({ title: '' }, { key }))).to.deep.equal([
      'title: invalid_value',
    ]);
    dataOf(await create({}, { key }), 201);
  });

  it('H87, H88, H89: requires the orders permission at write, of API keys only', async () => {
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

describe('commerce.offers.send', () => {
  let service: Service;
  let tenant: Tenant;

  before(async () => {
    service = await sharedService();
    tenant = await createTenant(service);
  });

  const draft = (changes: object = {}) => makeOffer(tenant.rest, changes, []);

  it('makes a draft a sent offer, and changes nothing else of it', async () => {
    const before = await draft();
    const sent = dataOf<OfferBody>(await ask(tenant.rest, before.id, 'send'), 200);
    expect(sent.sent_at).to.match(/Z$/);
    expect(sent.updated_at > before.updated_at).to.equal(true);
    const { sent_at, updated_at } = sent;
    expect(sent).to.deep.equal({ ...before, status: 'sent', send_count: 1, sent_at, updated_at });
  });

  it('sends the recipient one mail with the price, the expiry and the link', async () => {
    const day = dayAhead(30);
    const offer = await makeOffer(tenant.rest, {
      recipient_email: 'büro@example.com',
      title: 'Zwölf Poster 🖼',
      message: 'Hallo,\r\nTotal: 0\u2028Total: 1',
      currency: 'KWD',
      expires_at: `${day}T12:00:00+01:00`,
    });

    const [mail] = await mailsAbout(service, offer.id, 1);
    expect(mail?.headers['to']).to.deep.equal(['büro@example.com']);
    expect(mail?.headers['subject']).to.deep.equal(['Offer from Test shop: Zwölf Poster 🖼']);
    expect(mail?.headers['content-type']?.[0]).to.match(/^text\/plain; charset=utf-8/);

    const lines = mail?.text.split('\n') ?? [];
    const written = new Date(day).toLocaleDateString('en-GB', {
      dateStyle: 'long',
      timeZone: 'UTC',
    });

    expect(lines).to.include.members([
      'Offer: Zwölf Poster 🖼',
      'Total: KWD\u00a01.900',
      `Open until: ${written} at 11:00 UTC`,
      '> Hallo,',
      '> Total: 0',
      '> Total: 1',
      offer.offer_url,
    ]);

    expect(lines.filter((line) => line.startsWith('Total:'))).to.have.length(1);
  });

  it('adds no header to the mail for a line break in the name of the shop', async () => {
    const name = 'Shop\r\nBcc: evil@evil.example\r\n\r\nTotal: 0';
    await service.database.query('update account set name = $2 where id = $1', [
      tenant.account,
      name,
    ]);

    const [mail] = await mailsAbout(service, (await makeOffer(tenant.rest)).id, 1);
    await service.database.query(`update account set name = 'Test shop' where id = $1`, [
      tenant.account,
    ]);
    expect(mail?.headers).not.to.have.property('bcc');
    expect(mail?.headers['subject']).to.deep.equal([
      'Offer from Shop Bcc: evil@evil.example Total: 0: One poster',
    ]);
    expect(mail?.text.split('\n').filter((line) => line.startsWith('Total:'))).to.have.length(1);
  });

  it('sends an offer once, however many ask at once, and refuses the others', async () => {
    const { id } = await draft();
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => ask(tenant.rest, id, 'send')),
    );
    const sent = replies.filter(({ status }) => status === 200);
    expect(sent).to.have.length(1);
    for (const reply of replies.filter((other) => !sent.includes(other))) {
      expect(codeOf(reply, 409)).to.equal('offer_state_conflict');
    }
    expect(await pendingNoticesAbout(service, id)).to.have.length(1);
  });

  it('refuses an offer that is not a draft, names its status, and enqueues no mail', async () => {
    const expired = await draft();
    await expireOfferIn(service, expired.id, 0);

    for (const [offer, mails, state] of [
      [await makeOffer(tenant.rest), 1, 'already sent'],
      [await makeOffer(tenant.rest, {}, ['cancel']), 0, 'cancelled'],
      [expired, 0, 'expired'],
    ] as const) {
      const { code, detail, errors } = toProblem(await ask(tenant.rest, offer.id, 'send'), 409);
      expect(code).to.equal('offer_state_conflict');
      expect(detail).to.equal(`The offer cannot be sent: it is ${state}.`);
      expect(errors).to.deep.equal([{ code, detail }]);
      expect(await pendingNoticesAbout(service, offer.id)).to.have.length(mails);
    }
  });

  it('H57, A7, H48: requires an idempotency key, and enqueues one mail under it', async () => {
    const { id } = await draft();
    expect(codeOf(await ask(tenant.rest, id, 'send', { key: null }), 400)).to.equal(
      'idempotency_key_required',
    );

    const key = `send-${id}`;
    const first = await ask(tenant.rest, id, 'send', { key });
    const again = await ask(tenant.rest, id, 'send', { key });
    expect(again.headers['idempotent-replayed']).to.equal('true');
    expect(again.text).to.equal(first.text);
    expect(codeOf(await ask(tenant.rest, id, 'resend', { key }), 409)).to.equal(
      'idempotency_key_conflict',
    );
    expect(await pendingNoticesAbout(service, id)).to.have.length(1);
  });
});

describe('commerce.offers.resend', () => {
  let service: Service;
  let tenant: Tenant;

  before(async () => {
    service = await sharedService();
    tenant = await createTenant(service);
  });

  it('sends the same mail again under another Message-ID, and counts it', async () => {
    const sent = await makeOffer(tenant.rest);
    const again = dataOf<OfferBody>(await ask(tenant.rest, sent.id, 'resend'), 200);
    const { created_at, sent_at, updated_at } = again;
    expect(updated_at > sent.updated_at).to.equal(true);
    expect(again).to.deep.equal({ ...sent, send_count: 2, created_at, sent_at, updated_at });
    const [first, second] = await mailsAbout(service, sent.id, 2);
    expect(second?.text).to.equal(first?.text);
    expect(second?.headers['message-id']).not.to.deep.equal(first?.headers['message-id']);
  });

  it('refuses a third mail within a minute of the second, however many ask at once, and says when', async () => {
    const { id } = await makeOffer(tenant.rest);
    dataOf(await ask(tenant.rest, id, 'resend'), 200);

    const early = await ask(tenant.rest, id, 'resend');
    const { code, detail } = toProblem(early, 409);
    expect(code).to.equal('offer_state_conflict');
    expect(detail).to.equal('The offer cannot be resent within 60 seconds of its last mail.');
    expect(Number(early.headers['retry-after'])).to.be.within(1, 60);
    await moveOffersBack(service, id);

    const replies = await Promise.all(
      Array.from({ length: 8 }, () => ask(tenant.rest, id, 'resend')),
    );
    const statuses = replies.map(({ status }) => status).sort((a, b) => a - b);
    expect(statuses).to.deep.equal([200, 409, 409, 409, 409, 409, 409, 409]);
    expect(await pendingNoticesAbout(service, id)).to.have.length(3);
  });

  it('sends an offer at most ten times, by any operation', async () => {
    const { id } = await makeOffer(tenant.rest);
    const byGraphql = 'mutation ($of: ID!, $id: ID!) { resendOffer(account: $of, id: $id) { id } }';
    const graphql = () => tenant.graphql(byGraphql, { of: tenant.account, id });
    for (let count = 2; count <= 10; count += 1) {
      await moveOffersBack(service, id);
      if (count % 2) await graphql();
      else dataOf(await ask(tenant.rest, id, 'resend'), 200);
    }

    await moveOffersBack(service, id);

    const refused = toProblem(await ask(tenant.rest, id, 'resend'), 409);
    expect(refused.detail).to.equal(
      'The offer cannot be resent: it has reached its limit of 10 mails.',
    );

    const refusal = await graphql().catch((error: unknown) => error);
    expect(refusal).to.include({ code: 'offer_state_conflict' });
    expect(await pendingNoticesAbout(service, id)).to.have.length(10);
    await ask(tenant.rest, id, 'cancel');
    expect(toProblem(await ask(tenant.rest, id, 'resend'), 409).detail).to.include('cancelled');
  });

  it('H26, A46: send, resend and cancel ignore any body', async () => {
    for (const bytes of ['{"a":', '\xff\xfe']) {
      const { id } = dataOf<OfferBody>(await tenant.rest.post(offersPath, offerInput()), 201);

      for (const step of ['send', 'resend', 'cancel']) {
        const key = randomUUID();
        const path = `${offersPath}/${id}/${step}`;
        const headers = { 'content-type': 'text/plain' };
        expect((await tenant.rest.send('POST', path, { key, bytes, headers })).status).to.equal(
          200,
        );

        const again = await tenant.rest.send('POST', path, { key, bytes: '{"other":1}' });
        expect(again.headers['idempotent-replayed']).to.equal('true');
      }
    }
  });

  it('H95: refuses more than 60 mails in a minute with 429, by a limit that send and resend share', async () => {
    const { rest } = await createTenant(service);
    const drafts = await Promise.all(
      Array.from({ length: 31 }, async () => (await makeOffer(rest, {}, [])).id),
    );
    for (const id of drafts.slice(0, 30)) {
      expect((await ask(rest, id, 'send')).status).to.equal(200);
      expect((await ask(rest, id, 'resend')).status).to.equal(200);
    }

    for (const step of ['send', 'resend'] as const) {
      const refused = await ask(rest, drafts[30] ?? '', step);
      expect(codeOf(refused, 429)).to.equal('rate_limit_exceeded');
      expect(refused.headers['ratelimit-policy']).to.equal('"mail";q=60;w=60');
      expect(refused.headers['ratelimit']).to.match(/^"mail";r=0;t=\d+$/);
      expect(Number(refused.headers['retry-after'])).to.be.within(1, 60);
    }

    expect((await ask(rest, drafts[30] ?? '', 'cancel')).status).to.equal(200);
  });

  it('H95: a request that sends no mail uses nothing of the limit of mails', async () => {
    const { rest } = await createTenant(service);
    const { id } = await makeOffer(rest);
    const key = randomUUID();
    const left = async (status: number, of: string, step: 'send' | 'resend', options: Ask = {}) => {
      const reply = await ask(rest, of, step, options);
      expect(reply.status).to.equal(status);
      return Number(/^"mail";r=(\d+);/.exec(reply.headers['ratelimit'] ?? '')?.[1]);
    };

    expect(await left(200, id, 'resend', { key })).to.equal(58);

    const unknown = 'off_0000000000000000000000AB';
    for (let count = 0; count < 40; count += 1) {
      expect(await left(404, unknown, count % 2 ? 'send' : 'resend')).to.equal(58);
      expect(await left(409, id, 'send')).to.equal(58);
    }

    expect(await left(400, id, 'send', { key: null })).to.equal(58);
    expect(await left(406, id, 'send', { headers: { accept: 'text/html' } })).to.equal(58);
    expect(await left(409, id, 'send', { key })).to.equal(58);
    expect(await left(200, id, 'resend', { key })).to.equal(58);
    expect(await left(200, (await makeOffer(rest, {}, [])).id, 'send')).to.equal(57);
  });

  it('refuses an offer that was not sent or is no longer open', async () => {
    const expired = await makeOffer(tenant.rest);
    await expireOfferIn(service, expired.id, 0);

    const { id: cancelled } = await makeOffer(tenant.rest, {}, ['send', 'cancel']);
    const { id: draft } = await makeOffer(tenant.rest, {}, []);
    for (const [id, mails] of [
      [draft, 0],
      [cancelled, 1],
      [expired.id, 1],
    ] as const) {
      const reply = await ask(tenant.rest, id, 'resend');
      expect(codeOf(reply, 409)).to.equal('offer_state_conflict');
      expect(await pendingNoticesAbout(service, id)).to.have.length(mails);
    }
  });

  it('H57, H43: requires an idempotency key, and sends once under it', async () => {
    const { id } = await makeOffer(tenant.rest);
    expect(codeOf(await ask(tenant.rest, id, 'resend', { key: null }), 400)).to.equal(
      'idempotency_key_required',
    );
    const key = `resend-${id}`;
    const first = await ask(tenant.rest, id, 'resend', { key });
    const again = await ask(tenant.rest, id, 'resend', { key });
    expect(again.headers['idempotent-replayed']).to.equal('true');
    expect(again.text).to.equal(first.text);
    expect(await pendingNoticesAbout(service, id)).to.have.length(2);
  });
});

describe('commerce.offers.cancel', () => {
  let service: Service;
  let tenant: Tenant;

  before(async () => {
    service = await sharedService();
    tenant = await createTenant(service);
  });

  it('cancels a draft and a sent offer', async () => {
    for (const steps of [[], ['send']] as const) {
      const before = await makeOffer(tenant.rest, {}, steps);
      const after = dataOf<OfferBody>(await ask(tenant.rest, before.id, 'cancel'), 200);
      const { cancelled_at, updated_at } = after;
      expect(cancelled_at).to.match(/Z$/);
      expect(updated_at > before.updated_at).to.equal(true);
      expect(after).to.deep.equal({ ...before, status: 'cancelled', cancelled_at, updated_at });
    }
  });

  it('prevents payment of a cancelled offer, even in a checkout that was opened before', async () => {
    const offer = await makeOffer(tenant.rest);
    const id = await openOfferCheckout(offer);
    const checkout = `${service.url}/checkout/${id}`;

    dataOf(await ask(tenant.rest, offer.id, 'cancel'), 200);

    const retrieved = dataOf(await tenant.rest.get(`/v1/commerce/checkouts/${id}`), 200);
    expect(retrieved).to.include({ status: 'expired', order: null });
    expect(retrieved).not.to.have.any.keys('checkout_url', 'embed_url');

    for (const page of [await openPage(checkout), await payPage(checkout)]) {
      expect(page.status).to.equal(410);
      expect(page.text).to.include('This checkout is closed').and.include(offer.offer_url);
    }

    for (const form of [undefined, {}]) {
      const { status, text } = await openPage(offer.offer_url, form ? { form } : {});
      expect(status).to.equal(410);
      expect(text).to.include('This offer was withdrawn');
    }

    const orders = await tenant.rest.get('/v1/commerce/orders');
    expect(dataOf(orders, 200)).to.deep.equal([]);
  });

  it('refuses an offer that was cancelled or has expired', async () => {
    const expired = await makeOffer(tenant.rest);
    await expireOfferIn(service, expired.id, 0);
    const { id: cancelled } = await makeOffer(tenant.rest, {}, ['cancel']);
    for (const id of [cancelled, expired.id]) {
      const reply = await ask(tenant.rest, id, 'cancel');
      expect(codeOf(reply, 409)).to.equal('offer_state_conflict');
    }
  });

  it('H57, H46: requires an idempotency key, and answers the same under it', async () => {
    const { id } = await makeOffer(tenant.rest, {}, []);
    expect(codeOf(await ask(tenant.rest, id, 'cancel', { key: null }), 400)).to.equal(
      'idempotency_key_required',
    );
    const key = `cancel-${id}`;
    const first = await ask(tenant.rest, id, 'cancel', { key });
    const again = await ask(tenant.rest, id, 'cancel', { key });
    expect(again.headers['idempotent-replayed']).to.equal('true');
    expect(again.text).to.equal(first.text);
  });
});
