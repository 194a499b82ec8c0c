import { expect } from 'chai';
import { startReplay } from '../../../../src/domain/delivery/replay.js';
import { publishEvent } from '../../../../src/domain/event/publish.js';
import { claimAll, eventType } from '../../../support/engine.js';
import { RecoveryFixture } from './fixture.js';

describe('what a recovery sends', () => {
  let fixture: RecoveryFixture;

  before(async () => {
    fixture = await RecoveryFixture.create();
  });
  after(() => fixture.test.drop());
  beforeEach(() => fixture.reset());

  it('H143: adds what failed and what was missed, in the order of events', async () => {
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

  it('H143: leaves out what was delivered, is pending, is a test or was for one endpoint alone', async () => {
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

  it('H143: covers what was asked for', async () => {
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

  it('H144: leaves out missed events from before the subscription, unless they are asked for', async () => {
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

  it('H143: leaves an event to a replay that began meanwhile', async () => {
    const event = await fixture.past();
    const [record] = await fixture.records(event, 'abandoned');
    await fixture.start();
    await fixture.database.transact((tx) => startReplay(tx, fixture.account, record!));
    expect(await fixture.step()).to.include({ failed: 0 });
    expect(await fixture.added()).to.deep.equal([]);
  });

  it('H144: sends nothing that was published to all active endpoints', async () => {
    await fixture.database.transact((tx) =>
      publishEvent(tx, fixture.account, { type: eventType, subject: 's', data: {} }),
    );
    await fixture.start();
    await fixture.step();
    expect(await fixture.added()).to.deep.equal([]);
  });
});
