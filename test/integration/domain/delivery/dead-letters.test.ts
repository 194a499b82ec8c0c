import { expect } from 'chai';
import type { Database } from '../../../../src/database/database.js';
import { engineServerSettings } from '../../../../src/domain/delivery/claim.js';
import {
  listDeadLetters,
  releaseDeadLetter,
} from '../../../../src/domain/delivery/dead-letters.js';
import { hasIsolatedReady } from '../../../../src/domain/delivery/isolation.js';
import { promoteDue } from '../../../../src/domain/delivery/promote.js';
import { deferClaim, releaseClaims } from '../../../../src/domain/delivery/leases.js';
import { startReplay } from '../../../../src/domain/delivery/replay.js';
import { recordResults } from '../../../../src/domain/delivery/recording.js';
import { DomainError } from '../../../../src/domain/errors.js';
import { publishEvent } from '../../../../src/domain/event/publish.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import {
  insertAccount,
  insertEndpoint,
  claimAll,
  emptyEngine,
  end,
  endLeases,
  eventType,
  outcomes,
} from '../../../support/engine.js';

describe('isolation and dead letters', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  let account: string;

  before(async () => {
    testDatabase = await createTestDatabase();
    database = await testDatabase.open({ serverSettings: engineServerSettings });
  });

  after(() => testDatabase.drop());

  beforeEach(async () => {
    await emptyEngine(testDatabase);
    account = await insertAccount(testDatabase);
    await insertEndpoint(testDatabase, account);
    await database.transact((tx) =>
      publishEvent(tx, account, { type: eventType, subject: 's', data: {} }),
    );
  });

  /** The process that claimed in `lane` dies; the lease ends. */
  const interrupt = async (lane: 'live' | 'replay' | 'isolated') => {
    const claims = await claimAll(database.read, { lane });
    expect(claims, lane).to.have.length(1);
    await endLeases(testDatabase);
    return promoteDue(database.read);
  };

  const untilIsolated = async () => {
    expect(await interrupt('live')).to.include({ live: 1, interrupted: 1 });
    expect(await interrupt('live')).to.include({ live: 1, isolated: 0 });
    expect(await interrupt('live')).to.include({ live: 0, isolated: 1 });
  };

  const untilDeadLettered = async () => {
    await untilIsolated();
    await interrupt('isolated');
    expect(await interrupt('isolated')).to.deep.include({ isolated: 1, deadLettered: [] });
    return interrupt('isolated');
  };

  const claimIsolated = () => claimAll(database.read, { lane: 'isolated' });

  it('sends a pending delivery only in isolation after three interruptions', async () => {
    expect(await hasIsolatedReady(database.read)).to.equal(false);
    await untilIsolated();
    expect(await hasIsolatedReady(database.read)).to.equal(true);
    expect(await claimAll(database.read)).to.deep.equal([]);
    const [claim] = await claimIsolated();
    await database.transact((tx) => recordResults(tx, [end(claim!, outcomes.down)]));
    await testDatabase.query(`update pending_delivery set due_at = now() - interval '1 second'`);
    expect(await promoteDue(database.read)).to.include({ live: 1, isolated: 0, interrupted: 0 });
    expect(await interrupt('live'), 'a recorded result resets the count').to.include({ live: 1 });
  });

  it('does not count released claims and internal errors as interruptions', async () => {
    await untilIsolated();

    for (let round = 0; round < 4; round += 1) {
      await releaseClaims(database.read, await claimIsolated());

      const [claim] = await claimIsolated();
      await deferClaim(database.read, claim!);
      expect(await hasIsolatedReady(database.read), 'it waits for the end of the lease').to.equal(
        false,
      );

      const [{ due }] = (await testDatabase.query(
        'select extract(epoch from due_at - now())::float8 as due from pending_delivery',
      )) as [{ due: number }];
      expect(due).to.be.within(50, 60);
      await testDatabase.query(`update pending_delivery set due_at = now() - interval '1 second'`);
      expect(await promoteDue(database.read)).to.include({ isolated: 1, interrupted: 0 });
    }

    expect(await claimIsolated()).to.have.length(1);
  });

  it('defers all ready pending deliveries of an endpoint that gets nothing, except those that others have claimed', async () => {
    await insertEndpoint(testDatabase, account);

    for (let count = 0; count < 3; count += 1) {
      await database.transact((tx) =>
        publishEvent(tx, account, { type: eventType, subject: 's', data: {} }),
      );
    }

    const claims = await claimAll(database.read, { perEndpoint: 2 });
    const [held, claim] = claims.filter(({ endpointId }) => endpointId === claims[0]!.endpointId);
    await releaseClaims(
      database.read,
      claims.filter(({ endpointId }) => endpointId !== held!.endpointId),
    );

    await deferClaim(database.read, claim!, { lane: 'live', waitMs: 86_400_000 });

    const rows = await testDatabase.query<{ id: string; own: boolean; waits: boolean }>(
      `select id, endpoint_id = $1 as own, not ready and due_at > now() + interval '12 hours' as waits
         from pending_delivery`,
      [claim!.endpointId],
    );

    const free = rows.filter(({ id }) => id !== held!.pendingDeliveryId);
    expect(free.map(({ own }) => own)).to.include.members([true, false]);
    expect(free.map(({ waits }) => waits)).to.eql(free.map(({ own }) => own));
    expect(rows.find(({ id }) => id === held!.pendingDeliveryId)?.waits).to.equal(false);
    expect((await claimAll(database.read)).map(({ endpointId }) => endpointId)).not.to.include(
      claim!.endpointId,
    );
  });

  it('dead-letters a pending delivery after three interruptions in isolation, with a reason, and never claims it again', async () => {
    const { deadLettered } = await untilDeadLettered();
    const [pending, ...others] = await listDeadLetters(database.read);
    expect(others).to.deep.equal([]);
    expect(deadLettered).to.deep.equal([pending!.id]);
    expect(pending).to.include({ eventType, attempt: 1, replayedFrom: null });
    expect(pending!.reason).to.equal('its claims ended without a result, 3 times in isolation');
    await testDatabase.query(`update pending_delivery set due_at = now() - interval '1 day'`);
    expect(await promoteDue(database.read)).to.deep.include({ isolated: 0, deadLettered: [] });
    expect(await claimIsolated()).to.deep.equal([]);
    expect(await hasIsolatedReady(database.read)).to.equal(false);
  });

  it('sends a dead letter in isolation again when an operator releases it', async () => {
    const { deadLettered } = await untilDeadLettered();
    const id = deadLettered[0]!;
    const release = () => database.transact((tx) => releaseDeadLetter(tx, id));
    await release();
    expect(await listDeadLetters(database.read)).to.deep.equal([]);
    expect(await claimAll(database.read)).to.deep.equal([]);

    const refused = await release().catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(DomainError).and.include({ code: 'not_found' });

    const [claim] = await claimIsolated();
    await database.transact((tx) => recordResults(tx, [end(claim!, outcomes.ok)]));
    expect(await testDatabase.query('select status from delivery')).to.deep.equal([
      { status: 'success' },
    ]);
  });

  /** The code of the refusal to release it. */
  const refusal = (id: string) =>
    database
      .transact((tx) => releaseDeadLetter(tx, id))
      .then(
        () => 'released',
        (error: unknown) => (error instanceof DomainError ? error.code : error),
      );

  it('refuses to release a dead letter whose event is past retention', async () => {
    const { deadLettered } = await untilDeadLettered();
    await testDatabase.query('delete from event');
    expect(await refusal(deadLettered[0]!)).to.equal('delivery_not_replayable');
    expect(await listDeadLetters(database.read)).to.have.length(1);
  });

  it('H76: refuses to release a dead letter while its event is replayed to its endpoint', async () => {
    const [claim] = await claimAll(database.read);
    await database.transact((tx) => recordResults(tx, [end(claim!, outcomes.ok)]));

    const [record] = await testDatabase.query<{ id: string }>('select id from delivery');
    const replay = () => database.transact((tx) => startReplay(tx, account, record!.id));
    const { pendingDeliveryId } = await replay();

    await testDatabase.query(
      `update pending_delivery set ready = false, lane = 'isolated', dead_letter_reason = 'why'`,
    );
    await replay();
    expect(await refusal(pendingDeliveryId)).to.equal('delivery_in_progress');

    const [other] = await claimAll(database.read, { lane: 'replay' });
    await database.transact((tx) => recordResults(tx, [end(other!, outcomes.down)]));
    expect(await refusal(pendingDeliveryId)).to.equal('released');
  });

  it('H76: releases the idempotency key of a replay that is dead-lettered', async () => {
    await testDatabase.query(
      `update pending_delivery set lane = 'replay', replayed_from = 'whd_x'`,
    );

    await testDatabase.query(
      `insert into idempotency_record (account_id, key, fingerprint, pending_delivery_id, created_at)
       select account_id, 'k', '\\x00', id, now() from pending_delivery`,
    );

    const keys = () => testDatabase.query('select key from idempotency_record');

    for (const lane of ['replay', 'replay', 'replay', 'isolated', 'isolated'] as const) {
      await interrupt(lane);
    }

    expect(await keys()).to.have.length(1);
    await interrupt('isolated');
    expect(await keys()).to.deep.equal([]);
  });
});
