import { expect } from 'chai';
import type { Database } from '../../../../src/database/database.js';
import {
  type Claim,
  engineServerSettings,
  type Capacity,
} from '../../../../src/domain/delivery/claim.js';
import { Claimer, smallClaimStatement } from '../../../../src/domain/delivery/claim-deliveries.js';
import {
  deleteLeases,
  releaseClaims,
  releaseUnconfirmed,
} from '../../../../src/domain/delivery/leases.js';
import { listDeadLetters } from '../../../../src/domain/delivery/dead-letters.js';
import { promoteDue } from '../../../../src/domain/delivery/promote.js';
import { recordResults } from '../../../../src/domain/delivery/recording.js';
import { publishEvent } from '../../../../src/domain/event/publish.js';
import type { Tx, Read } from '../../../../src/domain/transaction/tx.js';
import { createTestDatabase, testRules, type TestDatabase } from '../../../support/database.js';
import {
  insertAccount,
  insertEndpoint,
  insertSecret,
  claimAll,
  emptyEngine,
  end,
  endLeases,
  eventType,
  outcomes,
  untilLockIsAwaited,
} from '../../../support/engine.js';
import { smallestId } from '../../../../src/domain/values/id.js';

describe('claiming pending deliveries', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  let account: string;

  before(async () => {
    testDatabase = await createTestDatabase();
    database = await testDatabase.open({ serverSettings: engineServerSettings });
  });

  after(() => testDatabase.drop());

  beforeEach(async () => {
    await emptyEngine(testDatabase);
    account = await insertAccount(testDatabase);
  });

  const publish = (count = 1, test = false) =>
    database.transact(async (tx) => {
      for (let index = 0; index < count; index += 1) {
        await publishEvent(tx, account, { type: eventType, subject: 's', data: { index }, test });
      }
    });

  it('H81: returns everything that an attempt needs', async () => {
    const endpoint = await insertEndpoint(testDatabase, account);
    const newest = await insertSecret(testDatabase, endpoint);

    await insertSecret(testDatabase, endpoint, '-1 second');
    await publish();

    const [claim, ...others] = await claimAll(database.read);
    expect(others).to.deep.equal([]);
    expect(claim).to.include({ accountId: account, endpointId: endpoint, attempt: 1 });
    expect(claim).to.include({ maxAttempts: 10, replayedFrom: null, test: false });
    expect(claim!.url).to.equal('https://shop.example/hook');
    expect(claim!.event).to.include({ type: eventType, version: 'v1' });
    expect(JSON.parse(claim!.event.body.toString())).to.include({ id: claim!.event.id });

    const { sealer } = testRules();
    const secrets = claim!.secrets.map((secret) => sealer.open(secret, endpoint));
    expect(secrets).to.have.length(2);
    expect(secrets[0]).to.equal(newest);
  });

  it('gives each pending delivery to one of four processes only', async () => {
    for (let index = 0; index < 20; index += 1) await insertEndpoint(testDatabase, account);
    await publish(30);

    const claims: Claim[] = [];
    await Promise.all(
      [1, 2, 3, 4].map(async () => {
        const claimer = new Claimer({ lane: 'live', leaseMs: 60_000 });
        for (;;) {
          const capacity = { slots: 37, perEndpoint: 5, usedSlots: new Map<string, number>() };
          const batch = await claimer.claim(database.read, capacity);
          if (batch.length === 0) return;
          claims.push(...batch);
        }
      }),
    );

    expect(claims).to.have.length(600);
    expect(new Set(claims.map(({ pendingDeliveryId }) => pendingDeliveryId)).size).to.equal(600);
  });

  it('takes no more of a long backlog than the limit of its endpoint, less what is in flight', async () => {
    const busy = await insertEndpoint(testDatabase, account);
    await publish(50);
    const quiet = await insertEndpoint(testDatabase, account);
    await publish();
    const claims = await claimAll(database.read, {
      perEndpoint: 10,
      usedSlots: new Map([[busy, 7]]),
    });
    const per = (id: string) => claims.filter(({ endpointId }) => endpointId === id).length;
    expect([per(busy), per(quiet)]).to.deep.equal([3, 1]);
  });

  it('goes once around all endpoints, from where the last claim stopped', async () => {
    const endpoints: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      endpoints.push(await insertEndpoint(testDatabase, account));
    }

    await publish(3);

    const claimer = new Claimer({ lane: 'live', leaseMs: 60_000 });
    const capacity = { slots: 2, perEndpoint: 1, usedSlots: new Map<string, number>() };
    const claimedEndpoints: string[] = [];
    for (let index = 0; index < 4; index += 1) {
      const claims = await claimer.claim(database.read, capacity);
      claimedEndpoints.push(...claims.map(({ endpointId }) => endpointId));
    }

    expect(new Set(claimedEndpoints.slice(0, 6))).to.deep.equal(new Set(endpoints));

    const counts = endpoints
      .sort()
      .map((id) => claimedEndpoints.filter((turn) => turn === id).length);
    expect(counts).to.deep.equal([2, 2, 2, 1, 1]);
  });

  it('gives each account its share, wherever its endpoints are', async () => {
    const other = await insertAccount(testDatabase);
    for (let index = 0; index < 6; index += 1) await insertEndpoint(testDatabase, account);
    const quiet = await insertEndpoint(testDatabase, other);
    await publish(5);
    await database.transact((tx) =>
      publishEvent(tx, other, { type: eventType, subject: 's', data: {} }),
    );
    const held = new Map([[account, 7]]);
    const claims = await claimAll(database.read, { perAccount: 3, accounts: held });
    const per = (id: string) => claims.filter(({ accountId }) => accountId === id).length;
    expect([per(account), per(other)]).to.deep.equal([7, 1]);
    expect(claims.some(({ endpointId }) => endpointId === quiet)).to.equal(true);
  });

  it('continues in each account with the endpoint after the last one', async () => {
    const endpoints: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      endpoints.push(await insertEndpoint(testDatabase, account));
    }

    const other = await insertAccount(testDatabase);
    await insertEndpoint(testDatabase, other);
    await publish(3);

    for (let index = 0; index < 20; index += 1) {
      await database.transact((tx) =>
        publishEvent(tx, other, { type: eventType, subject: 's', data: {} }),
      );
    }

    const claimer = new Claimer({ lane: 'live', leaseMs: 60_000 });
    const capacity = {
      slots: 100,
      perEndpoint: 1,
      perAccount: 2,
      usedSlots: new Map<string, number>(),
    };

    const claimedEndpoints: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      const claims = await claimer.claim(database.read, capacity);
      const own = claims.filter(({ accountId }) => accountId === account);
      claimedEndpoints.push(...own.map(({ endpointId }) => endpointId));
    }

    const counts = endpoints.map((id) => claimedEndpoints.filter((turn) => turn === id).length);
    expect(counts).to.deep.equal([2, 2, 2, 2, 2]);
  });

  it('continues after the last endpoint of an account, once around between the endpoints that it skips', async () => {
    const endpoints: string[] = [];
    for (let index = 0; index < 6; index += 1) {
      endpoints.push(await insertEndpoint(testDatabase, account));
    }

    endpoints.sort();
    await publish(4);

    const claimer = new Claimer({ lane: 'live', leaseMs: 60_000 });
    const claim = async (slots: number, passed: readonly number[]) => {
      const fullEndpoints = passed.map((index) => ({
        accountId: account,
        endpointId: endpoints[index]!,
      }));
      const capacity = {
        slots,
        perEndpoint: 1,
        usedSlots: new Map<string, number>(),
        fullEndpoints,
      };
      const claims = await claimer.claim(database.read, capacity);
      return claims.map(({ endpointId }) => endpoints.indexOf(endpointId)).sort();
    };

    expect(await claim(3, [])).to.deep.equal([0, 1, 2]);
    expect(await claim(3, [0, 2, 4]), 'the cursor is passed, too').to.deep.equal([1, 3, 5]);
    expect(await claim(2, [0, 3]), 'the cursor is between').to.deep.equal([2, 4]);
    expect(await claim(3, [0, 1, 3]), 'all before the cursor').to.deep.equal([2, 4, 5]);
  });

  it('takes only from the fast endpoints of an account at its limit', async () => {
    const fast = await insertEndpoint(testDatabase, account);
    for (let index = 0; index < 3; index += 1) await insertEndpoint(testDatabase, account);
    await publish(2);
    const claims = await claimAll(database.read, {
      accounts: new Map([[account, 0]]),
      fastEndpoints: [{ accountId: account, endpointId: fast }],
    });
    expect(claims.map(({ endpointId }) => endpointId)).to.deep.equal([fast, fast]);
  });

  it('skips pending deliveries whose endpoint is inactive, deleted or no longer subscribed', async () => {
    const off = await insertEndpoint(testDatabase, account);
    const deleted = await insertEndpoint(testDatabase, account);
    const other = await insertEndpoint(testDatabase, account);
    const good = await insertEndpoint(testDatabase, account);
    await publish();
    await testDatabase.query('update endpoint set active = false where id = $1', [off]);
    await testDatabase.query('update endpoint set deleted_at = now() where id = $1', [deleted]);
    await testDatabase.query(`update endpoint set event_types = '{x.y}' where id = $1`, [other]);
    const claims = await claimAll(database.read);
    expect(claims.map(({ endpointId }) => endpointId)).to.deep.equal([good]);
  });

  it('H76: claims first attempts of replays only in the replay lane', async () => {
    await insertEndpoint(testDatabase, account);
    await publish();
    await testDatabase.query(`update pending_delivery set lane = 'replay'`);
    expect(await claimAll(database.read)).to.deep.equal([]);
    expect(await claimAll(database.read, { lane: 'replay' })).to.have.length(1);
  });

  it('gives a pending delivery out again when its lease ends, counts it as interrupted, and refuses the result of the old claim', async () => {
    await insertEndpoint(testDatabase, account);
    await publish();

    const [lost] = await claimAll(database.read);
    expect(await promoteDue(database.read)).to.deep.include({ live: 0, interrupted: 0 });
    await endLeases(testDatabase);
    expect(await promoteDue(database.read)).to.deep.include({ live: 1, interrupted: 1 });

    const interruptions = await testDatabase.query('select interruptions from pending_delivery');
    expect(interruptions).to.deep.equal([{ interruptions: 1 }]);

    const [again] = await claimAll(database.read);
    expect(again).to.include({ pendingDeliveryId: lost!.pendingDeliveryId, attempt: 1 });

    const late = await database.transact((tx) => recordResults(tx, [end(lost!, outcomes.ok)]));
    expect(late.recorded).to.deep.equal([]);

    const timely = await database.transact((tx) => recordResults(tx, [end(again!, outcomes.ok)]));
    expect(timely.recorded).to.have.length(1);
    expect(await testDatabase.query('select id from delivery')).to.have.length(1);
  });

  it('takes released pending deliveries again at once, without counting them as interrupted', async () => {
    await insertEndpoint(testDatabase, account);
    await publish();
    await releaseClaims(database.read, await claimAll(database.read));
    expect(
      await testDatabase.query('select interruptions from pending_delivery where ready'),
    ).to.deep.equal([{ interruptions: 0 }]);
    expect(await claimAll(database.read)).to.have.length(1);
  });

  it('keeps the places of released pending deliveries in the queue', async () => {
    await insertEndpoint(testDatabase, account);
    await publish(3);

    const order = async () =>
      (await claimAll(database.read)).map(({ pendingDeliveryId }) => pendingDeliveryId);
    const due = () => testDatabase.query('select id, due_at from pending_delivery order by id');

    await testDatabase.query(
      `update pending_delivery set due_at = now() - row_number * interval '1 minute'
         from (select id as of, row_number() over (order by id) from pending_delivery) n where id = of`,
    );

    const before = await due();
    const [first, ...others] = await claimAll(database.read);
    await releaseClaims(database.read, [first!, ...others]);
    expect(await due()).to.deep.equal(before);

    expect(await order()).to.have.members([
      first!.pendingDeliveryId,
      ...others.map((claim) => claim.pendingDeliveryId),
    ]);

    await endLeases(testDatabase);
    await promoteDue(database.read);
    expect(await due()).to.deep.equal(before);
  });

  it('leaves a pending delivery alone whose result is being recorded as its lease ends', async () => {
    await insertEndpoint(testDatabase, account);
    await publish(2);
    const [one] = await claimAll(database.read);
    await endLeases(testDatabase);
    const recording = await testDatabase.hold(
      `select from pending_delivery where id = '${one!.pendingDeliveryId}' for update`,
    );
    expect(await promoteDue(database.read)).to.include({ live: 1, interrupted: 1, full: false });
    expect(await testDatabase.query('select token from lease')).to.have.length(1);
    await recording.release();
    expect(await promoteDue(database.read)).to.include({ live: 1, interrupted: 1 });
    expect(await testDatabase.query('select token from lease')).to.deep.equal([]);
  });

  it('ends a few expired leases in a call, and says that there are more', async () => {
    await insertEndpoint(testDatabase, account);
    await publish(12);
    for (let index = 0; index < 12; index += 1) await claimAll(database.read, { slots: 1 });
    await endLeases(testDatabase);
    expect(await promoteDue(database.read)).to.include({ interrupted: 10, full: true });
    expect(await promoteDue(database.read)).to.include({ interrupted: 2, full: false });
    expect(await claimAll(database.read)).to.have.length(12);
  });

  it('keeps claims whose leases ended after the time that a poll names', async () => {
    await insertEndpoint(testDatabase, account);
    await publish(1);
    await claimAll(database.read);
    const { nowMs } = await promoteDue(database.read, -Infinity);
    await testDatabase.query('update lease set until = to_timestamp($1::float8 / 1000)', [nowMs]);
    expect(await promoteDue(database.read, nowMs - 1)).to.include({ interrupted: 0 });
    expect(await promoteDue(database.read, -Infinity)).to.include({ interrupted: 0 });
    expect(await promoteDue(database.read, nowMs + 1)).to.include({ interrupted: 1 });
  });

  it('cuts leases to two minutes after PostgreSQL’s clock was set back', async () => {
    await insertEndpoint(testDatabase, account);
    await publish(2);

    const [late] = await claimAll(database.read, { slots: 1 });
    await claimAll(database.read, { slots: 1 });

    await testDatabase.query(
      `update lease set until = until + interval '1 hour' where token = $1`,
      [late!.token],
    );

    expect(await promoteDue(database.read)).to.include({ interrupted: 0 });

    const left = () =>
      testDatabase.query<{ seconds: number }>(
        'select extract(epoch from until - now())::float8 as seconds from lease order by until',
      );

    const [other, cut] = await left();
    expect(other?.seconds).to.be.within(30, 60);
    expect(cut?.seconds).to.be.within(90, 120);
  });

  it('deletes the leases whose claims have all ended', async () => {
    await insertEndpoint(testDatabase, account);
    await publish(4);
    const [done] = await claimAll(database.read, { slots: 2 });
    const [open] = await claimAll(database.read, { slots: 2 });
    await deleteLeases(database.read, [done!.token]);
    expect(await testDatabase.query('select token::float8 from lease')).to.deep.equal([
      { token: open!.token },
    ]);
  });

  it('dead-letters pending deliveries whose event is past retention, and reports them', async () => {
    await insertEndpoint(testDatabase, account);
    await publish(2);
    await testDatabase.query('delete from event where id = (select min(id) from event)');

    const deadLettered: string[] = [];
    const claimer = new Claimer({
      lane: 'live',
      leaseMs: 60_000,
      onDeadLettered: (pendingDeliveryIds) => deadLettered.push(...pendingDeliveryIds),
    });
    const capacity = { slots: 10, perEndpoint: 10, usedSlots: new Map<string, number>() };
    expect(await claimer.claim(database.read, capacity)).to.have.length(1);

    const [pending, ...others] = await listDeadLetters(database.read);
    expect(others).to.deep.equal([]);
    expect(pending).to.include({ id: deadLettered[0], reason: 'its event is past retention' });
    await endLeases(testDatabase);
    expect(await promoteDue(database.read)).to.include({ interrupted: 1 });
    expect(await listDeadLetters(database.read)).to.have.length(1);
  });

  it('H76: releases the idempotency key of a replay whose event is past retention', async () => {
    await insertEndpoint(testDatabase, account);
    await publish();
    await testDatabase.query('delete from event');
    await testDatabase.query(
      `update pending_delivery set lane = 'replay', replayed_from = 'whd_x'`,
    );
    await testDatabase.query(
      `insert into idempotency_record (account_id, key, fingerprint, pending_delivery_id, created_at)
       select account_id, 'k', '\\x00', id, now() from pending_delivery`,
    );
    expect(await claimAll(database.read, { lane: 'replay' })).to.deep.equal([]);
    expect(await testDatabase.query('select key from idempotency_record')).to.deep.equal([]);
  });

  /** Inserts `count` pending deliveries for the endpoints in turn, all due at the same time. */
  const fill = (count: number) =>
    testDatabase.query(
      `insert into pending_delivery (id, account_id, endpoint_id, event_id, event_type, lane, ready, due_at,
                          attempt, max_attempts, test, created_at)
       select 'pdl_' || lpad(g::text, 24, '0'), e.account_id, e.id, v.id, v.type, 'live',
              true, now() - interval '1 second', 1, 10, false, now()
         from generate_series(1, $1) g, (select * from event limit 1) v,
              (select array_agg(e) as all from endpoint e) es,
              lateral (select (es.all[1 + g % cardinality(es.all)]).*) e`,
      [count],
    );

  /** What happens to the table while `work` runs, as this connection counts it. */
  const counting = async (work: (tx: Tx) => Promise<unknown>) => {
    const counts = {
      name: 'counts',
      text: `select (sum(idx_tup_fetch) + sum(seq_tup_read))::int as reads,
                    sum(n_tup_upd)::int as updates, sum(n_tup_hot_upd)::int as hot
               from pg_stat_xact_user_tables where relname = 'pending_delivery'`,
    };

    return database.transact(async (tx) => {
      type Counts = Record<'reads' | 'updates' | 'hot', number>;
      const [before] = await tx.sql<Counts>(counts, []);
      await work(tx);
      const [after] = await tx.sql<Counts>(counts, []);
      return {
        reads: after!.reads - before!.reads,
        updates: after!.updates - before!.updates,
        hot: after!.hot - before!.hot,
      };
    });
  };

  it('writes no index entry, even when everything that was published together is claimed together', async () => {
    for (let index = 0; index < 5; index += 1) await insertEndpoint(testDatabase, account);
    await publish();
    await fill(2_000);
    const { updates, hot } = await counting((tx) => claimAll(tx, { slots: 2_000 }));
    expect(updates).to.equal(2_000);
    expect(hot).to.equal(2_000);
  });

  /** Claims 16 of each of 50 endpoints with long backlogs. */
  const claimFromFifty = async () => {
    for (let index = 0; index < 50; index += 1) await insertEndpoint(testDatabase, account);
    await publish();
    await fill(10_000);
    const usedSlots = new Map<string, number>();
    for (const { endpointId } of await claimAll(database.read, { slots: 800, perEndpoint: 16 })) {
      usedSlots.set(endpointId, (usedSlots.get(endpointId) ?? 0) + 1);
    }
    return usedSlots;
  };

  it('reads past claimed rows once to find an endpoint and once to take from it', async () => {
    const usedSlots = await claimFromFifty();
    expect([...usedSlots.values()]).to.deep.equal(Array.from({ length: 50 }, () => 16));
    const { reads, updates } = await counting((tx) =>
      claimAll(tx, { slots: 200, perEndpoint: 20, usedSlots }),
    );
    expect(updates).to.equal(200);
    expect(reads).to.be.within(200, 2 * 800 + 3 * 200);
  });

  it('reads nothing of full endpoints, and reads past the claimed rows of a fast endpoint only once', async () => {
    const usedSlots = await claimFromFifty();
    const all = [...usedSlots.keys()].map((endpointId) => ({ accountId: account, endpointId }));
    const fastEndpoints = all.slice(0, 10);
    const fullEndpoints = all.slice(10);
    const capacity = { slots: 40, perEndpoint: 20, usedSlots, accounts: new Map([[account, 50]]) };
    const { reads, updates } = await counting((tx) =>
      claimAll(tx, { ...capacity, fastEndpoints, fullEndpoints }),
    );
    expect(updates).to.equal(40);
    // One endpoint with its 16 claims is passed to find the account.
    expect(reads).to.be.within(40, 10 * 16 + 16 + 3 * 40);
  });

  it('reads no more of an account at its limit, however many endpoints it has', async () => {
    const readsBeside = async (endpoints: number) => {
      for (let index = 0; index < endpoints; index += 1) {
        await insertEndpoint(testDatabase, account);
      }
      await publish();
      const { reads, updates } = await counting((tx) =>
        claimAll(tx, { accounts: new Map([[account, 0]]) }),
      );
      expect(updates).to.equal(0);
      return reads;
    };

    const few = await readsBeside(5);
    expect(await readsBeside(100)).to.equal(few);
  });

  it('reads less than three rows of the backlog for each row that it claims', async () => {
    await insertEndpoint(testDatabase, account);
    await publish();
    await fill(20_000);
    const { reads, updates } = await counting((tx) =>
      claimAll(tx, { slots: 200, perEndpoint: 200 }),
    );
    expect(updates).to.equal(200);
    expect(reads).to.be.within(200, 599);
  });
});

