import { expect } from 'chai';
import type { Database } from '../../../src/database/database.js';
import { type Actor } from '../../../src/domain/transaction/actor.js';
import { createAccount } from '../../../src/domain/account/accounts.js';
import { createEndpoint } from '../../../src/domain/endpoint/change-endpoint.js';
import {
  idempotencyLock,
  keyStateOf,
  keyStateQuery,
  recordResponse,
} from '../../../src/domain/idempotency/idempotency-records.js';
import { LockNotAvailable } from '../../../src/domain/transaction/tx.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { through } from '../../support/queue-backends.js';
import {
  createRoundTripProxy,
  postgresReader,
  type RoundTripProxy,
} from '../../support/proxies.js';

const insertAccount = {
  name: 'test-insert-account',
  text: `insert into account (id, name, created_at) values ($1, 'Shop', now()) returning id`,
};
const readAccounts = { name: 'test-read-accounts', text: 'select id from account order by id' };

describe('round trips of a transaction', () => {
  let test: TestDatabase;
  let database: Database;
  let proxy: RoundTripProxy;
  let account: string;

  before(async () => {
    test = await createTestDatabase();
    proxy = await createRoundTripProxy(Number(new URL(test.url).port), postgresReader);
    database = await test.open({ url: through(proxy, test.url), pool: 1 });
    account = (await database.transact((tx) => createAccount(tx, { name: 'Shop' }))).id;
  });

  after(async () => {
    await test.drop();
    await proxy.close();
  });

  const input = {
    url: 'https://shop.example/hook',
    eventTypes: ['cart.order.completed'],
    notificationEmail: 'ops@shop.example',
  };

  const actor: Actor = {
    kind: 'api_key',
    account: null,
    credential: 'crd_1',
    member: 'mem_1',
    address: '192.0.2.7',
    userAgent: 'Test',
  };

  /** Creates an endpoint as `/v1` does. */
  const create = (key: string) =>
    database.transact(
      async (tx) => {
        expect(keyStateOf(tx.firstRows)).to.deep.equal({ kind: 'free' });
        const created = await createEndpoint(tx, account, input);
        const request = { account, key, fingerprint: Buffer.alloc(32) };
        recordResponse(tx, request, { status: 201, body: { data: created.endpoint } });
      },
      { actor, lock: idempotencyLock(account, key), firstQuery: keyStateQuery(account, key) },
    );

  it('creates an endpoint under a key, with its audit entry, in three round trips', async () => {
    await create('prepares the statements');
    const before = proxy.roundTrips.length;
    await create('counted');
    expect(proxy.roundTrips).to.have.length(before + 3);
    expect(await test.query('select from audit_entry')).to.have.length(2);
  });

  it('fails before the work when another transaction holds the lock', async () => {
    const lock = 4_711n;
    const holder = await test.hold(`select pg_advisory_xact_lock(${lock})`);
    try {
      const firstQuery = { statement: readAccounts, values: [] };
      const refused = await database
        .transact(() => Promise.resolve(), { lock, firstQuery })
        .catch((error: unknown) => error);
      expect(refused).to.be.instanceOf(LockNotAvailable);
    } finally {
      await holder.release();
    }
  });

  it('runs `firstQuery` before the work, and the statement of `commitWith` after it', async () => {
    const firstQuery = { statement: readAccounts, values: [] };
    const before = await database.transact(
      async (tx) => {
        tx.commitWith({ statement: insertAccount, values: ['acc_last'] });
        await tx.sql(insertAccount, ['acc_work']);
        return tx.firstRows;
      },
      { firstQuery },
    );

    expect(before).to.deep.equal([{ id: account }]);

    expect(await database.read.sql(readAccounts, [])).to.deep.include.members([
      { id: 'acc_last' },
      { id: 'acc_work' },
    ]);
  });

  it('commits nothing when the last statement fails, and the connection stays usable', async () => {
    const refusal = new Error('refused');
    const failed = await database
      .transact(async (tx) => {
        await tx.sql(insertAccount, ['acc_lost']);
        tx.commitWith({ statement: insertAccount, values: ['acc_work'] }, () => refusal);
      })
      .catch((error: unknown) => error);
    expect(failed).to.equal(refusal);
    const left = await database.read.sql<{ id: string }>(readAccounts, []);
    expect(left.map(({ id }) => id)).not.to.include('acc_lost');
  });

  it('reports the first failure of statements that are sent together', async () => {
    const codes: unknown[] = [];
    const note = (error: { code?: unknown }) => void codes.push(error.code);
    await database
      .transact((tx) =>
        Promise.all([
          tx.sql(insertAccount, [account]).catch(note),
          tx.sql(readAccounts, []).catch(note),
        ]).then(() => Promise.reject(new Error('rolls back'))),
      )
      .catch(() => undefined);
    expect(codes).to.deep.equal(['23505', '23505']);
  });

  it('commits nothing when the work fails after it named a last statement', async () => {
    const failed = await database
      .transact((tx) => {
        tx.commitWith({ statement: insertAccount, values: ['acc_never'] });
        return Promise.reject(new Error('work'));
      })
      .catch((error: unknown) => String(error));
    expect(failed).to.equal('Error: work');
    const left = await database.read.sql<{ id: string }>(readAccounts, []);
    expect(left.map(({ id }) => id)).not.to.include('acc_never');
  });
});
