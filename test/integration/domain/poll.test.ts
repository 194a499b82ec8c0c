import { expect } from 'chai';
import type { Database } from '../../../src/database/database.js';
import { createCheckout } from '../../../src/domain/checkout/checkouts.js';
import { publishEvent } from '../../../src/domain/event/publish.js';
import { poll } from '../../../src/domain/service/poll.js';
import { expireIn } from '../../support/sales.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import {
  claimAll,
  emptyEngine,
  eventType,
  insertAccount,
  insertEndpoint,
} from '../../support/engine.js';
import { enqueueNoticesTo } from '../../support/notices.js';

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

  it('finds nothing in an idle service', async () => {
    expect(await waiting()).to.deep.equal([]);
  });

  it('finds the lane of a ready delivery until it is claimed', async () => {
    for (const lane of ['live', 'replay', 'recovery', 'isolated']) {
      await publish();
      await test.query('update pending_delivery set lane = $1 where lease_token is null', [lane]);
      expect(await waiting()).to.deep.equal([lane]);
      await claimAll(database.read, { lane: lane as 'live' });
      expect(await waiting(), 'claimed').to.deep.equal([]);
    }
  });

  it('makes due deliveries ready, so that a later poll finds them', async () => {
    await publish();
    await test.query('update pending_delivery set ready = false');
    expect(await poll(database.read, Infinity, undefined)).to.deep.include({ live: 1 });
    expect(await waiting()).to.deep.equal(['live']);
  });

  it('finds no isolated delivery whose endpoint does not accept it', async () => {
    await publish();
    await test.query(`update pending_delivery set lane = 'isolated'`);
    await test.query('update endpoint set active = false');
    expect(await waiting()).to.deep.equal([]);
  });

  it('finds a cancellation backlog', async () => {
    await test.query('update endpoint set cancelling_since = now() where id = $1', [endpoint]);
    expect(await waiting()).to.deep.equal(['cancellations']);
  });

  it('finds an unsent notice', async () => {
    await enqueueNoticesTo(database, 'ops@shop.example');
    expect(await waiting()).to.deep.equal(['notices']);
    await test.query('update notice set sent_at = now()');
    expect(await waiting()).to.deep.equal([]);
  });

  it('finds an expired checkout', async () => {
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

  it('finds a running recovery, and no paused one', async () => {
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
