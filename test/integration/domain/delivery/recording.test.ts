import { expect } from 'chai';
import type { Database } from '../../../../src/database/database.js';
import { engineServerSettings, type Claim } from '../../../../src/domain/delivery/claim.js';
import { recordBatch, recordResults } from '../../../../src/domain/delivery/recording.js';
import type { EndedAttempt } from '../../../../src/domain/delivery/attempt.js';
import { publishEvent } from '../../../../src/domain/event/publish.js';
import type { Wakeup } from '../../../../src/domain/transaction/wakeup.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import {
  insertAccount,
  insertEndpoint,
  claimAll,
  end,
  eventType,
  outcomes,
  untilLockIsAwaited,
  claimOf,
  emptyEngine,
  endLeases,
} from '../../../support/engine.js';
import { promoteDue } from '../../../../src/domain/delivery/promote.js';

describe('recording ended attempts', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  let account: string;
  let woken: Wakeup[] = [];

  before(async () => {
    testDatabase = await createTestDatabase();
    database = await testDatabase.open({
      serverSettings: engineServerSettings,
      wake: (wakeups) => void woken.push(...wakeups),
    });
  });

  after(() => testDatabase.drop());

  beforeEach(async () => {
    await testDatabase.query(
      'truncate pending_delivery, delivery, event, notice, endpoint_secret, endpoint',
    );
    account = await insertAccount(testDatabase);
    woken = [];
  });

  const publish = (count = 1, test = false) =>
    database.transact(async (tx) => {
      for (let index = 0; index < count; index += 1) {
        await publishEvent(tx, account, { type: eventType, subject: 's', data: { index }, test });
      }
    });

  const recorded = (...ended: EndedAttempt[]) => recordBatch(database, ended);
  const only = async <Row extends object>(text: string): Promise<Row> => {
    const rows = await testDatabase.query<Row>(text);
    expect(rows).to.have.length(1);
    return rows[0]!;
  };

  it('H60: records a 2xx as success and ends the pending delivery', async () => {
    await insertEndpoint(testDatabase, account);
    await publish();

    const [claim] = await claimAll(database.read);
    const attempt = end(claim!, outcomes.ok, 250);
    await recorded(attempt);

    const record = await only<Record<string, unknown>>('select * from delivery');
    expect(record).to.include({ id: attempt.deliveryId, status: 'success', attempt: 1 });
    expect(record).to.include({ response_status: 200, duration_ms: 12, failure_reason: null });
    expect(record).to.include({ event_id: claim!.event.id, event_type: eventType, test: false });

    const startedAt = claim!.claimedAt.getTime() + 250;
    expect(record['created_at']).to.deep.equal(new Date(startedAt));
    expect(record['delivered_at']).to.deep.equal(new Date(startedAt + 12));
    expect(await testDatabase.query('select 1 from pending_delivery')).to.deep.equal([]);
  });

  it('H63: records a failure as failed and schedules the next attempt', async () => {
    await insertEndpoint(testDatabase, account);
    await publish();

    const [claim] = await claimAll(database.read);
    woken = [];

    const attempt = end(claim!, outcomes.down);
    await recorded(attempt);

    const due = new Date(attempt.startedAt.getTime() + 12 + 5_000);

    expect(await only('select * from delivery')).to.include({
      status: 'failed',
      delivered_at: null,
    });

    const pending = await only<Record<string, unknown>>('select * from pending_delivery');
    expect(pending).to.include({ attempt: 2, ready: false, lease_token: null });
    expect(pending).to.include({ last_delivery_id: attempt.deliveryId });
    expect(pending['due_at']).to.deep.equal(due);

    const second = new Date(Math.ceil(due.getTime() / 1_000) * 1_000);
    expect(woken).to.deep.equal([{ kind: 'due', at: second }]);
  });

  it('H61: records the last attempt as abandoned', async () => {
    await insertEndpoint(testDatabase, account);
    await publish();
    await testDatabase.query('update pending_delivery set attempt = 10');
    const [claim] = await claimAll(database.read);
    await recorded(end(claim!, outcomes.timeout));
    const record = await only('select * from delivery');
    expect(record).to.include({ status: 'abandoned', response_status: null, attempt: 10 });
    expect(record).to.include({ failure_reason: 'timeout', duration_ms: 12 });
    expect(await testDatabase.query('select 1 from pending_delivery')).to.deep.equal([]);
  });

  it('H58: records no duration for a refused target', async () => {
    await insertEndpoint(testDatabase, account);
    await publish();
    const [claim] = await claimAll(database.read);
    await recorded(end(claim!, outcomes.blocked));
    expect(await only('select * from delivery')).to.include({
      status: 'failed',
      duration_ms: null,
      failure_reason: 'blocked_destination',
    });
  });

  it('H69: counts failures once per batch and ends the run with a success', async () => {
    const id = await insertEndpoint(testDatabase, account);
    await publish(3);

    const claims = await claimAll(database.read);
    await recorded(...claims.slice(0, 2).map((claim) => end(claim, outcomes.down)));

    const failing = await only<{ failing_since: Date }>(
      `select failing_since, failure_count, updated_at from endpoint where id = '${id}'`,
    );
    expect(failing).to.include({ failure_count: 2 });
    expect(failing.failing_since).to.be.instanceOf(Date);
    await recorded(end(claims[2]!, outcomes.ok, 100));

    expect(await only('select failing_since, failure_count from endpoint')).to.deep.equal({
      failing_since: null,
      failure_count: 0,
    });
  });

  it('H68: does not count test deliveries towards the health of an endpoint', async () => {
    await insertEndpoint(testDatabase, account);
    await publish(1, true);
    const [claim] = await claimAll(database.read);
    await recorded(end(claim!, outcomes.gone));
    expect(await only('select active, failure_count from endpoint')).to.deep.equal({
      active: true,
      failure_count: 0,
    });
    expect(await only('select status, test from delivery')).to.deep.equal({
      status: 'abandoned',
      test: true,
    });
  });

  it('H72, H73: disables the endpoint at 410, cancels its scheduled deliveries and enqueues one notice', async () => {
    const id = await insertEndpoint(testDatabase, account);
    await publish(4);

    const claims = await claimAll(database.read);
    await recorded(end(claims[0]!, outcomes.down));
    woken = [];

    const result = await recorded(end(claims[1]!, outcomes.gone), end(claims[2]!, outcomes.down));
    expect(result.disabled).to.deep.equal([id]);

    expect(
      await only(
        'select active, disabled_reason, updated_at > created_at as touched from endpoint',
      ),
    ).to.deep.equal({
      active: false,
      disabled_reason: 'receiver_gone',
      touched: true,
    });

    const notice = await only<{ data: object; message_id: string }>('select * from notice');
    expect(notice).to.include({
      kind: 'endpoint_disabled',
      resource_id: id,
      account_id: account,
      recipient: 'ops@shop.example',
      attempts: 0,
      sent_at: null,
    });

    expect(notice.data).to.include({
      url: 'https://shop.example/hook',
      reason: 'receiver_gone',
      lastStatus: 410,
    });

    expect(woken).to.deep.include({ kind: 'notify' });
    expect(notice.message_id).to.match(/^<ntc_\w{24}@api\.example>$/);

    const records = await testDatabase.query('select distinct status from delivery');
    expect(records).to.deep.equal([{ status: 'abandoned' }]);

    // The fourth is in flight: its result is recorded at its end, and it is not retried.
    expect(await only('select id from pending_delivery')).to.deep.equal({
      id: claims[3]!.pendingDeliveryId,
    });
    await recorded(end(claims[3]!, outcomes.timeout));
    expect(await testDatabase.query('select 1 from pending_delivery')).to.deep.equal([]);
    expect(await testDatabase.query('select 1 from notice')).to.have.length(1);
  });

  it('H69, H73: disables an endpoint once after a long run of failures, even when two batches are recorded together', async () => {
    await insertEndpoint(
      testDatabase,
      account,
      `failing_since = now() - interval '121 hours', failure_count = 20`,
    );

    await publish(2);

    const [one, two] = await claimAll(database.read);
    let second: Promise<unknown> = Promise.resolve();
    await database.transact(async (tx) => {
      await recordResults(tx, [end(one!, outcomes.down)]);
      second = recorded(end(two!, outcomes.down));
      await untilLockIsAwaited(testDatabase);
    });

    await second;

    expect(await only('select active, disabled_reason from endpoint')).to.deep.equal({
      active: false,
      disabled_reason: 'consecutive_failures',
    });

    expect(await testDatabase.query('select 1 from notice')).to.have.length(1);
    expect(await testDatabase.query('select 1 from pending_delivery')).to.deep.equal([]);
    expect(await testDatabase.query('select distinct status from delivery')).to.deep.equal([
      { status: 'abandoned' },
    ]);
  });

  it('H69: ignores responses of a former URL for the health of an endpoint', async () => {
    await insertEndpoint(testDatabase, account);
    await publish(2);
    const [one, two] = await claimAll(database.read);
    await testDatabase.query(`update endpoint set url = 'https://shop.example/moved'`);
    await recorded(end(one!, outcomes.gone), end(two!, outcomes.down));
    expect(await only('select active, failure_count from endpoint')).to.deep.equal({
      active: true,
      failure_count: 0,
    });
  });

  it('H61: schedules nothing for an endpoint that was deactivated meanwhile', async () => {
    await insertEndpoint(testDatabase, account);
    await publish(2);
    const claims = await claimAll(database.read);
    await testDatabase.query('update endpoint set active = false');
    await recorded(end(claims[0]!, outcomes.down), end(claims[1]!, outcomes.ok));
    const statuses = await testDatabase.query('select status from delivery order by status');
    expect(statuses).to.deep.equal([{ status: 'abandoned' }, { status: 'success' }]);
    expect(await only('select failure_count from endpoint')).to.deep.equal({ failure_count: 0 });
  });

  it('records accepted attempts in one statement without a transaction block', async () => {
    await insertEndpoint(testDatabase, account);
    await publish(20);

    const claims = await claimAll(database.read);
    const names: string[] = [];
    const counted: Pick<Database, 'read' | 'transact'> = {
      read: {
        ...database.read,
        sql: (statement, values) => {
          names.push(statement.name);
          return database.read.sql(statement, values);
        },
      },
      transact: () => Promise.reject(new Error('began a transaction block')),
    };

    const ended = claims.map((claim) => end(claim, outcomes.ok));
    const result = await recordBatch(counted, ended);
    expect(result.recorded.map((record) => record.ended)).to.have.members(ended);
    expect(names).to.deep.equal(['record_all_accepted_at_places']);
    expect(await testDatabase.query('select 1 from delivery')).to.have.length(20);

    // The answer of a first try may have been lost: a second one finds that the claims have ended.
    expect(await recordBatch(database, ended)).to.deep.equal({ recorded: [], disabled: [] });
  });

  it('H69: records an accepted attempt together with the end of a run of failures', async () => {
    await insertEndpoint(testDatabase, account, `failing_since = now(), failure_count = 3`);
    await publish(2);

    const [one, two] = await claimAll(database.read);
    const failing: Pick<Database, 'read' | 'transact'> = {
      read: database.read,
      transact: () => Promise.reject(new Error('PostgreSQL is away')),
    };

    let failure: unknown;
    await recordBatch(failing, [end(one!, outcomes.ok)]).catch((error: unknown) => {
      failure = error;
    });
    expect(failure).to.have.property('message', 'PostgreSQL is away');
    expect(await testDatabase.query('select 1 from delivery')).to.deep.equal([]);
    await recorded(end(one!, outcomes.ok));

    expect(await only('select failing_since, failure_count from endpoint')).to.deep.equal({
      failing_since: null,
      failure_count: 0,
    });

    const result = await recordBatch(failing, [end(two!, outcomes.ok)]);
    expect(result.recorded).to.have.length(1);
  });

  it('takes one statement if all attempts are accepted and four if the health of an endpoint changes', async () => {
    await insertEndpoint(testDatabase, account);
    await publish(20);

    const claims = await claimAll(database.read);
    const count = (ended: EndedAttempt[]) =>
      database.transact(async (tx) => {
        const names: string[] = [];
        const sql: typeof tx.sql = (statement, values) => {
          names.push(statement.name);
          return tx.sql(statement, values);
        };
        await recordResults({ ...tx, sql, wake: (wakeup) => tx.wake(wakeup) }, ended);
        return names;
      });

    expect(await count(claims.slice(0, 10).map((claim) => end(claim, outcomes.ok)))).to.deep.equal([
      'record_accepted',
    ]);

    expect(await count(claims.slice(10).map((claim) => end(claim, outcomes.down)))).to.deep.equal([
      'record_fence',
      'record_lock_endpoints',
      'record_other',
      'record_health',
    ]);
  });
});

