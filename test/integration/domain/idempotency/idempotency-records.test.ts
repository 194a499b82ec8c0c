import { expect } from 'chai';
import type { Database } from '../../../../src/database/database.js';
import { createAccount } from '../../../../src/domain/account/accounts.js';
import { makeId } from '../../../../src/domain/values/id.js';
import {
  completePending,
  idempotencyLock,
  readKeyState,
  recordResponse,
  recordPending,
  purgeIdempotencyRecords,
} from '../../../../src/domain/idempotency/idempotency-records.js';
import { LockNotAvailable, type Tx } from '../../../../src/domain/transaction/tx.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';

describe('idempotency keys', () => {
  let test: TestDatabase;
  let database: Database;
  let account: string;

  before(async () => {
    test = await createTestDatabase();
    database = await test.open();
    account = (await database.transact((tx) => createAccount(tx, { name: 'Shop' }))).id;
  });

  after(() => test.drop());

  const fingerprint = Buffer.alloc(32, 1);
  const claim = (key: string) => ({ account, key, fingerprint });
  const under = <T>(key: string, work: (tx: Tx) => T | Promise<T>) =>
    database.transact(async (tx) => work(tx), { lock: idempotencyLock(account, key) });
  const state = (key: string) => under(key, (tx) => readKeyState(tx, account, key));
  const age = (key: string, interval: string) =>
    test.query(
      `update idempotency_record set expires_at = expires_at - $2::interval where key = $1`,
      [key, interval],
    );

  it('H43: a key returns status, body and location of the first response, byte for byte', async () => {
    const body = { data: { url: 'https://é.example', b: 1, a: [null, 'x'] } };
    await under('k1', (tx) =>
      recordResponse(tx, claim('k1'), {
        status: 201,
        body,
        location: '/v1/webhooks/endpoints/whs_1',
      }),
    );

    expect(await state('k1')).to.deep.equal({
      kind: 'done',
      fingerprint,
      response: {
        status: 201,
        body: JSON.stringify(body),
        location: '/v1/webhooks/endpoints/whs_1',
      },
    });

    await under('k2', (tx) => recordResponse(tx, claim('k2'), { status: 204 }));

    expect(await state('k2')).to.have.deep.property('response', {
      status: 204,
      body: null,
      location: null,
    });
  });

  it('H43, A35: stores the whole response without the signing secret', async () => {
    const data = { id: 'whs_1', signing_secret: 'whsec_abc', description: 'signing_secret' };
    const stored = await under('k3', (tx) =>
      recordResponse(tx, claim('k3'), { status: 201, body: { data } }),
    );
    expect(stored.body).to.equal('{"data":{"id":"whs_1","description":"signing_secret"}}');
    const rows = await test.query<{ body: string }>(`select body from idempotency_record`);
    expect(rows.map(({ body }) => body).join()).to.not.contain('whsec_abc');
  });

  it('H45: a key is valid for 24 hours, then it can be used again', async () => {
    await under('k4', (tx) => recordResponse(tx, claim('k4'), { status: 200, body: { n: 1 } }));
    await age('k4', '23 hours 59 minutes 59 seconds');
    expect(await state('k4')).to.have.property('kind', 'done');
    await age('k4', '1 second');
    expect(await state('k4')).to.deep.equal({ kind: 'free' });
    await under('k4', (tx) => recordResponse(tx, claim('k4'), { status: 200, body: { n: 2 } }));
    expect(await state('k4')).to.have.nested.property('response.body', '{"n":2}');
  });

  it('H44, H49: a key is free again when the transaction fails', async () => {
    const failed = under('k5', (tx) => {
      recordResponse(tx, claim('k5'), { status: 200 });
      throw new Error('killed');
    });
    expect(await failed.catch((error: unknown) => (error as Error).message)).to.equal('killed');
    expect(await state('k5')).to.deep.equal({ kind: 'free' });
  });

  it('H48: refuses a key at once while another transaction holds it, and reads it afterwards', async () => {
    await under('k6', async (tx) => {
      const second = await state('k6').catch((error: unknown) => error);
      expect(second).to.be.instanceOf(LockNotAvailable);
      recordResponse(tx, claim('k6'), { status: 200 });
    });
    expect(await state('k6')).to.have.property('kind', 'done');
  });

  it('H48: never overwrites a valid record, even without the lock', async () => {
    await under('k7', (tx) => recordResponse(tx, claim('k7'), { status: 200 }));
    await under('k8', (tx) => recordPending(tx, claim('k8'), 'pdl_1'));

    for (const key of ['k7', 'k8']) {
      for (const work of [
        (tx: Tx) => recordResponse(tx, claim(key), { status: 200 }),
        (tx: Tx) => recordPending(tx, claim(key), 'pdl_2'),
      ]) {
        const second = await database
          .transact<unknown>(async (tx) => work(tx))
          .catch((error: unknown) => error);
        expect(second, key).to.be.instanceOf(LockNotAvailable);
      }
    }
  });

  it('H76: the key of a replay is pending for its delivery, and is completed once', async () => {
    await under('k9', (tx) => recordPending(tx, claim('k9'), 'pdl_9'));

    expect(await state('k9')).to.deep.equal({
      kind: 'pending',
      fingerprint,
      pendingDeliveryId: 'pdl_9',
    });

    const response = { status: 200, body: { data: { attempt: 1 } } };
    expect(
      await under('k9', (tx) => completePending(tx, account, 'k9', 'pdl_other', response)),
    ).to.equal(undefined);

    const stored = { status: 200, body: '{"data":{"attempt":1}}', location: null };
    expect(
      await under('k9', (tx) => completePending(tx, account, 'k9', 'pdl_9', response)),
    ).to.deep.equal(stored);
    expect(
      await under('k9', (tx) => completePending(tx, account, 'k9', 'pdl_9', response)),
    ).to.equal(undefined);
    expect(await state('k9')).to.deep.equal({ kind: 'done', fingerprint, response: stored });
  });

  it('H76: a replay can use a key whose response has expired', async () => {
    await under('k10', (tx) => recordResponse(tx, claim('k10'), { status: 200 }));
    await age('k10', '24 hours');
    await under('k10', (tx) => recordPending(tx, claim('k10'), 'pdl_10'));
    expect(await state('k10')).to.have.property('kind', 'pending');
  });

  it('H40: the same key of two accounts is two keys', async () => {
    const other = (await database.transact((tx) => createAccount(tx, { name: 'Other' }))).id;
    await under('k11', (tx) => recordResponse(tx, claim('k11'), { status: 200 }));
    expect(await database.transact((tx) => readKeyState(tx, other, 'k11'))).to.deep.equal({
      kind: 'free',
    });
    expect(idempotencyLock(account, 'k11')).to.not.equal(idempotencyLock(other, 'k11'));
    expect(idempotencyLock('a', 'bc')).to.not.equal(idempotencyLock('ab', 'c'));
  });

  it('H52: a key may have 255 characters of any script', async () => {
    const key = '🎉'.repeat(255);
    await under(key, (tx) => recordResponse(tx, claim(key), { status: 200 }));
    expect(await state(key)).to.have.property('kind', 'done');
  });

  it('purges a key when its time is over, never before', async () => {
    const [before] = await test.query<{ kept: number }>(
      `select count(*)::int as kept from idempotency_record where expires_at > now() or expires_at is null`,
    );
    await age('k1', '25 hours');
    await age('k2', '25 hours');
    expect(await database.transact((tx) => purgeIdempotencyRecords(tx, 1))).to.equal(1);
    expect(await database.transact((tx) => purgeIdempotencyRecords(tx, 100))).to.equal(1);
    expect(await database.transact((tx) => purgeIdempotencyRecords(tx, 100))).to.equal(0);
    const [after] = await test.query<{ kept: number }>(
      `select count(*)::int as kept from idempotency_record`,
    );
    expect(after?.kept).to.equal(before!.kept - 2);
  });

  it('H76: purges the key of a replay that no client asks for again after two days', async () => {
    const pendingDeliveryId = makeId('pdl', new Date(Date.now() - 49 * 3_600_000));
    await database.transact((tx) => recordPending(tx, claim('abandoned'), pendingDeliveryId));
    const age = (hours: number) =>
      test.query(
        `update idempotency_record set created_at = now() - make_interval(hours => $1) where key = 'abandoned'`,
        [hours],
      );
    await age(47);
    expect(await database.transact((tx) => purgeIdempotencyRecords(tx, 100))).to.equal(0);
    await age(49);
    expect(await database.transact((tx) => purgeIdempotencyRecords(tx, 100))).to.equal(1);
  });
});
