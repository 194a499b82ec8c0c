import { expect } from 'chai';
import type { Database } from '../../../../src/database/database.js';
import { DomainError } from '../../../../src/domain/errors.js';
import {
  cancelRecovery,
  pauseRecovery,
  resumeRecovery,
  previewRecovery,
  startRecovery,
} from '../../../../src/domain/recovery/change-recovery.js';
import {
  purgeRecoveries,
  getRecovery,
  listRecoveries,
} from '../../../../src/domain/recovery/recoveries.js';
import type { RecoveryInput } from '../../../../src/domain/recovery/recovery-input.js';
import { runRecoveryStep, type StepResult } from '../../../../src/domain/recovery/run-step.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import {
  claimAll,
  emptyEngine,
  eventType,
  insertAccount,
  insertEndpoint,
  end,
  outcomes,
} from '../../../support/engine.js';
import { insertPastEvent, insertRecords, type PastEvent } from '../../../support/recoveries.js';
import { startReplay } from '../../../../src/domain/delivery/replay.js';
import { publishEvent } from '../../../../src/domain/event/publish.js';
import { recordResults, recordBatch } from '../../../../src/domain/delivery/recording.js';
import { cancelPendingDeliveries } from '../../../../src/domain/delivery/cancel.js';
import { engineServerSettings } from '../../../../src/domain/delivery/claim.js';

/** An account with one active endpoint, a day old, and no events. */
class RecoveryFixture {
  readonly test: TestDatabase;
  readonly database: Database;
  account = '';
  endpoint = '';

  private constructor(test: TestDatabase, database: Database) {
    this.test = test;
    this.database = database;
  }

  static async create(): Promise<RecoveryFixture> {
    const test = await createTestDatabase();
    const options = { serverSettings: engineServerSettings, pool: 4 };
    return new RecoveryFixture(test, await test.open(options));
  }

  /** Begins again with another account. */
  async reset(): Promise<void> {
    await emptyEngine(this.test);
    await this.test.query('truncate recovery');
    this.account = await insertAccount(this.test);
    const dayOld = `created_at = now() - interval '1 day'`;
    this.endpoint = await insertEndpoint(this.test, this.account, dayOld);
  }

  past(event: PastEvent = {}): Promise<string> {
    return insertPastEvent(this.test, this.account, event);
  }

  records(event: string, ...statuses: ('success' | 'failed' | 'abandoned')[]): Promise<string[]> {
    const { account, endpoint } = this;
    return insertRecords(this.test, { account, endpoint, event }, ...statuses);
  }

  /** Starts a recovery at 200 deliveries a second. @returns its id */
  async start(changes: Partial<RecoveryInput> = {}): Promise<string> {
    const input = { endpointId: this.endpoint, what: 'both', ratePerSecond: 200 } as const;
    const { id } = await this.database.transact((tx) =>
      startRecovery(tx, this.account, { ...input, idempotencyKey: 'key', ...changes }),
    );
    return id;
  }

  /** Runs the next step at once. */
  async step(): Promise<StepResult | undefined> {
    await this.test.query(
      `update recovery
          set next_step_at = now() - interval '1 second', credited_at = now() - interval '1 hour'`,
    );
    return runRecoveryStep(this.database.transact);
  }

  /** What steps added, in the order in which it is due. */
  added(): Promise<{ event: string; from: string | null }[]> {
    return this.test.query(
      `select event_id as event, replayed_from as "from" from pending_delivery
        where lane = 'recovery' order by due_at`,
    );
  }

  async addedEvents(): Promise<string[]> {
    return (await this.added()).map(({ event }) => event);
  }
}

