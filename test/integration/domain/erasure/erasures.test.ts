import { setEndpointOptions } from '../../../../src/domain/endpoint/endpoint-options.js';
import { expect } from 'chai';
import type { Database } from '../../../../src/database/database.js';
import {
  createAccount,
  createMember,
  getAccount,
} from '../../../../src/domain/account/accounts.js';
import { authenticate, createCredential } from '../../../../src/domain/account/credentials.js';
import { expireCheckouts, createCheckout } from '../../../../src/domain/checkout/checkouts.js';
import { recordBatch } from '../../../../src/domain/delivery/recording.js';
import {
  getErasure,
  startAccountErasure,
  startBuyerErasure,
} from '../../../../src/domain/erasure/erasures.js';
import { publishEvent } from '../../../../src/domain/event/publish.js';
import { fillAccount } from '../../../../tools/seed/fill-account.js';
import { rowsOf, runErasure, tablesWith, contentsOf } from '../../../support/erasure.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import {
  claimAll,
  end,
  evidence,
  eventType,
  insertEndpoint,
  outcomes,
} from '../../../support/engine.js';
import { refusalOf } from '../../../support/refusal.js';
import { countBuyerErasure, runErasureStep } from '../../../../src/domain/erasure/run-step.js';
import { putEventType } from '../../../../src/domain/event-type/put-event-types.js';
import { createOffer } from '../../../../src/domain/offer/offers.js';
import { sendOffer } from '../../../../src/domain/offer/change-offer.js';
import { recordPayment } from '../../../../src/domain/payment/record-payment.js';
import { refundPayment } from '../../../../src/domain/payment/refunds.js';
import { checkEvent } from '../../../support/contract.js';