const dayMs = 86_400_000;
const few = 'pending_delivery_claim_few';
const walk = 'pending_delivery_claim';

describe('the small claim', () => {
  let test: TestDatabase;
  let database: Database;
  let account: string;
  let endpoint: string;
  let statements: string[] = [];
  let claimer: Claimer;

  before(async () => {
    test = await createTestDatabase();
    database = await test.open({ serverSettings: engineServerSettings });
  });

  after(() => test.drop());

  beforeEach(async () => {
    await emptyEngine(test);
    account = await insertAccount(test);
    endpoint = await insertEndpoint(test, account);
    claimer = new Claimer({ lane: 'live', leaseMs: 60_000 });
    // The first one brings the database's clock.
    await claim();
    statements = [];
  });

  const publish = (count: number) =>
    database.transact(async (tx) => {
      for (let index = 0; index < count; index += 1) {
        await publishEvent(tx, account, { type: eventType, subject: 's', data: { index } });
      }
    });

  const claim = (more: Partial<Capacity> = {}): Promise<Claim[]> => {
    const read: Read = {
      ...database.read,
      sql(statement, values) {
        statements.push(statement.name);
        return database.read.sql(statement, values);
      },
    };
    return claimer.claim(read, { slots: 100, perEndpoint: 100, usedSlots: new Map(), ...more });
  };

  it('takes one statement, even when nothing is ready', async () => {
    expect(await claim()).to.deep.equal([]);
    await publish(32);
    expect(await claim()).to.have.length(32);
    expect(await claim()).to.deep.equal([]);
    expect(statements).to.deep.equal([few, few, few]);
  });

  it('claims nothing and leaves all to the walk when more is ready than it may take', async () => {
    await publish(33);
    const claims = await claim();
    expect(claims).to.have.length(33);
    const [row] = await test.query<{ leases: number }>('select count(*)::int as leases from lease');
    expect(row?.leases).to.equal(1);
    await claim();
    expect(statements).to.deep.equal([few, walk, walk]);
  });

  it('leaves all to the walk when an account has less room than is ready', async () => {
    await publish(6);
    expect(await claim({ perAccount: 5 })).to.have.length(5);
    expect(statements).to.deep.equal([few, walk]);
  });

  it('leaves pending deliveries beyond the limit of their endpoint', async () => {
    await publish(6);
    const usedSlots = new Map([[endpoint, 3]]);
    expect(await claim({ perEndpoint: 5, usedSlots })).to.have.length(2);
    expect(statements).to.deep.equal([few]);
  });

  it('claims pending deliveries behind those of unsubscribed types, up to the limit of the endpoint', async () => {
    await publish(3);
    await test.query(`update pending_delivery set event_type = 'invoice.issued'
       where id in (select id from pending_delivery order by due_at, id limit 2)`);
    expect(await claim({ perEndpoint: 2 })).to.have.length(1);
    expect(statements).to.deep.equal([few]);
  });

  it('leaves pending deliveries whose endpoints receive nothing now', async () => {
    await publish(1);

    for (const change of [
      'active = false',
      'cancelling_since = now()',
      `event_types = '{invoice.issued}'`,
    ]) {
      await test.query(
        `update endpoint set active = true, cancelling_since = null, cancel_before = null,
                             event_types = $1`,
        [[eventType]],
      );

      const cancelled = change.startsWith('cancelling') ? ', cancel_before = now()' : '';
      await test.query(`update endpoint set ${change}${cancelled}`);
      expect(await claim(), change).to.deep.equal([]);
    }

    expect(statements).to.deep.equal([few, few, few]);
  });

  it('leaves rows that another process has locked, without waiting for it', async () => {
    await publish(2);
    const lock = await test.hold(
      'select from pending_delivery order by due_at, id limit 1 for update',
    );
    expect(await claim()).to.have.length(1);
    await lock.release();
    expect(await claim()).to.have.length(1);
    expect(statements).to.deep.equal([few, few]);
  });

  it('leaves events that are more than a day old to the walk', async () => {
    await publish(1);
    const old = `${smallestId('evt', new Date(Date.now() - 2 * dayMs))}0000000000000000`;
    await test.query('update event set id = $1', [old]);
    await test.query('update pending_delivery set event_id = $1', [old]);
    const [claimed] = await claim();
    expect(claimed?.event.id).to.equal(old);
    expect(statements).to.deep.equal([few, walk]);
  });

  it('opens only the event partitions of its days', async () => {
    const at = Date.now();
    const [from, until] = [at - 1, at + 1].map((ms) => smallestId('evt', new Date(ms)));
    // One connection, because it alone knows the prepared statement.
    const { manager } = (await test.open({ pool: 1, serverSettings: engineServerSettings })).read;
    await manager.query(`prepare few as ${smallClaimStatement.text}`);
    const plan: unknown = await manager.query(
      `explain execute few ('live', 32, 1, 1, '{}', '${from}', '${until}', 1000)`,
    );
    const opened = JSON.stringify(plan).match(/ on event_\d+ v/g) ?? [];
    expect(opened).to.have.lengthOf(1);
  });
});