describe('a recovery', () => {
  let test: TestDatabase;
  let database: Database;
  let account: string;
  let endpoint: string;

  before(async () => {
    test = await createTestDatabase();
    database = await test.open({ pool: 8 });
  });

  after(() => test.drop());

  beforeEach(async () => {
    await emptyEngine(test);
    await test.query('truncate recovery');
    account = await insertAccount(test);
    endpoint = await insertEndpoint(test, account, `created_at = now() - interval '1 day'`);
  });

  const start = (changes: Partial<RecoveryInput> = {}) =>
    database.transact((tx) =>
      startRecovery(tx, account, {
        endpointId: endpoint,
        what: 'both',
        idempotencyKey: 'key',
        ratePerSecond: 200,
        ...changes,
      }),
    );

  const refusalOf = async (work: Promise<unknown>) => {
    const error = await work.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof DomainError)) throw new Error(`not refused: ${String(error)}`);
    return error.errors.map(({ code, param }) => (param ? `${param}: ${code}` : code));
  };

  const act = (work: typeof pauseRecovery, id: string) =>
    database.transact((tx) => work(tx, account, id));
  const step = async () => {
    await test.query(
      `update recovery set next_step_at = now() - interval '1 second', credited_at = now() - interval '1 hour'`,
    );
    return runRecoveryStep(database.transact);
  };

  const pastEvents = async (count: number) => {
    const ids = [];
    for (let place = 0; place < count; place += 1)
      ids.push(await insertPastEvent(test, account, { agoMs: 3_600_000 - place }));
    return ids;
  };

  it('H147: refuses a recovery that it cannot run, and names the field', async () => {
    const inPast = new Date(Date.now() - 40 * 86_400_000);
    expect(await refusalOf(start({ ratePerSecond: 501 }))).to.deep.equal([
      'ratePerSecond: out_of_range',
    ]);

    expect(
      await refusalOf(start({ eventTypes: ['offer.sent'], ratePerSecond: 0, until: inPast })),
    ).to.deep.equal([
      'until: out_of_range',
      'ratePerSecond: out_of_range',
      'eventTypes: event_type_not_subscribed',
    ]);

    expect(await refusalOf(start({ eventTypes: [] }))).to.deep.equal(['eventTypes: too_few_items']);
    expect(await refusalOf(start({ idempotencyKey: '' }))).to.deep.equal([
      'idempotencyKey: invalid_value',
    ]);
    expect(await refusalOf(start({ endpointId: 'whs_unknown' }))).to.deep.equal(['not_found']);
    expect((await start({ eventTypes: [eventType], since: inPast })).since.getTime()).to.be.above(
      inPast.getTime() + 9 * 86_400_000,
    );
  });

  it('H147: starting a recovery twice at the same moment makes one', async () => {
    const started = await Promise.all([1, 2, 3].map(() => start()));
    expect(new Set(started.map(({ id }) => id)).size).to.equal(1);
  });

  it('H147: an account has at most five active recoveries', async () => {
    for (let count = 0; count < 5; count += 1) {
      const endpointId = await insertEndpoint(test, account);
      await start({ endpointId, idempotencyKey: `key ${count}` });
    }
    expect(await refusalOf(start())).to.deep.equal(['recovery_limit_reached']);
    await test.query(`update recovery set status = 'completed', ended_at = now()`);
    await start();
  });

  it('H148: a paused recovery takes back what no worker has claimed, and sends it later', async () => {
    const events = await pastEvents(5);
    const { id } = await start({ until: new Date(Date.now() - 120_000) });

    await step();

    const [claimed] = await claimAll(database.read, { lane: 'recovery', slots: 1 });

    expect(await act(pauseRecovery, id)).to.include({
      status: 'paused',
      reason: 'requested',
      missed: 1,
      waiting: 1,
    });

    expect(await step()).to.equal(undefined);
    await act(resumeRecovery, id);
    await step();

    expect(await getRecovery(database.read, account, id)).to.include({
      status: 'running',
      missed: 5,
      waiting: 5,
    });

    const rest = await claimAll(database.read, { lane: 'recovery' });
    expect([claimed!.event.id, ...rest.map(({ event }) => event.id)]).to.have.members(events);
  });

  it('H148: a recovery begins again after its endpoint was disabled, and repeats nothing that is pending', async () => {
    const events = await pastEvents(3);
    const { id } = await start({ until: new Date(Date.now() - 120_000) });
    await test.query(
      `update recovery set status = 'paused', reason = 'endpoint_inactive', position = $1`,
      [events[1]],
    );
    await test.query(`update endpoint set active = false`);
    expect(await refusalOf(act(resumeRecovery, id))).to.deep.equal(['endpoint_inactive']);
    await test.query(`update endpoint set active = true`);
    await act(resumeRecovery, id);
    expect(await step()).to.include({ missed: 3 });
  });

  it('H148: a cancelled recovery takes back the rest, and never runs again', async () => {
    await pastEvents(3);
    const { id } = await start();
    await step();
    expect(await act(cancelRecovery, id)).to.include({
      status: 'cancelled',
      missed: 0,
      waiting: 0,
    });
    expect(await act(cancelRecovery, id)).to.include({ status: 'cancelled' });
    expect(await refusalOf(act(resumeRecovery, id))).to.deep.equal(['recovery_ended']);
    expect(await step()).to.equal(undefined);
  });

  it('H149: a preview counts at most 10,000 events, and says where to continue', async () => {
    await test.query(
      `insert into event (id, account_id, type, version, subject, test, body, occurred_at, created_at)
       select left($2, 12) || lpad(i::text, 16, '0'), $1, $3, 'v1', 's', false, '{}', now(), now() - interval '1 hour'
         from generate_series(1, 10001) i`,
      [account, (await pastEvents(1))[0], eventType],
    );

    const preview = await previewRecovery(database.read, account, {
      endpointId: endpoint,
      what: 'both',
    });

    expect(preview).to.include({
      complete: false,
      failed: 0,
      missed: 10_000,
      estimatedSeconds: 200,
    });
  });

  it('H147: deletes a recovery 40 days after its end, and cancels it after 30 days of pause', async () => {
    const { id } = await start();
    await test.query(
      `update recovery set status = 'paused', updated_at = now() - interval '31 days'`,
    );
    await database.transact((tx) => purgeRecoveries(tx, 100));
    expect(await getRecovery(database.read, account, id)).to.include({
      status: 'cancelled',
      reason: 'expired',
    });
    await test.query(`update recovery set ended_at = now() - interval '41 days'`);
    await database.transact((tx) => purgeRecoveries(tx, 100));
    expect(await test.query('select from recovery')).to.deep.equal([]);
  });
});