describe('the erasure of an account', () => {
  let test: TestDatabase;
  let database: Database;

  before(async () => {
    test = await createTestDatabase();
    database = await test.open();
  });

  after(() => test.drop());

  const publish = (account: string, data: object) =>
    database.transact((tx) =>
      publishEvent(tx, account, { type: eventType, subject: 's', data: { ...data }, key: 'once' }),
    );

  /** An account with rows in every table, which name `marker` wherever a text is kept. */
  async function shop(marker: string): Promise<{ account: string; token: string }> {
    const { id: account } = await database.transact((tx) => createAccount(tx, { name: marker }));
    await database.transact((tx) =>
      createMember(tx, { account, email: `${marker}@shop.example`, role: 'owner' }),
    );

    const { token } = await database.transact((tx) =>
      createCredential(tx, { account, kind: 'live' }),
    );

    await fillAccount(
      { read: database.read, transact: database.transact, since: new Date() },
      { account, orders: 150, seed: 1 },
    );

    await insertEndpoint(
      test,
      account,
      `url = 'https://${marker}.example/', description = '${marker}', notification_email = '${marker}@x.example'`,
    );

    await publish(account, { note: marker });

    const claims = await claimAll(database.read);
    const ended = end(
      claims.find(({ accountId }) => accountId === account)!,
      outcomes.down,
    );

    await recordBatch(database, [
      {
        ...ended,
        evidence: {
          ...evidence!,
          url: `https://${marker}.example/`,
          body: Buffer.from(marker).toString('base64'),
        },
      },
    ]);

    await publish(account, { note: `${marker} again`, key: 'twice' }).catch(() => undefined);

    await test.query(
      `insert into idempotency_record (account_id, key, fingerprint, status, body, created_at, expires_at)
       values ($1, $2, '', 201, $2, now(), now() + interval '1 day')`,
      [account, marker],
    );

    await test.query(
      `insert into notice (id, account_id, kind, resource_id, data, recipient, message_id, created_at, due_at)
       values ('ntc_' || $2, $1, 'endpoint_disabled', 'whs_1', json_build_object('url', $2::text)::jsonb, $2 || '@x.example',
               $2, now(), now())`,
      [account, marker],
    );

    await test.query(
      `update "order" set buyer = json_build_object('email', $2 || '@x.example', 'name', $2, 'country', 'DE'),
              metadata = json_build_object('n', $2::text), external_reference = $2, affiliate = $2 where account_id = $1`,
      [account, marker],
    );

    await test.query(
      `update invoice set buyer = json_build_object('email', $2 || '@x.example', 'name', $2, 'country', null) where account_id = $1`,
      [account, marker],
    );

    await test.query(
      `update payment set buyer_email = $2 || '@x.example', key = $2 || id, fingerprint = $2::bytea where account_id = $1`,
      [account, marker],
    );

    await test.query(`update refund set note = $2 where account_id = $1`, [account, marker]);

    await test.query(
      `update checkout set metadata = json_build_object('n', $2::text) where account_id = $1`,
      [account, marker],
    );

    await test.query(`update offer set message = $2 where account_id = $1`, [account, marker]);
    await test.query('insert into full_account values ($1, 1, now())', [account]);

    await test.query(
      `insert into audit_entry (id, account_id, action, actor_kind, member_email, address, changes, created_at)
       values ('aud_' || $2, $1, 'member_created', 'session', $2 || '@x.example', $2,
               json_build_array(json_build_object('field', 'reason', 'to', $2::text)), now())`,
      [account, marker],
    );

    return { account, token };
  }

  it('erasing an account leaves its row and its books without personal data, and no other account changes', async () => {
    const mine = await shop('zzmarkerone');
    const other = await shop('zzmarkertwo');
    const othersBefore = await rowsOf(database, other.account);
    const before = await rowsOf(database, mine.account);

    expect(await tablesWith(test, 'zzmarkerone')).to.include.members([
      'account',
      'audit_entry',
      'checkout',
      'endpoint',
      'idempotency_record',
      'invoice',
      'member',
      'notice',
      'offer',
      'order',
      'payment',
      'refund',
    ]);

    const { id } = await database.transact((tx) =>
      startAccountErasure(tx, mine.account, 'command'),
    );
    await runErasure(database, id);
    expect(await tablesWith(test, 'zzmarkerone')).to.deep.equal([]);

    const { order, payment, refund, invoice } = before;
    expect(await rowsOf(database, mine.account)).to.deep.equal({
      order,
      payment,
      refund,
      invoice,
      erasure: 1,
    });

    expect(await rowsOf(database, other.account)).to.deep.equal(othersBefore);

    const erasure = await getErasure(database.read, id);
    expect(erasure).to.include({ status: 'completed', kind: 'account', requestedBy: 'command' });

    for (const [table, rows] of Object.entries(before)) {
      if (!['delivery_statistics', 'pending_delivery'].includes(table)) {
        expect(erasure.counts[table], table).to.equal(rows);
      }
    }

    expect(await authenticate(database.read, other.token)).to.have.property('viewer');
  });

  it('erasing an account stops its keys, events and claims with the first commit', async () => {
    const { account, token } = await shop('zzmarkerthree');
    await publish(account, { note: 'pending' }).catch(() => undefined);
    await database.transact((tx) => startAccountErasure(tx, account, 'command'));
    expect(await authenticate(database.read, token)).to.equal('invalid_credential');
    expect(await refusalOf(publish(account, {}))).to.include({ code: 'not_found' });
    expect(await refusalOf(getAccount(database.read, account))).to.include({ code: 'not_found' });
    const claims = await claimAll(database.read);
    expect(claims.filter(({ accountId }) => accountId === account)).to.deep.equal([]);
  });

  it('an erased account keeps no expiry of other accounts from being published', async () => {
    // One after the other: each claims what it published.
    const accounts = [await shop('zzmarkerfour'), await shop('zzmarkerfive')];
    for (const { account } of accounts) {
      await database.transact((tx) =>
        createCheckout(tx, account, {
          successUrl: 'https://shop.example/thanks',
          currency: 'EUR',
          lineItems: [{ name: 'Pen', quantity: 1, unitAmountMinorUnits: 100, taxPercentage: '0' }],
        }),
      );
    }

    await database.transact((tx) => startAccountErasure(tx, accounts[0]!.account, 'command'));
    await test.query(`update checkout set expires_at = now() where expires_at > now()`);
    expect(await database.transact((tx) => expireCheckouts(tx))).to.be.greaterThan(0);

    const events = await test.query<{ account: string }>(
      `select distinct account_id as account from event where type = 'cart.checkout.expired' and account_id = any ($1)`,
      [accounts.map(({ account }) => account)],
    );
    expect(events).to.deep.include({ account: accounts[1]!.account });
  });

  it('starting the erasure of an account again returns the same erasure', async () => {
    const { account } = await shop('zzmarkersix');
    const start = () => database.transact((tx) => startAccountErasure(tx, account, 'command'));
    expect((await start()).id).to.equal((await start()).id);
  });
});

