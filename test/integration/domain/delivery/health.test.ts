import { expect } from 'chai';
import type { Database } from '../../../../src/database/database.js';
import { engineServerSettings } from '../../../../src/domain/delivery/claim.js';
import { healthEventTypes, getEndpointHealth } from '../../../../src/domain/delivery/health.js';
import { recordBatch } from '../../../../src/domain/delivery/recording.js';
import type { Outcome } from '../../../../src/domain/delivery/outcome.js';
import { publishEvent } from '../../../../src/domain/event/publish.js';
import { makeId } from '../../../../src/domain/values/id.js';
import { createTestDatabase, type TestDatabase, testRules } from '../../../support/database.js';
import {
  claimAll,
  emptyEngine,
  end,
  eventType,
  insertAccount,
  insertEndpoint,
  outcomes,
} from '../../../support/engine.js';
import { checkEvent } from '../../../support/contract.js';
import { apiServerSettings } from '../../../../src/database/address.js';
import { readStatistics } from '../../../../src/domain/delivery/statistics.js';
import { refusalOf } from '../../../support/refusal.js';

interface StoredEvent {
  readonly id: string;
  readonly account_id: string;
  readonly type: string;
  readonly subject: string;
  readonly body: Buffer;
}

describe('announcing the health of endpoints', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  let account: string;
  const operator = makeId('acc', new Date());

  before(async () => {
    testDatabase = await createTestDatabase();
    database = await testDatabase.open({
      serverSettings: engineServerSettings,
      rules: testRules({ operatorAccount: operator }),
    });
    account = await insertAccount(testDatabase);
  });

  after(() => testDatabase.drop());
  beforeEach(() => emptyEngine(testDatabase));

  /** Publishes an event of the shop and records these outcomes of its attempts. */
  async function attempt(...results: readonly Outcome[]): Promise<void> {
    await database.transact((tx) =>
      publishEvent(tx, account, { type: eventType, subject: 's', data: {} }),
    );
    const claims = (await claimAll(database.read)).filter(({ event }) => event.type === eventType);
    expect(claims).to.have.length(results.length);
    await recordBatch(
      database,
      claims.map((claim, index) => end(claim, results[index]!)),
    );
  }

  const failingFor = (hours: number) =>
    `failing_since = now() - interval '${hours} hours', failure_count = 20`;
  const notices = () =>
    testDatabase.query<{ kind: string; data: object }>('select * from notice order by id');
  const events = async () => {
    const rows = await testDatabase.query<StoredEvent>(
      'select * from event where type <> $1 order by id',
      [eventType],
    );
    return rows.map(({ body, ...row }) => {
      checkEvent(body);
      return {
        ...row,
        data: (JSON.parse(body.toString()) as { data: Record<string, unknown> }).data,
      };
    });
  };

  it('H150: warns the owner once at a quarter of the time and once more at three quarters', async () => {
    const id = await insertEndpoint(testDatabase, account, failingFor(31));
    await attempt(outcomes.down);
    await attempt(outcomes.down);
    expect((await notices()).map(({ kind }) => kind)).to.deep.equal(['endpoint_failing']);
    await testDatabase.query(`update endpoint set ${failingFor(91)}`);
    await attempt(outcomes.timeout);
    await attempt(outcomes.timeout);
    const [, second, ...more] = await notices();
    expect(more).to.deep.equal([]);
    expect(second).to.include({ kind: 'endpoint_failing', resource_id: id, account_id: account });
    expect(second?.data).to.include({ url: 'https://shop.example/hook', lastStatus: null });
  });

  it('H151: publishes an event to its account when an endpoint fails', async () => {
    const id = await insertEndpoint(testDatabase, account, failingFor(31));
    await attempt(outcomes.down);
    const [event, ...more] = await events();
    expect(more).to.deep.equal([]);
    expect(event).to.include({ account_id: account, type: 'webhook.endpoint.failing' });
    expect(event).to.include({ subject: `endpoint:${id}` });
    const { failing_since: since, disables_at: until } = event!.data as Record<string, string>;
    expect(Date.parse(until!) - Date.parse(since!)).to.equal(432_000_000);
    expect(event!.data).to.deep.include({ failure_count: 21, last_response_status: 500 });
  });

  it('H150, H151: announces a recovered endpoint only if its owner was warned', async () => {
    await insertEndpoint(testDatabase, account, `${failingFor(31)}, warnings = 1`);
    await insertEndpoint(testDatabase, account, failingFor(3));
    await attempt(outcomes.ok, outcomes.ok);
    expect((await notices()).map(({ kind }) => kind)).to.deep.equal(['endpoint_recovered']);
    expect((await events()).map(({ type }) => type)).to.deep.equal(['webhook.endpoint.recovered']);
    const [row] = await testDatabase.query('select max(warnings) as warnings from endpoint');
    expect(row).to.deep.equal({ warnings: 0 });
  });

  it('H151: publishes an event to its account and to the operator when an endpoint is disabled', async () => {
    await testDatabase.query(
      `insert into account (id, name, created_at) values ($1, 'Operator', now())`,
      [operator],
    );

    await insertEndpoint(testDatabase, account);
    await attempt(outcomes.gone);

    const published = await events();
    expect(published.map(({ account_id }) => account_id)).to.have.members([account, operator]);

    for (const { type, data } of published) {
      expect(type).to.equal('webhook.endpoint.disabled');
      expect(data['endpoint']).to.include({
        account_id: account,
        active: false,
        disabled_reason: 'receiver_gone',
      });
    }

    await testDatabase.query('delete from event where account_id = $1', [operator]);
    await testDatabase.query('delete from account where id = $1', [operator]);
  });

  it('H151: disables an endpoint although the account for its events no longer exists', async () => {
    await insertEndpoint(testDatabase, account);
    await attempt(outcomes.gone);
    expect((await events()).map(({ account_id }) => account_id)).to.deep.equal([account]);
    const [endpoint] = await testDatabase.query('select active from endpoint');
    expect(endpoint).to.deep.equal({ active: false });
  });

  for (const type of healthEventTypes) {
    it(`H151: sends a notice and no event about an endpoint that subscribes to ${type}`, async () => {
      const types = `event_types = '{${eventType},${type}}'`;
      await insertEndpoint(testDatabase, account, types);
      await attempt(outcomes.gone);
      expect(await events()).to.deep.equal([]);
      expect((await notices()).map(({ kind }) => kind)).to.deep.equal(['endpoint_disabled']);
    });
  }

  it('H151: hides the secrets of a URL in the event', async () => {
    const url = 'https://shop.example/hook?shop=1&token=s3cret';
    await insertEndpoint(testDatabase, account, `url = '${url}'`);
    await attempt(outcomes.gone);
    const [event] = await events();
    const shown = 'https://shop.example/hook?shop=1&token=***';
    expect(event!.data['endpoint']).to.include({ url: shown });
    const [notice] = await notices();
    expect(notice?.data).to.include({ url });
  });

  it('H151: delivers the event about a failing endpoint to an endpoint that subscribes to it', async () => {
    await insertEndpoint(testDatabase, account);
    const types = `event_types = '{webhook.endpoint.disabled}'`;
    const watcher = await insertEndpoint(testDatabase, account, types);
    await attempt(outcomes.gone);
    const claims = await claimAll(database.read);
    expect(claims.map(({ endpointId, event }) => [endpointId, event.type])).to.deep.equal([
      [watcher, 'webhook.endpoint.disabled'],
    ]);
  });
});

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

  it('H136: says since when an endpoint fails, and how much waits for it', async () => {
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

  it('H137: returns statistics for every hour or day of a range, with counts and quantiles', async () => {
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