describe('what a recovery sends', () => {
  let fixture: RecoveryFixture;

  before(async () => {
    fixture = await RecoveryFixture.create();
  });
  after(() => fixture.test.drop());
  beforeEach(() => fixture.reset());

  it('H143: a recovery sends failed and missed events, in the order of events', async () => {
    const missed = await fixture.past({ agoMs: 50_000_000 });
    const failed = await fixture.past({ agoMs: 40_000_000 });
    const [, abandoned] = await fixture.records(failed, 'failed', 'abandoned');
    const later = await fixture.past({ agoMs: 30_000_000 });
    const id = await fixture.start();
    expect(await fixture.step()).to.deep.equal({ recoveryId: id, failed: 1, missed: 2 });

    expect(await fixture.added()).to.deep.equal([
      { event: missed, from: null },
      { event: failed, from: abandoned },
      { event: later, from: null },
    ]);

    const claims = await claimAll(fixture.database.read, { lane: 'recovery' });
    expect(claims.map(({ event }) => event.id)).to.have.members([missed, failed, later]);
    expect(claims[0]).to.include({ attempt: 1, maxAttempts: 10 });
  });

  it('H143: a recovery leaves out events that were delivered, pending, tests or for one endpoint alone', async () => {
    await fixture.records(await fixture.past(), 'failed', 'success');
    await fixture.records(await fixture.past(), 'success', 'abandoned');
    await fixture.past({ test: true });
    await fixture.past({ endpointId: fixture.endpoint });
    await fixture.past({ type: 'invoice.issued' });

    const pending = await fixture.past();
    await fixture.records(pending, 'failed');

    await fixture.test.query(
      `insert into pending_delivery (id, account_id, endpoint_id, event_id, event_type, lane, ready,
                                     due_at, attempt, max_attempts, test, created_at)
       values ('pdl_1', $1, $2, $3, $4, 'live', false, now() + interval '1 day', 2, 10, false, now())`,
      [fixture.account, fixture.endpoint, pending, eventType],
    );

    await fixture.start();
    expect(await fixture.step()).to.include({ failed: 0, missed: 0 });
  });

  it('H143: a recovery sends only events of its range and kind', async () => {
    const missed = await fixture.past();
    const failed = await fixture.past();
    await fixture.records(failed, 'abandoned');
    await fixture.start({ what: 'failed' });
    await fixture.step();
    expect(await fixture.addedEvents()).to.deep.equal([failed]);
    await fixture.test.query('truncate recovery, pending_delivery');
    await fixture.start({ what: 'missed' });
    await fixture.step();
    expect(await fixture.addedEvents()).to.deep.equal([missed]);
    await fixture.test.query('truncate recovery, pending_delivery');
    await fixture.start({ since: new Date(Date.now() - 1_800_000) });
    await fixture.step();
    expect(await fixture.addedEvents()).to.deep.equal([]);
  });

  it('H144: a recovery leaves out missed events from before the subscription, unless they are requested', async () => {
    const before = await fixture.past({ agoMs: 7_200_000 });
    const after = await fixture.past();

    await fixture.test.query(
      `update endpoint set subscribed_since = jsonb_build_object($1::text, now() - interval '90 minutes')`,
      [eventType],
    );

    await fixture.start();
    await fixture.step();
    expect(await fixture.addedEvents()).to.deep.equal([after]);
    await fixture.test.query('truncate recovery, pending_delivery');
    await fixture.start({ includeBefore: true });
    await fixture.step();
    expect(await fixture.addedEvents()).to.deep.equal([before, after]);
  });

  it('H143: a recovery leaves an event to a replay that began meanwhile', async () => {
    const event = await fixture.past();
    const [record] = await fixture.records(event, 'abandoned');
    await fixture.start();
    await fixture.database.transact((tx) => startReplay(tx, fixture.account, record!));
    expect(await fixture.step()).to.include({ failed: 0 });
    expect(await fixture.added()).to.deep.equal([]);
  });

  it('H296: a recovery sends what matches the filter of today, whatever the filter was', async () => {
    const matching = await fixture.past({ agoMs: 500_000 });
    const failed = await fixture.past({ agoMs: 400_000 });
    await fixture.past({ agoMs: 300_000 });
    const last = await fixture.past({ agoMs: 200_000 });
    await fixture.records(failed, 'abandoned');
    const body = (n: number, id: string) =>
      fixture.test.query(`update event set body = convert_to($1, 'UTF8') where id = $2`, [
        JSON.stringify({ data: { n } }),
        id,
      ]);
    for (const id of [matching, last]) await body(1, id);
    await fixture.test.query(
      `update endpoint set filter_path = 'strict exists($ ? (@."data"."n" == 1))'`,
    );

    await fixture.start();
    await fixture.step();
    expect(await fixture.addedEvents()).to.deep.equal([matching, last]);
  });

  it('H296: a step reads at most 8 MiB of bodies for a filter, and the next one goes on', async () => {
    const large = JSON.stringify({ data: { n: 1, pad: 'x'.repeat(255 * 1_024) } });
    const ids = [];
    for (let place = 0; place < 40; place += 1)
      ids.push(await fixture.past({ agoMs: 3_600_000 - 10 * place }));
    await fixture.test.query(`update event set body = convert_to($1, 'UTF8')`, [large]);
    await fixture.test.query(
      `update endpoint set filter_path = 'strict exists($ ? (@."data"."n" == 1))'`,
    );

    const range = { endpointId: fixture.endpoint, what: 'both', ratePerSecond: 200 } as const;
    const preview = await previewRecovery(fixture.database.read, fixture.account, range);
    expect(preview).to.include({ missed: 31, complete: false });

    await fixture.start();
    expect(await fixture.step()).to.include({ missed: 31 });
    expect(await fixture.step()).to.include({ missed: 9 });
    expect(await fixture.addedEvents()).to.deep.equal(ids);
  });

  it('H144: a recovery sends nothing that was published to all active endpoints', async () => {
    await fixture.database.transact((tx) =>
      publishEvent(tx, fixture.account, { type: eventType, subject: 's', data: {} }),
    );
    await fixture.start();
    await fixture.step();
    expect(await fixture.added()).to.deep.equal([]);
  });
});

