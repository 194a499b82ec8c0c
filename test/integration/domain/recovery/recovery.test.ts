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
import { purgeRecoveries, getRecovery } from '../../../../src/domain/recovery/recoveries.js';
import type { RecoveryInput } from '../../../../src/domain/recovery/recovery-input.js';
import { runRecoveryStep } from '../../../../src/domain/recovery/run-step.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import {
  claimAll,
  emptyEngine,
  eventType,
  insertAccount,
  insertEndpoint,
} from '../../../support/engine.js';
import { insertPastEvent } from '../../../support/recoveries.js';

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

  it('H147: refuses what it cannot cover, naming the field', async () => {
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

  it('H147: is one when it is started twice at the same moment', async () => {
    const started = await Promise.all([1, 2, 3].map(() => start()));
    expect(new Set(started.map(({ id }) => id)).size).to.equal(1);
  });

  it('H147: five of an account are active at most', async () => {
    for (let count = 0; count < 5; count += 1) {
      const endpointId = await insertEndpoint(test, account);
      await start({ endpointId, idempotencyKey: `key ${count}` });
    }
    expect(await refusalOf(start())).to.deep.equal(['recovery_limit_reached']);
    await test.query(`update recovery set status = 'completed', ended_at = now()`);
    await start();
  });

  it('H148: takes back what no worker has claimed when it pauses, and sends it later', async () => {
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

  it('H148: begins again after its endpoint was disabled, and repeats nothing that is pending', async () => {
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

  it('H148: takes back the rest when it is cancelled, and never runs again', async () => {
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

  it('H149: counts at most 10,000 events, and says where to continue', async () => {
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

  it('H147: is deleted 40 days after its end, and cancelled after 30 days of pause', async () => {
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
