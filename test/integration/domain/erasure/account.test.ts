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
import { getErasure, startAccountErasure } from '../../../../src/domain/erasure/erasures.js';
import { publishEvent } from '../../../../src/domain/event/publish.js';
import { fillAccount } from '../../../../tools/seed/fill-account.js';
import { rowsOf, runErasure, tablesWith } from '../../../support/erasure.js';
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

  it('leaves its record and books without personal data, and touches no other account', async () => {
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

  it('stops keys, events and claims with its first commit', async () => {
    const { account, token } = await shop('zzmarkerthree');
    await publish(account, { note: 'pending' }).catch(() => undefined);
    await database.transact((tx) => startAccountErasure(tx, account, 'command'));
    expect(await authenticate(database.read, token)).to.equal('invalid_credential');
    expect(await refusalOf(publish(account, {}))).to.include({ code: 'not_found' });
    expect(await refusalOf(getAccount(database.read, account))).to.include({ code: 'not_found' });
    const claims = await claimAll(database.read);
    expect(claims.filter(({ accountId }) => accountId === account)).to.deep.equal([]);
  });

  it('keeps no expiry of other accounts from being published', async () => {
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

  it('is one erasure when it is started again', async () => {
    const { account } = await shop('zzmarkersix');
    const start = () => database.transact((tx) => startAccountErasure(tx, account, 'command'));
    expect((await start()).id).to.equal((await start()).id);
  });
});