describe('a step of a recovery', () => {
  let fixture: RecoveryFixture;

  before(async () => {
    fixture = await RecoveryFixture.create();
  });
  after(() => fixture.test.drop());
  beforeEach(() => fixture.reset());

  const accept = async () => {
    const claims = await claimAll(fixture.database.read, { lane: 'recovery' });
    const ended = claims.map((claim) => end(claim, outcomes.ok));
    await fixture.database.transact((tx) => recordResults(tx, ended));
    return claims.map(({ event }) => event.id);
  };

  it('H145: a step continues after the last event of the step before, until it has read all', async () => {
    const events = [];
    for (let count = 0; count < 5; count += 1)
      events.push(await fixture.past({ agoMs: 3_600_000 - count }));

    const id = await fixture.start({ ratePerSecond: 2, until: new Date(Date.now() - 120_000) });
    await fixture.step();
    expect(await fixture.addedEvents()).to.deep.equal(events.slice(0, 2));

    expect(await getRecovery(fixture.database.read, fixture.account, id)).to.include({
      status: 'running',
      failed: 0,
      missed: 2,
      waiting: 2,
    });

    const sent = [...(await accept())];
    await fixture.step();
    sent.push(...(await accept()));
    await fixture.step();
    sent.push(...(await accept()));
    expect(sent).to.deep.equal(events);
    await fixture.step();

    expect(await getRecovery(fixture.database.read, fixture.account, id)).to.include({
      status: 'completed',
      missed: 5,
      waiting: 0,
    });

    expect(await fixture.step()).to.equal(undefined);
  });

  it('H185: a step adds deliveries with the bytes of their events', async () => {
    const id = await fixture.past();
    await fixture.start();
    await fixture.step();
    expect(
      await fixture.test.query(
        `select c.event_id as id, c.body_bytes = octet_length(v.body) as counted
           from pending_delivery c join event v on v.id = c.event_id`,
      ),
    ).to.deep.equal([{ id, counted: true }]);
  });

  it('H145: a step whose transaction fails adds nothing and moves no position', async () => {
    const event = await fixture.past();
    const id = await fixture.start();
    const { position } = await getRecovery(fixture.database.read, fixture.account, id);
    const failing: Database['transact'] = (work, options) =>
      fixture.database.transact(async (tx) => {
        await work(tx);
        throw new Error('the connection broke');
      }, options);

    await fixture.test.query(
      `update recovery set next_step_at = now() - interval '1 second', credited_at = now() - interval '1 hour'`,
    );

    let error: unknown;
    await runRecoveryStep(failing).catch((thrown: unknown) => (error = thrown));
    expect(String(error)).to.include('the connection broke');
    expect(await fixture.added()).to.deep.equal([]);
    expect((await getRecovery(fixture.database.read, fixture.account, id)).position).to.deep.equal(
      position,
    );
    await fixture.step();
    expect(await fixture.addedEvents()).to.deep.equal([event]);
  });

  it('H145: one process at a time runs a step', async () => {
    for (let count = 0; count < 50; count += 1) await fixture.past({ agoMs: 3_600_000 - count });
    await fixture.start();
    await fixture.test.query(
      `update recovery set next_step_at = now() - interval '1 second', credited_at = now() - interval '1 hour'`,
    );
    await Promise.all([1, 2, 3, 4].map(() => runRecoveryStep(fixture.database.transact)));
    expect(new Set(await fixture.addedEvents()).size).to.equal(50);
    expect(await fixture.added()).to.have.length(50);
  });

  it('H148: pausing takes back no delivery from before the range', async () => {
    const early = await fixture.past({ agoMs: 7_200_000 });
    const late = await fixture.past({ agoMs: 3_600_000 });
    const between = new Date(Date.now() - 5_400_000);
    await fixture.start({ until: between });
    await fixture.step();

    // What a worker had claimed stays when a recovery is cancelled, and is claimed again.
    await fixture.test.query(`update recovery set status = 'cancelled', ended_at = now()`);

    const until = new Date(Date.now() - 120_000);
    const id = await fixture.start({ since: between, until, idempotencyKey: 'next' });

    await fixture.step();
    expect(await fixture.addedEvents()).to.have.members([early, late]);

    const paused = await fixture.database.transact((tx) => pauseRecovery(tx, fixture.account, id));
    expect(paused).to.include({ missed: 0 });
    expect(paused.position).to.be.at.least(between);
    expect(await fixture.addedEvents()).to.deep.equal([early]);
  });

  it('H146: a step waits for a failing endpoint, and pauses when the endpoint is not active', async () => {
    await fixture.past();

    const id = await fixture.start();
    const state = () => getRecovery(fixture.database.read, fixture.account, id);

    await fixture.test.query('update endpoint set failing_since = now(), failure_count = 1');
    await fixture.test.query(
      `update recovery set next_step_at = now() - interval '1 second', credited_at = now()`,
    );
    await runRecoveryStep(fixture.database.transact);
    expect(await state()).to.include({ status: 'running', waitsFor: 'endpoint_failing' });
    await fixture.test.query('update endpoint set active = false');
    await fixture.step();
    expect(await state()).to.include({ status: 'paused', reason: 'endpoint_inactive' });
    await fixture.test.query(`update recovery set status = 'running'`);
    await fixture.test.query('update endpoint set deleted_at = now()');
    await fixture.step();
    expect(await state()).to.include({ status: 'cancelled', reason: 'endpoint_deleted' });
    expect(await fixture.added()).to.deep.equal([]);
  });
});