describe('unconfirmed claims', () => {
  let testDatabase: TestDatabase;
  let database: Database;

  before(async () => {
    testDatabase = await createTestDatabase();
    database = await testDatabase.open({ serverSettings: engineServerSettings });
  });

  after(() => testDatabase.drop());

  beforeEach(async () => {
    await emptyEngine(testDatabase);
    const account = await insertAccount(testDatabase);
    await insertEndpoint(testDatabase, account);
    await database.transact(async (tx) => {
      for (const data of [{ place: 1 }, { place: 2 }]) {
        await publishEvent(tx, account, { type: eventType, subject: 's', data, test: false });
      }
    });
  });

  const claimUnder = (read: Read, token: number, slots = 10) =>
    new Claimer({ lane: 'live', leaseMs: 60_000 }).claim(
      read,
      { slots, perEndpoint: 10, usedSlots: new Map<string, number>() },
      token,
    );

  const leases = () => testDatabase.query('select token::float8 from lease');
  const interruptions = () =>
    testDatabase.query('select distinct interruptions from pending_delivery');

  it('releases everything that an unconfirmed claim took, in its places and without counting it as interrupted', async () => {
    const [first] = await claimUnder(database.read, 7, 1);
    await claimUnder(database.read, 8, 1);
    expect(await releaseUnconfirmed(database.read, [7, 8, 9])).to.have.deep.members([
      { token: 7, pendingDeliveries: 1 },
      { token: 8, pendingDeliveries: 1 },
    ]);
    expect(await leases()).to.deep.equal([]);
    const [next] = await claimAll(database.read, { slots: 1 });
    expect(next!.pendingDeliveryId).to.equal(first!.pendingDeliveryId);
    expect(await interruptions()).to.deep.equal([{ interruptions: 0 }]);
  });

  it('keeps the leases of other claims when it releases unconfirmed ones', async () => {
    const [other] = await claimUnder(database.read, 7, 1);
    await claimUnder(database.read, 8);
    await releaseUnconfirmed(database.read, [8]);
    expect(await leases()).to.deep.equal([{ token: 7 }]);
    const { recorded } = await database.transact((tx) =>
      recordResults(tx, [end(other!, outcomes.ok)]),
    );
    expect(recorded).to.have.length(1);
  });

  it('leaves pending deliveries with the worker that has claimed them since the lease expired', async () => {
    await claimUnder(database.read, 7);
    await endLeases(testDatabase);
    await promoteDue(database.read);
    await claimUnder(database.read, 8);
    expect(await releaseUnconfirmed(database.read, [7])).to.deep.equal([]);
    expect(await leases()).to.deep.equal([{ token: 8 }]);
    expect(await claimAll(database.read)).to.deep.equal([]);
  });

  it('finds an unconfirmed claim later that PostgreSQL has not carried out yet', async () => {
    let claimed: () => void = () => undefined;
    let commit: () => void = () => undefined;
    const isClaimed = new Promise<void>((resolve) => (claimed = resolve));
    const mayCommit = new Promise<void>((resolve) => (commit = resolve));
    const underWay = database.transact(async (tx) => {
      await claimUnder(tx, 7);
      claimed();
      await mayCommit;
    });

    await isClaimed;
    expect(await releaseUnconfirmed(database.read, [7])).to.deep.equal([]);
    commit();
    await underWay;
    expect(await releaseUnconfirmed(database.read, [7])).to.deep.equal([
      { token: 7, pendingDeliveries: 2 },
    ]);
    expect(await claimAll(database.read)).to.have.length(2);
  });

  it('never leaves a pending delivery whose token has no lease, even while rows are locked', async () => {
    const [one] = await claimUnder(database.read, 7);
    const held = await testDatabase.hold(
      `select from pending_delivery where id = '${one!.pendingDeliveryId}' for update`,
    );
    const released = releaseUnconfirmed(database.read, [7]);

    await untilLockIsAwaited(testDatabase);
    expect(await leases()).to.deep.equal([{ token: 7 }]);
    expect(await promoteDue(database.read)).to.include({ interrupted: 0 });
    await held.release();
    await released;
    expect(await leases()).to.deep.equal([]);

    const orphaned = await testDatabase.query(
      `select from pending_delivery c where c.lease_token is not null
          and not exists (select from lease l where l.token = c.lease_token)`,
    );

    expect(orphaned).to.deep.equal([]);
    expect(await claimAll(database.read)).to.have.length(2);
  });
});
