import { expect } from 'chai';
import type { Database } from '../../../../src/database/database.js';
import { engineServerSettings } from '../../../../src/domain/delivery/claim.js';
import { aloneAsked, listParked, releaseParked } from '../../../../src/domain/delivery/parked.js';
import { promoteDue } from '../../../../src/domain/delivery/promote.js';
import { deferClaim, releaseClaims } from '../../../../src/domain/delivery/release.js';
import { beginReplay } from '../../../../src/domain/delivery/replay.js';
import { settle } from '../../../../src/domain/delivery/settle.js';
import { DomainError } from '../../../../src/domain/errors.js';
import { publishEvent } from '../../../../src/domain/event/publish.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import {
  arrangeAccount,
  arrangeEndpoint,
  claimAll,
  emptyEngine,
  end,
  endLeases,
  eventType,
  outcomes,
} from '../../../support/engine.js';

describe('chains that processes die with', () => {
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
    account = await arrangeAccount(testDatabase);
    await arrangeEndpoint(testDatabase, account);
    await database.transact((tx) =>
      publishEvent(tx, account, { type: eventType, subject: 's', data: {} }),
    );
  });

  /** Whoever claimed in `lane` dies; the lease ends. */
  const interrupt = async (lane: 'live' | 'replay' | 'alone') => {
    const claims = await claimAll(database.read, { lane });
    expect(claims, lane).to.have.length(1);
    await endLeases(testDatabase);
    return promoteDue(database.read);
  };
  const untilAlone = async () => {
    expect(await interrupt('live')).to.include({ live: 1, interrupted: 1 });
    expect(await interrupt('live')).to.include({ live: 1, alone: 0 });
    expect(await interrupt('live')).to.include({ live: 0, alone: 1 });
  };
  const untilParked = async () => {
    await untilAlone();
    await interrupt('alone');
    expect(await interrupt('alone')).to.deep.include({ alone: 1, parked: [] });
    return interrupt('alone');
  };
  const claimAlone = () => claimAll(database.read, { lane: 'alone' });

  it('run alone after three interruptions, and only there', async () => {
    expect(await aloneAsked(database.read)).to.equal(false);
    await untilAlone();
    expect(await aloneAsked(database.read)).to.equal(true);
    expect(await claimAll(database.read)).to.deep.equal([]);
    const [claim] = await claimAlone();
    await database.transact((tx) => settle(tx, [end(claim!, outcomes.down)]));
    await testDatabase.query(`update chain set due_at = now() - interval '1 second'`);
    expect(await promoteDue(database.read)).to.include({ live: 1, alone: 0, interrupted: 0 });
    expect(await interrupt('live'), 'a settlement begins the count anew').to.include({ live: 1 });
  });

  it('are not counted when they are given back or fail by a fault of ours', async () => {
    await untilAlone();
    for (let round = 0; round < 4; round += 1) {
      await releaseClaims(database.read, await claimAlone());
      const [claim] = await claimAlone();
      await deferClaim(database.read, claim!);
      expect(await aloneAsked(database.read), 'it waits for the end of the lease').to.equal(false);
      const [{ due }] = (await testDatabase.query(
        'select extract(epoch from due_at - now())::float8 as due from chain',
      )) as [{ due: number }];
      expect(due).to.be.within(50, 60);
      await testDatabase.query(`update chain set due_at = now() - interval '1 second'`);
      expect(await promoteDue(database.read)).to.include({ alone: 1, interrupted: 0 });
    }
    expect(await claimAlone()).to.have.length(1);
  });

  it('are parked after three more, with a reason, and nobody claims them', async () => {
    const { parked } = await untilParked();
    const [chain, ...others] = await listParked(database.read);
    expect(others).to.deep.equal([]);
    expect(parked).to.deep.equal([chain!.id]);
    expect(chain).to.include({ eventType, attempt: 1, replayedFrom: null });
    expect(chain!.reason).to.equal(
      'its claim ended without a result, 3 times while nothing else was sent',
    );
    await testDatabase.query(`update chain set due_at = now() - interval '1 day'`);
    expect(await promoteDue(database.read)).to.deep.include({ alone: 0, parked: [] });
    expect(await claimAlone()).to.deep.equal([]);
    expect(await aloneAsked(database.read)).to.equal(false);
  });

  it('run alone once more when an operator releases them', async () => {
    const { parked } = await untilParked();
    const id = parked[0]!;
    const release = () => database.transact((tx) => releaseParked(tx, id));
    await release();
    expect(await listParked(database.read)).to.deep.equal([]);
    expect(await claimAll(database.read)).to.deep.equal([]);
    const refused = await release().catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(DomainError).and.include({ code: 'not_found' });
    const [claim] = await claimAlone();
    await database.transact((tx) => settle(tx, [end(claim!, outcomes.ok)]));
    expect(await testDatabase.query('select status from delivery')).to.deep.equal([
      { status: 'success' },
    ]);
  });

  /** The code of the refusal to release it. */
  const refusal = (id: string) =>
    database
      .transact((tx) => releaseParked(tx, id))
      .then(
        () => 'released',
        (error: unknown) => (error instanceof DomainError ? error.code : error),
      );

  it('are not released when their event is past retention', async () => {
    const { parked } = await untilParked();
    await testDatabase.query('delete from event');
    expect(await refusal(parked[0]!)).to.equal('delivery_not_replayable');
    expect(await listParked(database.read)).to.have.length(1);
  });

  it('H76: are not released beside another replay of the same event and endpoint', async () => {
    const [claim] = await claimAll(database.read);
    await database.transact((tx) => settle(tx, [end(claim!, outcomes.ok)]));
    const [record] = await testDatabase.query<{ id: string }>('select id from delivery');
    const replay = () => database.transact((tx) => beginReplay(tx, account, record!.id));
    const { chainId } = await replay();
    await testDatabase.query(
      `update chain set ready = false, lane = 'alone', parked_reason = 'why'`,
    );
    await replay();
    expect(await refusal(chainId)).to.equal('delivery_in_progress');
    const [other] = await claimAll(database.read, { lane: 'replay' });
    await database.transact((tx) => settle(tx, [end(other!, outcomes.down)]));
    expect(await refusal(chainId)).to.equal('released');
  });

  it('H76: give the idempotency key of a replay back when they are parked', async () => {
    await testDatabase.query(`update chain set lane = 'replay', replayed_from = 'whd_x'`);
    await testDatabase.query(
      `insert into stored_response (account_id, key, fingerprint, chain_id, created_at)
       select account_id, 'k', '\\x00', id, now() from chain`,
    );
    const keys = () => testDatabase.query('select key from stored_response');
    for (const lane of ['replay', 'replay', 'replay', 'alone', 'alone'] as const) {
      await interrupt(lane);
    }
    expect(await keys()).to.have.length(1);
    await interrupt('alone');
    expect(await keys()).to.deep.equal([]);
  });
});
