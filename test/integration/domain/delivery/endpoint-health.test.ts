import { expect } from 'chai';
import { apiServerSettings } from '../../../../src/database/address.js';
import type { Database } from '../../../../src/database/database.js';
import { getEndpointHealth } from '../../../../src/domain/delivery/health.js';
import { readStatistics } from '../../../../src/domain/delivery/statistics.js';
import { publishEvent } from '../../../../src/domain/event/publish.js';
import { makeId } from '../../../../src/domain/id.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import { eventType, insertAccount, insertEndpoint } from '../../../support/engine.js';
import { refusalOf } from '../../../support/refusal.js';

describe('health and statistics of an endpoint', () => {
  let test: TestDatabase;
  let database: Database;
  let account: string;
  let other: string;
  let endpoints: string[];
  let foreign: string;
  const now = new Date();

  before(async () => {
    test = await createTestDatabase();
    database = await test.open({ serverSettings: apiServerSettings });
    account = await insertAccount(test);
    other = await insertAccount(test);
    endpoints = [await insertEndpoint(test, account)];
    foreign = await insertEndpoint(test, other);

    await database.transact(async (tx) => {
      for (const subject of ['a', 'b', 'c']) {
        await publishEvent(tx, account, { type: eventType, subject, data: {} });
      }
    });

    await test.query(
      `insert into delivery (id, account_id, endpoint_id, pending_delivery_id, event_id, event_type,
                             event_version, attempt, max_attempts, status, test, created_at)
       values ($1, $2, $3, 'pdl_1', 'evt_1', $4, 'v1', 1, 10, 'success', false, now())`,
      [makeId('whd', now), account, endpoints[0], eventType],
    );
  });

  after(() => test.drop());

  it('H136: the health of an endpoint says since when it fails, and what waits', async () => {
    const { read } = database;
    const [id] = endpoints as [string];
    const health = await getEndpointHealth(read, account, id);
    expect(health).to.include({ state: 'healthy', failureCount: 0, pendingCount: 3 });
    expect(health).to.include({ disablesAt: null, pendingCountIsComplete: true });
    expect(health.lastSuccessAt).to.be.an.instanceOf(Date);
    expect(health.oldestPendingAt).to.be.an.instanceOf(Date);

    await test.query('update endpoint set failing_since = $2, failure_count = 4 where id = $1', [
      id,
      now,
    ]);

    const failing = await getEndpointHealth(read, account, id);
    expect(failing).to.include({ state: 'failing', failureCount: 4, failuresUntilDisabled: 6 });

    const { disableAfterMs } = read.rules.retry;
    expect(failing.disablesAt).to.deep.equal(new Date(now.getTime() + disableAfterMs));

    const disabled = `update endpoint set active = false, disabled_reason = 'receiver_gone' where id = $1`;
    await test.query(disabled, [id]);
    expect(await getEndpointHealth(read, account, id)).to.include({ state: 'disabled' });
    expect(await refusalOf(getEndpointHealth(read, other, id))).to.include({ code: 'not_found' });
  });

  it('H137: statistics have every hour or day of a range, with counts and quantiles', async () => {
    const { read } = database;
    const [id] = endpoints as [string];
    await test.query(
      `insert into delivery_statistics (account_id, endpoint_id, span, starts_at, success, failed,
                                        abandoned, retries, buckets, times)
       values ($1, $2, 'hour', '2026-11-20T10:00Z', 98, 1, 1, 2, '{10,60}', '{95,5}'),
              ($1, $2, 'hour', '2026-11-20T12:00Z', 1, 0, 0, 0, '{10}', '{1}'),
              ($1, $2, 'day', '2026-11-20T00:00Z', 1, 0, 0, 0, '{}', '{}')`,
      [account, id],
    );

    const since = new Date('2026-11-20T10:30Z');
    const until = new Date('2026-11-20T12:30Z');
    const ask = { endpoint: id, since, until };
    const hours = await readStatistics(read, account, { ...ask, by: 'hour' });
    const latency = { p50Ms: 3, p95Ms: 3, p99Ms: 319 };

    expect(hours.map(({ attempts }) => attempts)).to.deep.equal([100, 0, 1]);
    expect(hours[0]).to.deep.include({ failed: 1, abandoned: 1, retries: 2, latency });
    expect(hours[1]).to.deep.include({ startsAt: new Date('2026-11-20T11:00Z'), latency: null });

    const days = await readStatistics(read, account, { ...ask, by: 'day' });
    expect(days.map(({ attempts }) => attempts)).to.deep.equal([102]);

    const long = { ...ask, since: new Date('2026-10-01T00:00Z'), by: 'hour' } as const;
    expect(await refusalOf(readStatistics(read, account, long))).to.include({
      code: 'validation_failed',
    });

    const theirs = readStatistics(read, account, { ...ask, endpoint: foreign, by: 'day' });
    expect(await refusalOf(theirs)).to.include({ code: 'not_found' });
  });
});
