import { expect } from 'chai';
import type { Database } from '../../../../src/database/database.js';
import { cancelPendingDeliveries } from '../../../../src/domain/delivery/cancel.js';
import { engineServerSettings } from '../../../../src/domain/delivery/claim.js';
import { recordBatch } from '../../../../src/domain/delivery/recording.js';
import {
  foldStatistics,
  purgeStatistics,
  readEndpointFailures,
  readStatistics,
} from '../../../../src/domain/delivery/statistics.js';
import type { Outcome } from '../../../../src/domain/delivery/outcome.js';
import { publishEvent } from '../../../../src/domain/event/publish.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import {
  claimAll,
  emptyEngine,
  end,
  eventType,
  insertAccount,
  insertEndpoint,
  outcomes,
} from '../../../support/engine.js';
import { apiServerSettings } from '../../../../src/database/address.js';
import {
  avoidScansOption,
  disableAutovacuum,
  bigTables,
  excessesOf,
  explaining,
  plansOf,
} from '../../../support/plans.js';
import { refusalOf } from '../../../support/refusal.js';

describe('statistics of deliveries', () => {
  let test: TestDatabase;
  let database: Database;
  let account: string;

  before(async () => {
    test = await createTestDatabase();
    database = await test.open({ serverSettings: engineServerSettings });
  });

  after(() => test.drop());

  beforeEach(async () => {
    await emptyEngine(test);
    await test.query('truncate delivery_statistics, delivery_statistics_delta');
    account = await insertAccount(test);
  });

  const publish = (count: number, isTest = false) =>
    database.transact(async (tx) => {
      for (let index = 0; index < count; index += 1) {
        await publishEvent(tx, account, {
          type: eventType,
          subject: 's',
          data: { index },
          test: isTest,
        });
      }
    });

  const attempt = async (outcomeOf: (place: number) => Outcome) => {
    const claims = await claimAll(database.read);
    await recordBatch(
      database,
      claims.map((claim, place) => end(claim, outcomeOf(place))),
    );
    return claims.length;
  };

  const makeDue = () =>
    test.query('update pending_delivery set due_at = now(), ready = true where not ready');
  const fold = (limit = 100) => database.transact((tx) => foldStatistics(tx, limit));
  const purge = () => database.transact((tx) => purgeStatistics(tx, 100));

  /** What the rows say of each endpoint and of the account, summed over hours and days. */
  const counted = () =>
    test.query(
      `select coalesce(nullif(endpoint_id, ''), account_id) as of, sum(success)::int as success,
              sum(failed)::int as failed, sum(abandoned)::int as abandoned,
              sum(retries)::int as retries
         from delivery_statistics group by 1 order by 1`,
    );

  /** The same, counted from the records. */
  const recorded = () =>
    test.query(
      `select o.id as of, count(*) filter (where d.status = 'success')::int as success,
              count(*) filter (where d.status = 'failed')::int as failed,
              count(*) filter (where d.status = 'abandoned')::int as abandoned,
              count(*) filter (where d.attempt > 1)::int as retries
         from delivery d cross join lateral (values (d.endpoint_id), (d.account_id)) o (id)
        where not d.test group by 1 order by 1`,
    );

  it('agrees with the records after successes, failures, retries, a last attempt and a cancellation', async () => {
    const endpoints = [
      await insertEndpoint(test, account),
      await insertEndpoint(test, account),
      await insertEndpoint(test, account),
    ];

    await publish(4);
    await publish(1, true);
    await attempt((place) => (place % 3 === 0 ? outcomes.ok : outcomes.down));
    await fold();
    expect(await counted()).to.deep.equal(await recorded());
    await makeDue();
    await attempt((place) => (place % 2 === 0 ? outcomes.ok : outcomes.blocked));
    await makeDue();
    await test.query('update pending_delivery set attempt = 10 where attempt > 1');
    await attempt((place) => (place === 0 ? outcomes.timeout : outcomes.ok));
    await publish(2);
    await attempt(() => outcomes.down);

    await database.transact(async (tx) => {
      await tx.manager.query('update endpoint set active = false where id = $1', [endpoints[0]]);
      await cancelPendingDeliveries(tx, [endpoints[0]!]);
    });

    const abandoned = await test.query(`select from delivery where status = 'abandoned'`);
    expect(abandoned).to.have.lengthOf.above(1);
    await fold();
    expect(await counted()).to.deep.equal(await recorded());
    expect(await test.query('select from delivery_statistics_delta')).to.deep.equal([]);
  });

  it('counts each delta exactly once, even if the fold is interrupted and in any batches', async () => {
    await insertEndpoint(test, account);

    for (let batch = 0; batch < 5; batch += 1) {
      await publish(2);
      await attempt(() => outcomes.ok);
    }

    const interrupted = database.transact(async (tx) => {
      await foldStatistics(tx, 3);
      throw new Error('killed');
    });

    await interrupted.catch(() => undefined);
    expect(await counted()).to.deep.equal([]);
    expect([await fold(2), await fold(2), await fold(2)]).to.deep.equal([2, 2, 1]);
    expect(await counted()).to.deep.equal(await recorded());
  });

  it('keeps the hour in which each attempt began, and counts its duration in a bucket', async () => {
    const endpoint = await insertEndpoint(test, account);
    await test.query(
      `insert into delivery_statistics_delta (endpoint_id, hour, success, durations_ms)
       values ($1, '2026-11-20T10:00Z', 3, '{0,1,12}'), ($1, '2026-11-20T10:00Z', 1, '{12}'),
              ($1, '2026-11-20T11:00Z', 1, '{999999999}')`,
      [endpoint],
    );

    await fold(1);
    await fold();

    const rows = await test.query(
      `select starts_at as at, success, buckets, times from delivery_statistics
        where endpoint_id = $1 order by 1`,
      [endpoint],
    );

    expect(rows).to.deep.equal([
      { at: new Date('2026-11-20T10:00Z'), success: 4, buckets: [0, 26], times: [2, 2] },
      { at: new Date('2026-11-20T11:00Z'), success: 1, buckets: [127], times: [1] },
    ]);
  });

  it('turns hours into days after 40 days, and deletes them after 400', async () => {
    await insertEndpoint(test, account);
    await publish(3);
    await attempt(() => outcomes.ok);
    await fold();

    const before = await counted();
    await test.query(`update delivery_statistics set starts_at = starts_at - interval '41 days'`);
    expect(await purge()).to.equal(2);
    expect(await counted()).to.deep.equal(before);

    const spans = await test.query(
      `select distinct span, times, starts_at = date_trunc('day', starts_at at time zone 'UTC') at time zone 'UTC' as whole
         from delivery_statistics`,
    );

    expect(spans).to.deep.equal([{ span: 'day', times: [3], whole: true }]);
    await test.query(`update delivery_statistics set starts_at = starts_at - interval '360 days'`);
    await purge();
    expect(await counted()).to.deep.equal([]);
  });
});

