import { expect } from 'chai';
import type { Database } from '../../../../src/database/database.js';
import { recordResults } from '../../../../src/domain/delivery/recording.js';
import { pauseRecovery } from '../../../../src/domain/recovery/change-recovery.js';
import { getRecovery } from '../../../../src/domain/recovery/recoveries.js';
import { runRecoveryStep } from '../../../../src/domain/recovery/run-step.js';
import { claimAll, end, outcomes } from '../../../support/engine.js';
import { RecoveryFixture } from './fixture.js';

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

  it('H145: continues after the last event of the step before, until it has read all', async () => {
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

  it('H185: adds deliveries with the bytes of their events', async () => {
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

  it('H145: adds nothing and stays where it is when its transaction fails', async () => {
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

  it('H145: is taken by one process at a time', async () => {
    for (let count = 0; count < 50; count += 1) await fixture.past({ agoMs: 3_600_000 - count });
    await fixture.start();
    await fixture.test.query(
      `update recovery set next_step_at = now() - interval '1 second', credited_at = now() - interval '1 hour'`,
    );
    await Promise.all([1, 2, 3, 4].map(() => runRecoveryStep(fixture.database.transact)));
    expect(new Set(await fixture.addedEvents()).size).to.equal(50);
    expect(await fixture.added()).to.have.length(50);
  });

  it('H148: a pause takes back nothing from before the range', async () => {
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

  it('H146: waits for a failing endpoint, and pauses with one that is not active', async () => {
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
