import { expect } from 'chai';
import type { Database } from '../../../../src/database/database.js';
import { createCheckout } from '../../../../src/domain/checkout/checkouts.js';
import { publishEvent } from '../../../../src/domain/event/publish.js';
import { poll, poll as pollAs } from '../../../../src/domain/service/poll.js';
import { expireIn } from '../../../support/sales.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import {
  claimAll,
  emptyEngine,
  eventType,
  insertAccount,
  insertEndpoint,
} from '../../../support/engine.js';
import { enqueueNoticesTo } from '../../../support/mail.js';
import {
  deleteHeartbeat,
  purgeHeartbeats,
  readAliveWorkers,
} from '../../../../src/domain/worker/heartbeats.js';

describe('a poll', () => {
  let test: TestDatabase;
  let database: Database;
  let account: string;
  let endpoint: string;

  before(async () => {
    test = await createTestDatabase();
    database = await test.open();
  });

  after(() => test.drop());

  beforeEach(async () => {
    await emptyEngine(test);
    await test.query('truncate recovery, checkout cascade');
    account = await insertAccount(test);
    endpoint = await insertEndpoint(test, account);
  });

  /** The names of what waits. */
  const waiting = async () => {
    const found = await poll(database.read, Infinity, undefined);
    return Object.entries(found.waiting).flatMap(([name, waits]) => (waits ? [name] : []));
  };

  const publish = () =>
    database.transact((tx) =>
      publishEvent(tx, account, { type: eventType, subject: 's', data: {} }),
    );

  it('a poll of an idle service finds nothing', async () => {
    expect(await waiting()).to.deep.equal([]);
  });

  it('a poll finds the lane of a ready delivery until it is claimed', async () => {
    for (const lane of ['live', 'replay', 'recovery', 'isolated']) {
      await publish();
      await test.query('update pending_delivery set lane = $1 where lease_token is null', [lane]);
      expect(await waiting()).to.deep.equal([lane]);
      await claimAll(database.read, { lane: lane as 'live' });
      expect(await waiting(), 'claimed').to.deep.equal([]);
    }
  });

  it('a poll makes due deliveries ready, so that a later poll finds them', async () => {
    await publish();
    await test.query('update pending_delivery set ready = false');
    expect(await poll(database.read, Infinity, undefined)).to.deep.include({ live: 1 });
    expect(await waiting()).to.deep.equal(['live']);
  });

  it('a poll finds no isolated delivery whose endpoint does not accept it', async () => {
    await publish();
    await test.query(`update pending_delivery set lane = 'isolated'`);
    await test.query('update endpoint set active = false');
    expect(await waiting()).to.deep.equal([]);
  });

  it('a poll finds a cancellation backlog', async () => {
    await test.query('update endpoint set cancelling_since = now() where id = $1', [endpoint]);
    expect(await waiting()).to.deep.equal(['cancellations']);
  });

  it('a poll finds an unsent notice', async () => {
    await enqueueNoticesTo(database, 'ops@shop.example');
    expect(await waiting()).to.deep.equal(['notices']);
    await test.query('update notice set sent_at = now()');
    expect(await waiting()).to.deep.equal([]);
  });

  it('a poll finds an expired checkout', async () => {
    const { id } = await database.transact((tx) =>
      createCheckout(tx, account, {
        successUrl: 'https://shop.example/thanks',
        currency: 'EUR',
        lineItems: [{ name: 'Poster', quantity: 1, unitAmountMinorUnits: 1_900 }],
      }),
    );
    expect(await waiting()).to.deep.equal([]);
    await expireIn(test, id, -1);
    expect(await waiting()).to.deep.equal(['checkouts']);
  });

  it('a poll finds a running recovery, and no paused one', async () => {
    await test.query(
      `insert into recovery (id, account_id, endpoint_id, what, since, until, include_before,
                             rate_per_second, idempotency_key, fingerprint, status, position,
                             credited_at, next_step_at, created_at, updated_at)
       values ('rcv_1', $1, $2, 'missed', now(), now(), true, 500, 'key', '', 'running', '', now(),
               now() + interval '1 hour', now(), now())`,
      [account, endpoint],
    );
    expect(await waiting()).to.deep.equal(['recoveries']);
    await test.query(`update recovery set status = 'paused'`);
    expect(await waiting()).to.deep.equal([]);
  });
});

const worker = { id: 'node-1/7/00c0ffee', roles: ['deliver', 'notify'], version: '1.0.0' };

describe('the heartbeat of a worker', () => {
  let test: TestDatabase;
  let database: Database;

  before(async () => {
    test = await createTestDatabase();
    database = await test.open();
  });

  after(() => test.drop());
  beforeEach(() => test.query('truncate worker_heartbeat'));

  const poll = () => pollAs(database.read, Infinity, worker);
  const move = (by: string) =>
    test.query(`update worker_heartbeat set seen_at = now() + $1::interval`, [by]);
  const alive = async () => (await readAliveWorkers(database.read)).map(({ id }) => id);

  /** How long ago the row was written; negative for a time in the future. */
  const age = async () => {
    const [row] = await test.query<{ age: number }>(
      'select extract(epoch from now() - seen_at)::float8 as age from worker_heartbeat',
    );
    return row?.age ?? NaN;
  };

  it('a poll writes the heartbeat of its worker with the roles, a poll without a worker writes none', async () => {
    await pollAs(database.read, Infinity, undefined);
    expect(await alive()).to.deep.equal([]);
    await poll();
    const [found] = await readAliveWorkers(database.read);
    expect(found).to.deep.include(worker);
  });

  it('writes a heartbeat again after ten seconds of PostgreSQL’s clock, and not before', async () => {
    await poll();
    await move('-9 seconds');
    await test.query(`update worker_heartbeat set seen_at = seen_at + interval '5 seconds'`);
    const before = await test.query('select seen_at::text from worker_heartbeat');
    await poll();
    expect(await test.query('select seen_at::text from worker_heartbeat')).to.eql(before);
    await move('-1 hour');
    await poll();
    expect(await age()).to.be.below(3_000);
  });

  it('writes a heartbeat again when the clock of PostgreSQL was set back', async () => {
    await poll();
    await move('1 day');
    await poll();
    expect(await age()).to.be.above(-3_600);
  });

  it('a worker stops counting as alive when it stops, or 30 seconds after its last poll', async () => {
    await poll();
    await deleteHeartbeat(database.read, worker.id);
    expect(await alive()).to.deep.equal([]);
    await poll();
    await move('-31 seconds');
    expect(await alive()).to.deep.equal([]);
  });

  it('purges a heartbeat an hour after its worker ended', async () => {
    await poll();
    const purge = () => database.transact((tx) => purgeHeartbeats(tx, 10));
    await move('-59 minutes');
    expect(await purge()).to.equal(0);
    await move('-61 minutes');
    expect(await purge()).to.equal(1);
    expect(await test.query('select from worker_heartbeat')).to.have.lengthOf(0);
  });
});
