import { expect } from 'chai';
import type { Database } from '../../../../src/database/database.js';
import { engineServerSettings } from '../../../../src/domain/delivery/claim.js';
import { healthEventTypes } from '../../../../src/domain/delivery/health.js';
import { recordBatch } from '../../../../src/domain/delivery/recording.js';
import type { Outcome } from '../../../../src/domain/delivery/outcome.js';
import { publishEvent } from '../../../../src/domain/event/publish.js';
import { makeId } from '../../../../src/domain/id.js';
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

interface StoredEvent {
  readonly id: string;
  readonly account_id: string;
  readonly type: string;
  readonly subject: string;
  readonly body: Buffer;
}

describe('announceHealth', () => {
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

  it('H150: warns once at a quarter of the time and once more at three quarters', async () => {
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

  it('H151: publishes that an endpoint fails, to its account', async () => {
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

  it('H151: publishes that an endpoint was disabled, to its account and to the operator', async () => {
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

  it('H151: an account that no longer exists gets no events, and disabling goes on', async () => {
    await insertEndpoint(testDatabase, account);
    await attempt(outcomes.gone);
    expect((await events()).map(({ account_id }) => account_id)).to.deep.equal([account]);
    const [endpoint] = await testDatabase.query('select active from endpoint');
    expect(endpoint).to.deep.equal({ active: false });
  });

  for (const type of healthEventTypes) {
    it(`H151: an endpoint that subscribes to ${type} causes no event, but a notice`, async () => {
      const types = `event_types = '{${eventType},${type}}'`;
      await insertEndpoint(testDatabase, account, types);
      await attempt(outcomes.gone);
      expect(await events()).to.deep.equal([]);
      expect((await notices()).map(({ kind }) => kind)).to.deep.equal(['endpoint_disabled']);
    });
  }

  it('H151: hides in the event what the URL proves by', async () => {
    const url = 'https://shop.example/hook?shop=1&token=s3cret';
    await insertEndpoint(testDatabase, account, `url = '${url}'`);
    await attempt(outcomes.gone);
    const [event] = await events();
    const shown = 'https://shop.example/hook?shop=1&token=***';
    expect(event!.data['endpoint']).to.include({ url: shown });
    const [notice] = await notices();
    expect(notice?.data).to.include({ url });
  });

  it('H151: delivers the event to an endpoint that subscribes to it', async () => {
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