describe('recording accepted attempts at the places where they were claimed', () => {
  let testDatabase: TestDatabase;
  let database: Database;

  before(async () => {
    testDatabase = await createTestDatabase();
    database = await testDatabase.open({ serverSettings: engineServerSettings });
  });

  after(() => testDatabase.drop());
  beforeEach(() => emptyEngine(testDatabase));

  /** Publishes `count` events to one endpoint, and claims them. More than 32 are claimed by the walk. */
  const claim = async (count: number): Promise<Claim[]> => {
    const account = await insertAccount(testDatabase);
    await insertEndpoint(testDatabase, account);
    await database.transact(async (tx) => {
      for (let index = 0; index < count; index += 1)
        await publishEvent(tx, account, { type: eventType, subject: 's', data: { index } });
    });
    return claimAll(database.read);
  };

  /** @returns the pending deliveries that are recorded, and what that took */
  const record = async (claims: readonly Claim[], mayTransact = true) => {
    const statements: string[] = [];
    const counted: Pick<Database, 'read' | 'transact'> = {
      read: {
        ...database.read,
        sql: (statement, values) => {
          statements.push(statement.name);
          return database.read.sql(statement, values);
        },
      },
      transact: (work) => {
        statements.push('transaction');
        return mayTransact ? database.transact(work) : Promise.reject(new Error('connection lost'));
      },
    };

    const result = await recordBatch(
      counted,
      claims.map((claimed) => end(claimed, outcomes.ok)),
    );
    return { recorded: result.recorded.map(({ ended }) => idOf(ended.claim)), statements };
  };

  const idOf = ({ pendingDeliveryId }: Pick<Claim, 'pendingDeliveryId'>) => pendingDeliveryId;
  const left = async () =>
    (await testDatabase.query<{ id: string }>('select id from pending_delivery order by id')).map(
      ({ id }) => id,
    );

  const recordsOf = async () =>
    (
      await testDatabase.query<{ id: string }>(
        'select pending_delivery_id as id from delivery order by 1',
      )
    ).map(({ id }) => id);

  for (const count of [2, 40])
    it(`finds all of ${count} pending deliveries in one statement`, async () => {
      const claims = await claim(count);
      const places = await testDatabase.query<{ id: string; ctid: string }>(
        'select id, ctid::text from pending_delivery',
      );
      expect(claims.map(({ pendingDeliveryId: id, ctid }) => ({ id, ctid }))).to.have.deep.members(
        places,
      );
      const { recorded, statements } = await record(claims);
      expect(recorded).to.have.members(claims.map(idOf));
      expect(statements).to.deep.equal(['record_all_accepted_at_places']);
      expect(await left()).to.deep.equal([]);
    });

  for (const [table, made] of Object.entries({
    new: 'select',
    'known to be empty': 'vacuum analyze pending_delivery',
  }))
    it(`scans neither the table nor an index by a plan that was made for a table ${table}`, async () => {
      const planned = await testDatabase.open({ serverSettings: engineServerSettings, pool: 1 });
      await testDatabase.query(made);
      await recordBatch(planned, [end(claimOf('pdl_none', 'whs_none'), outcomes.ok)]);

      const ended = (await claim(40)).map((claimed) => end(claimed, outcomes.ok));
      const scans = await planned.transact(async (tx) => {
        const text = `select (idx_scan + seq_scan)::int as scans from pg_stat_xact_user_tables
                       where relname = 'pending_delivery'`;
        const count = async () => (await tx.sql<{ scans: number }>({ name: 'scans', text }, []))[0];
        const before = await count();
        const transact = () => Promise.reject(new Error('began a transaction block'));
        expect((await recordBatch({ read: tx, transact }, ended)).recorded).to.have.length(40);
        return (await count())!.scans - before!.scans;
      });
      expect(scans).to.equal(0);
    });

  it('finds pending deliveries that were moved since by their ids', async () => {
    const claims = await claim(4);
    const [moved] = claims;
    await testDatabase.query(
      'update pending_delivery set interruptions = interruptions where id = $1',
      [idOf(moved!)],
    );
    const { recorded, statements } = await record(claims);
    expect(recorded).to.have.members(claims.map(idOf));
    expect(statements).to.deep.equal(['record_all_accepted_at_places', 'transaction']);
    expect(await recordsOf()).to.deep.equal(claims.map(idOf).sort());
    expect(await left()).to.deep.equal([]);
  });

  it('records each attempt once when the transaction fails and the batch is repeated', async () => {
    const claims = await claim(4);
    const [moved, ...others] = claims;
    await testDatabase.query(
      'update pending_delivery set interruptions = interruptions where id = $1',
      [idOf(moved!)],
    );

    const failed = await record(claims, false).catch((error: unknown) => error);
    expect(failed).to.have.property('message', 'connection lost');
    expect(await recordsOf()).to.deep.equal(others.map(idOf).sort());
    expect(await left()).to.deep.equal([idOf(moved!)]);
    expect((await record(claims)).recorded).to.deep.equal([idOf(moved!)]);
    expect(await recordsOf()).to.deep.equal(claims.map(idOf).sort());
    expect(await left()).to.deep.equal([]);
  });

  it('finds all pending deliveries by their ids after VACUUM FULL, which gives their places to others', async () => {
    const claims = await claim(6);
    const [first, ...others] = claims;
    await record([first!]);
    await testDatabase.query('vacuum full pending_delivery');
    const { recorded } = await record(others);
    expect(recorded).to.have.members(others.map(idOf));
    expect(await recordsOf()).to.deep.equal(claims.map(idOf).sort());
    expect(await left()).to.deep.equal([]);
  });

  it('leaves another pending delivery of the same claim that is at the place now', async () => {
    const [one, other] = await claim(2);
    const { recorded } = await record([{ ...one!, ctid: other!.ctid }]);
    expect(recorded).to.deep.equal([idOf(one!)]);
    expect(await recordsOf()).to.deep.equal([idOf(one!)]);
    expect(await left()).to.deep.equal([idOf(other!)]);
  });

  it('leaves a pending delivery that another claim has taken since, even at the same place', async () => {
    const [lost] = await claim(1);
    await endLeases(testDatabase);
    await promoteDue(database.read);
    const [again] = await claimAll(database.read);
    const { recorded } = await record([{ ...lost!, ctid: again!.ctid }]);
    expect(recorded).to.deep.equal([]);
    expect(await recordsOf()).to.deep.equal([]);
    expect((await record([again!])).recorded).to.deep.equal([idOf(again!)]);
  });

  for (const [change, isRecorded] of [
    ['lease_token = null', false],
    ['interruptions = interruptions', true],
  ] as const)
    it(`${isRecorded ? 'records' : 'leaves'} a pending delivery that changes ${change} while the statement waits`, async () => {
      const [one] = await claim(1);
      let recording: ReturnType<typeof record> | undefined;
      await database.transact(async (tx) => {
        const text = `update pending_delivery set ${change} where id = $1`;
        await tx.sql({ name: `test ${change}`, text }, [idOf(one!)]);
        recording = record([one!]);
        await untilLockIsAwaited(testDatabase);
      });
      expect((await recording)?.recorded).to.deep.equal(isRecorded ? [idOf(one!)] : []);
      expect(await recordsOf()).to.have.length(isRecorded ? 1 : 0);
      expect(await left()).to.have.length(isRecorded ? 0 : 1);
    });

  it('records no attempt of a batch that ends a run of failures, because that needs a transaction', async () => {
    const [one] = await claim(1);
    await testDatabase.query('update endpoint set failing_since = now(), failure_count = 3');
    const failure = await record([one!], false).catch((error: unknown) => error);
    expect(failure).to.have.property('message', 'connection lost');
    expect(await recordsOf()).to.deep.equal([]);
    expect(await left()).to.deep.equal([idOf(one!)]);
  });
});
