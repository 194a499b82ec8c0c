import { expect } from 'chai';
import { apiServerSettings } from '../../../../src/database/address.js';
import type { Database } from '../../../../src/database/database.js';
import {
  readEndpointFailures,
  readStatistics,
} from '../../../../src/domain/delivery/statistics.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import { insertAccount, insertEndpoint } from '../../../support/engine.js';
import {
  avoidScansOption,
  disableAutovacuum,
  bigTables,
  excessesOf,
  explaining,
  plansOf,
} from '../../../support/plans.js';
import { refusalOf } from '../../../support/refusal.js';

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

  it('H137: the ten endpoints with the most failures, however many one of them has', async () => {
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

  it('H137: leaves out endpoints without a failure, and refuses what hours are not kept for', async () => {
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

  it('reads the hours of the range only, by the primary key', async () => {
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
