import { expect } from 'chai';
import type { Database } from '../../../../src/database/database.js';
import { type Claim, engineServerSettings } from '../../../../src/domain/delivery/claim.js';
import { promoteDue } from '../../../../src/domain/delivery/promote.js';
import { recordBatch } from '../../../../src/domain/delivery/recording.js';
import { publishEvent } from '../../../../src/domain/event/publish.js';
import {
  claimOf,
  claimAll,
  emptyEngine,
  end,
  endLeases,
  eventType,
  insertAccount,
  insertEndpoint,
  outcomes,
  untilLockIsAwaited,
} from '../../../support/engine.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';

describe('recording pending deliveries at the places where they were claimed', () => {
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
      claims.map((each) => end(each, outcomes.ok)),
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
    it(`finds all of ${count} in one statement`, async () => {
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

      const ended = (await claim(40)).map((each) => end(each, outcomes.ok));
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

  it('finds those that were moved since by their ids', async () => {
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

  it('records each once when the transaction fails, and the batch is repeated', async () => {
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

  it('finds all by their ids after VACUUM FULL, which gives their places to others', async () => {
    const claims = await claim(6);
    const [first, ...others] = claims;
    await record([first!]);
    await testDatabase.query('vacuum full pending_delivery');
    const { recorded } = await record(others);
    expect(recorded).to.have.members(others.map(idOf));
    expect(await recordsOf()).to.deep.equal(claims.map(idOf).sort());
    expect(await left()).to.deep.equal([]);
  });

  it('leaves another pending delivery of the same claim that has the place', async () => {
    const [one, other] = await claim(2);
    const { recorded } = await record([{ ...one!, ctid: other!.ctid }]);
    expect(recorded).to.deep.equal([idOf(one!)]);
    expect(await recordsOf()).to.deep.equal([idOf(one!)]);
    expect(await left()).to.deep.equal([idOf(other!)]);
  });

  it('leaves what another claim has taken since, even at the same place', async () => {
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
    it(`${isRecorded ? 'records' : 'leaves'} what changes ${change} while it waits`, async () => {
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

  it('records none when one ends a run of failures, which needs a transaction', async () => {
    const [one] = await claim(1);
    await testDatabase.query('update endpoint set failing_since = now(), failure_count = 3');
    const failure = await record([one!], false).catch((error: unknown) => error);
    expect(failure).to.have.property('message', 'connection lost');
    expect(await recordsOf()).to.deep.equal([]);
    expect(await left()).to.deep.equal([idOf(one!)]);
  });
});