describe('failures by endpoint', () => {
  let test: TestDatabase;
  let database: Database;
  const since = new Date('2026-11-20T10:30Z');
  const until = new Date('2026-11-20T12:30Z');

  before(async () => {
    test = await createTestDatabase(undefined, avoidScansOption);
    await disableAutovacuum(test);
    const serverSettings = { ...apiServerSettings, ...explaining };
    database = await test.open({ pool: 1, serverSettings });
  });

  after(() => test.drop());

  const insertEndpoints = async (account: string, count: number) => {
    const ids: string[] = [];
    for (let made = 0; made < count; made += 1) ids.push(await insertEndpoint(test, account));
    return ids;
  };

  const count = (account: string, endpoint: string | undefined, at: string, failed: number) =>
    test.query(
      `insert into delivery_statistics (account_id, endpoint_id, span, starts_at, success, failed,
                                        abandoned, retries, buckets, times)
       values ($1, $2, 'hour', $3, 1000, $4, 1, 0, '{}', '{}')`,
      [account, endpoint, at, failed],
    );

  it('H137: lists the ten endpoints with the most failures, however many one of them has', async () => {
    const account = await insertAccount(test);
    const ids = await insertEndpoints(account, 12);
    for (const [place, id] of ids.entries()) {
      await count(account, id, '2026-11-20T10:00Z', place);
    }

    const [noisy, deleted, , old] = ids;
    await count(account, noisy, '2026-11-20T12:00Z', 5_000);
    await count(account, deleted, '2026-11-20T11:00Z', 9_000);
    await test.query('update endpoint set deleted_at = now() where id = $1', [deleted]);
    await count(account, old, '2026-11-20T09:00Z', 9_000);
    await count(account, old, '2026-11-20T13:00Z', 9_000);
    await count(account, '', '2026-11-20T12:00Z', 9_000);

    const other = await insertAccount(test);
    await count(other, (await insertEndpoints(other, 1))[0], '2026-11-20T12:00Z', 9_000);

    const found = await readEndpointFailures(database.read, account, { since, until });
    expect(found[0]).to.deep.equal({ endpointId: noisy, failed: 5_000, abandoned: 2 });
    expect(found.slice(1).map(({ endpointId }) => endpointId)).to.deep.equal(
      ids.slice(3).reverse(),
    );
    expect(found.at(-1)).to.deep.equal({ endpointId: old, failed: 3, abandoned: 1 });
  });

  it('H137: leaves out endpoints without a failure, and refuses a range for which no hours are kept', async () => {
    const account = await insertAccount(test);
    const [id] = await insertEndpoints(account, 1);
    const { read } = database;
    const hour = `insert into delivery_statistics (account_id, endpoint_id, span, starts_at, success,
                    failed, abandoned, retries, buckets, times)
                  values ($1, $2, 'hour', '2026-11-20T11:00Z', 9, 0, 0, 0, '{}', '{}')`;
    await test.query(hour, [account, id]);
    expect(await readEndpointFailures(read, account, { since, until })).to.deep.equal([]);
    const long = { since: new Date('2026-10-01T00:00Z'), until };
    expect(await refusalOf(readEndpointFailures(read, account, long))).to.include({
      code: 'validation_failed',
    });
  });

  it('reads only the hours of the range, by the primary key', async () => {
    const account = await insertAccount(test);
    const endpoints = 100;
    const [first] = await insertEndpoints(account, endpoints);

    await test.query(
      `insert into delivery_statistics (account_id, endpoint_id, span, starts_at, success, failed,
                                        abandoned, retries, buckets, times)
       select $1, e.id, 'hour', h, 1, 1, 0, 0, '{}', '{}'
         from endpoint e cross join generate_series($2::timestamptz - interval '20 days',
                                                    $2::timestamptz, interval '1 hour') h
        where e.account_id = $1`,
      [account, '2026-11-20T12:00Z'],
    );

    const plans = await plansOf(async () => {
      const found = await readEndpointFailures(database.read, account, { since, until });
      expect(found.map(({ failed }) => failed)).to.deep.equal(Array.from({ length: 10 }, () => 3));
    });

    const big = await bigTables(test);

    expect([...big]).to.include('delivery_statistics');

    // Three hours of each endpoint, and the endpoint.
    const most = { rows: 4 * endpoints + 50, blocks: 10 * endpoints };
    expect(excessesOf(plans, big, most)).to.deep.equal([]);

    const one = await plansOf(() =>
      readStatistics(database.read, account, { endpoint: first, since, until, by: 'hour' }),
    );
    expect(excessesOf(one, big, { rows: 20, blocks: 50 })).to.deep.equal([]);
  });
});