const email = 'Ann.Zzmail@buyer.example';
const name = 'Ann Zzname';
const ownType = 'shop.parcel.sent';
const types = [
  'cart.checkout.created',
  'cart.order.completed',
  'payment.sale.succeeded',
  'offer.sent',
  'payment.refund.created',
  'invoice.issued',
  'invoice.credit_note.issued',
  'offer.created',
  'order.completed',
  ownType,
];
const lineItems = [{ name: 'Pen', quantity: 1, unitAmountMinorUnits: 100 }];

describe('the erasure of a buyer', () => {
  let test: TestDatabase;
  let database: Database;
  let account: string;

  before(async () => {
    test = await createTestDatabase();
    database = await test.open();
    account = (await database.transact((tx) => createAccount(tx, { name: 'Shop' }))).id;

    await database.transact((tx) =>
      putEventType(tx, {
        id: ownType,
        category: 'shop',
        summary: 's',
        description: 'd',
        offered: true,
        validation: 'enforce',
        versions: [
          {
            version: 'v1',
            schema: {
              type: 'object',
              properties: {
                status: { enum: ['sent', 'lost'] },
                country: { type: 'string', pattern: '^[A-Z]{2}$' },
              },
            },
            example: { country: 'FR' },
          },
        ],
      }),
    );
  });

  after(() => test.drop());

  /** Buys, refunds, gets offers, and is named by events. */
  async function buys(buyerEmail: string, buyerName: string, more: object = {}) {
    const { transact } = database;
    const metadata = { customer: { name: buyerName, mail: buyerEmail }, ...more };
    const paidBy = { buyerEmail: buyerEmail.toUpperCase(), buyerName, key: `pay ${buyerEmail}` };
    const { id: checkout } = await transact((tx) =>
      createCheckout(tx, account, {
        currency: 'EUR',
        lineItems,
        metadata,
        successUrl: `https://shop.example/thanks?for=${encodeURIComponent(buyerEmail)}`,
      }),
    );

    const { payment } = await transact((tx) => recordPayment(tx, account, { checkout, ...paidBy }));
    await transact((tx) =>
      refundPayment(tx, account, payment.id, { amountMinorUnits: 50, note: `for ${buyerName}` }),
    );

    const { id: offer } = await transact((tx) =>
      createOffer(tx, account, {
        currency: 'EUR',
        lineItems,
        metadata,
        recipientEmail: buyerEmail.toLowerCase(),
        title: `For ${buyerName}`,
        message: `Dear ${buyerName}`,
      }),
    );

    await transact((tx) => sendOffer(tx, account, offer));

    await transact((tx) =>
      publishEvent(tx, account, {
        type: ownType,
        subject: `mail:${buyerEmail}`,
        key: `parcel ${buyerEmail}`,
        data: {
          to: `${buyerName} <${buyerEmail}>`,
          street: `${buyerName} Street 1`,
          status: 'lost',
          country: 'DE',
          weight: 12,
        },
      }),
    );

    await test.query(
      `insert into idempotency_record (account_id, key, fingerprint, status, body, created_at, expires_at)
       values ($1, $2, '', 201, $3, now(), now() + interval '1 day')`,
      [
        account,
        `refund ${buyerEmail}`,
        JSON.stringify({ data: { id: 'rfd_1', payment: payment.id, note: buyerName } }),
      ],
    );
  }

  /** Delivers everything in vain to a receiver that echoes. */
  async function failAll(): Promise<void> {
    for (const claim of await claimAll(database.read)) {
      const body = Buffer.from(claim.event.body).toString('base64');
      await recordBatch(database, [
        { ...end(claim, outcomes.down), evidence: { ...evidence!, body } },
      ]);
    }
  }

  async function erase(input: { email: string; includeInvoices?: boolean }) {
    const { id } = await database.transact((tx) =>
      startBuyerErasure(tx, { account, ...input }, 'command'),
    );
    await runErasure(database, id);
    return getErasure(database.read, id);
  }

  it('H156: erasing a buyer leaves the invoices only, and finds nothing when it is repeated', async () => {
    await insertEndpoint(test, account, `event_types = '{${types.join()}}'`);
    await database.transact((tx) =>
      createMember(tx, { account, email: 'owner@shop.example', role: 'owner' }),
    );
    await buys(email, name);
    await buys('bob@other.example', 'Bob', { referredBy: email.toUpperCase() });
    await buys(`x${email}`, 'Joann');
    await failAll();

    const before = await rowsOf(database, account);
    const contents = await contentsOf(database, account);
    const counted = await countBuyerErasure(database.transact, { account, email });

    expect(await contentsOf(database, account)).to.deep.equal(contents);
    expect(await tablesWith(test, 'zzname')).to.have.length.within(7, 20);

    const erasure = await erase({ email: email.toUpperCase() });
    expect(await tablesWith(test, 'Ann Zzname')).to.deep.equal(['invoice']);
    expect(await tablesWith(test, `"${email}`)).to.deep.equal(['invoice']);

    for (const before of [' ', ':', '<', 'for=']) {
      expect(await tablesWith(test, `${before}${email}`), before).to.deep.equal([]);
      expect(await tablesWith(test, before + encodeURIComponent(email))).to.deep.equal([]);
    }

    const others = ['"bob@other', `x${email}`, 'Joann'];
    for (const other of others) expect(await tablesWith(test, other)).to.include('order');

    // The payment counts twice: its address, and its key.
    expect(counted).to.deep.equal(erasure.counts);
    expect(erasure.counts).to.include({ payment: 2, order: 2, refund: 1 });

    const notice = before['notice']! - 1;
    expect(await rowsOf(database, account)).to.deep.equal({ ...before, notice, erasure: 1 });
    expect((await erase({ email })).counts).to.deep.equal({});
    await erase({ email, includeInvoices: true });
    expect(await tablesWith(test, 'Ann Zzname')).to.deep.equal([]);
    expect(await tablesWith(test, 'Joann')).to.include('invoice');
  });

  it('H156: a filter that mentions the buyer stays a filter, without the buyer', async () => {
    const endpoint = await insertEndpoint(test, account);
    const other = await insertEndpoint(test, account);
    const set = (id: string, filter: string) =>
      database.transact((tx) => setEndpointOptions(tx, account, id, { filter }));
    const escaped = JSON.stringify(email).replace('@', String.raw`\u0040`);
    await set(endpoint, `$.data.buyer.email == ${escaped} || $.data."${email}" >= 5`);
    await set(other, `$.data.buyer.email == "x${email}"`);

    expect((await erase({ email })).counts).to.include({ endpoint: 1 });
    const rows = await test.query<{ filter: string; path: string }>(
      'select filter, filter_path::text as path from endpoint where id = any ($1) order by id',
      [[endpoint, other]],
    );
    const filters = ['$.data.buyer.email == "erased" || $.data."erased" >= 5'];
    filters.push(`$.data.buyer.email == "x${email}"`);
    expect(rows.map(({ filter }) => filter).sort()).to.deep.equal(filters.sort());
    expect(rows.some(({ path }) => path.includes(`"${email}`))).to.equal(false);
    expect((await erase({ email })).counts).to.not.have.property('endpoint');
  });

  it('H155, H156: one connection erases accounts and buyers', async () => {
    const one = await test.open({ pool: 1 });
    const { id } = await one.transact((tx) => createAccount(tx, { name: 'One' }));
    const input = { account: id, email };
    const buyers = await one.transact((tx) => startBuyerErasure(tx, input, 'command'));
    await runErasure(one, buyers.id);
    const all = await one.transact((tx) => startAccountErasure(tx, id, 'command'));
    await runErasure(one, all.id);
    expect(await getErasure(one.read, all.id)).to.include({ status: 'completed' });
  });

  it('H274: erases a buyer however the domain is spelled, and no other', async () => {
    const shop = (await database.transact((tx) => createAccount(tx, { name: 'Spelled' }))).id;
    const main = account;

    account = shop;

    try {
      const spellings = [
        'zoe.zzidn@m\u00fcnchen.example',
        'Zoe.Zzidn@xn--mnchen-3ya.example',
        'zoe.zzidn@mu\u0308nchen.example',
      ];

      for (const spelling of spellings) await buys(spelling, 'Zoe Zzspelled');

      await buys('zoe.zzidn@other.example', 'Olga Zzother', {
        referredBy: `<${spellings[0]}>`,
        note: `See\n${spellings[1]}`,
        seen: `https://x.example/?to=${encodeURIComponent(spellings[2]!)}&page=1`,
      });

      await database.transact((tx) =>
        createCheckout(tx, account, {
          currency: 'EUR',
          lineItems,
          successUrl: 'https://shop.example/thanks',
          buyerEmail: spellings[0],
          buyerEmailLocked: true,
        }),
      );

      const first = await database.transact((tx) =>
        startBuyerErasure(tx, { account, email: spellings[0]! }, 'command'),
      );
      const again = await database.transact((tx) =>
        startBuyerErasure(tx, { account, email: spellings[1]!.toUpperCase() }, 'command'),
      );
      expect(again.id).to.equal(first.id);
      await runErasure(database, first.id);

      const marks = ['zoe.zzidn@m', 'zoe.zzidn@xn--'];
      for (const mark of marks)
        expect(await tablesWith(test, mark), mark).to.deep.equal(['invoice']);
      expect(await tablesWith(test, 'zoe.zzidn%40m')).to.deep.equal([]);
      expect(await tablesWith(test, 'Zoe Zzspelled')).to.deep.equal(['invoice']);

      const counts = (await getErasure(database.read, first.id)).counts;
      expect(counts).to.include({ order: 4, refund: 3, offer: 4, checkout: 8 });

      expect(await tablesWith(test, 'zoe.zzidn@other.example')).to.include.members([
        'payment',
        'order',
      ]);

      const own = await test.query<{ body: string }>(
        `select convert_from(body, 'UTF8') as body from event
          where account_id = $1 and type = $2 and convert_from(body, 'UTF8') like '%Olga Zzother%'`,
        [account, ownType],
      );
      expect(own).to.have.length(1);
    } finally {
      account = main;
    }
  });

  it('H156: redacted events fit their schema, say that they were erased, and are sent', async () => {
    await test.query(
      `update pending_delivery set ready = true, due_at = now() where lane = 'live'`,
    );

    const claims = await claimAll(database.read);
    const events = claims.map(({ event }) => JSON.parse(event.body.toString()) as Event);
    const erased = events.filter(({ erasedat }) => erasedat !== undefined);
    expect(erased.map(({ type }) => type)).to.include.members(types);

    for (const event of erased) {
      if (event.type === ownType) continue;
      checkEvent(Buffer.from(JSON.stringify(event)));
    }

    const parcel = erased.find(({ type }) => type === ownType);
    expect(parcel?.subject).to.equal('erased');

    expect(parcel?.data).to.deep.equal({
      to: 'erased@erased.invalid',
      street: 'erased',
      status: 'lost',
      country: 'FR',
      weight: 12,
    });
  });
});