describe('the progress of a recovery', () => {
  let test: TestDatabase;
  let database: Database;
  let account: string;
  let id: string;

  before(async () => {
    test = await createTestDatabase();
    database = await test.open({ pool: 4 });
    account = await insertAccount(test);

    const endpointId = await insertEndpoint(test, account, `created_at = now() - interval '1 day'`);
    for (let place = 0; place < 6; place += 1) await insertPastEvent(test, account);

    const input = { endpointId, what: 'both' as const, idempotencyKey: 'key', ratePerSecond: 200 };
    ({ id } = await database.transact((tx) =>
      startRecovery(tx, account, { ...input, until: new Date(Date.now() - 120_000) }),
    ));
    await test.query(
      `update recovery set next_step_at = now(), credited_at = now() - interval '1 hour'`,
    );
    await runRecoveryStep(database.transact);
  });

  after(() => test.drop());

  const progress = async () => {
    const { missed, waiting, delivered, retrying, abandoned } = await getRecovery(
      database.read,
      account,
      id,
    );
    return { missed, waiting, delivered, retrying, abandoned };
  };

  it('H145: the progress says what became of each delivery, even after a retry', async () => {
    const none = { missed: 6, waiting: 6, delivered: 0, retrying: 0, abandoned: 0 };
    expect(await progress()).to.deep.equal(none);

    const claims = await claimAll(database.read, { lane: 'recovery', slots: 5 });
    const [one, two, three, last, again] = claims;
    await recordBatch(database, [
      ...[one!, two!].map((claim) => end(claim, outcomes.ok)),
      end(three!, outcomes.down),
      end({ ...last!, attempt: 10 }, outcomes.down),
      end(again!, outcomes.down),
    ]);

    const some = { missed: 6, waiting: 1, delivered: 2, retrying: 2, abandoned: 1 };
    expect(await progress()).to.deep.equal(some);
    await test.query(`update pending_delivery set due_at = now(), ready = true where id = $1`, [
      again!.pendingDeliveryId,
    ]);

    const retried = await claimAll(database.read);
    await recordBatch(
      database,
      retried.map((claim) => end(claim, outcomes.ok)),
    );

    expect(await progress()).to.deep.equal({ ...some, delivered: 3, retrying: 1 });
  });

  it('H145: the progress counts a cancelled delivery as abandoned if it failed, and not at all if it was never sent', async () => {
    const [endpoint] = await test.query<{ id: string }>(
      'update endpoint set active = false returning id',
    );
    await database.transact((tx) => cancelPendingDeliveries(tx, [endpoint!.id]));
    const done = { missed: 5, waiting: 0, delivered: 3, retrying: 0, abandoned: 2 };
    expect(await progress()).to.deep.equal(done);
    const { data } = await listRecoveries(database.read, account, { limit: 20 });
    expect(data.map(({ delivered }) => delivered)).to.deep.equal([3]);
  });
});