interface Event {
  readonly type: string;
  readonly subject: string;
  readonly erasedat?: string;
  readonly data: object;
}

describe('erasures of which one fails', () => {
  let test: TestDatabase;
  let database: Database;

  before(async () => {
    test = await createTestDatabase();
    database = await test.open();
  });

  after(() => test.drop());

  it('H155: continues other erasures when a step of one fails', async () => {
    const { transact } = database;
    const start = async () => {
      const { id } = await transact((tx) => createAccount(tx, { name: 'shop' }));
      await transact((tx) =>
        createMember(tx, { account: id, email: 'a@b.example', role: 'owner' }),
      );
      return transact((tx) => startAccountErasure(tx, id, 'command'));
    };

    const broken = await start();
    const other = await start();

    await test.query(`
      create function refuse() returns trigger language plpgsql as
        $$ begin raise exception 'refused'; end $$`);
    await test.query(`
      create trigger refuse before delete on member for each row
        when (old.account_id = '${broken.accountId}') execute function refuse()`);

    const failures: string[] = [];
    for (let steps = 0; steps < 200; steps += 1) {
      const step = await runErasureStep(transact, { lastPassAfterMs: 0 }).catch(
        (error: unknown) => {
          failures.push((error as Error).message);
        },
      );
      if (step?.completed && step.id === other.id) break;
    }

    expect(failures).to.deep.equal(['refused']);
    expect((await getErasure(database.read, other.id)).status).to.equal('completed');
    expect((await getErasure(database.read, broken.id)).status).to.equal('running');
  });
});
