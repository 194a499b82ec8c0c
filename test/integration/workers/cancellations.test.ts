import { expect } from 'chai';
import type { Database } from '../../../src/database/database.js';
import { engineServerSettings } from '../../../src/domain/delivery/claim.js';
import { Cancellations, cancellationStore } from '../../../workers/cancellations.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { insertAccount, insertEndpoint, eventType } from '../../support/engine.js';
import { eventually } from '../../support/eventually.js';

describe('cancellations', () => {
  let test: TestDatabase;
  let database: Database;
  let account: string;

  before(async () => {
    test = await createTestDatabase();
    database = await test.open({ pool: 4, serverSettings: engineServerSettings });
    account = await insertAccount(test);
  });

  after(() => test.drop());
  beforeEach(() => test.query('truncate pending_delivery, endpoint_secret, endpoint, notice'));

  /** An inactive endpoint with this many pending deliveries in the cancellation backlog. */
  const arrangePendingCancellation = async (count: number, changes = 'active = false') => {
    const id = await insertEndpoint(test, account, `${changes}, cancelling_since = updated_at`);
    await test.query(
      `insert into pending_delivery (id, account_id, endpoint_id, event_id, event_type, lane, ready, due_at,
                          attempt, max_attempts, test, created_at)
       select 'pdl_' || g || $2, $1, $2, 'evt_' || lpad(g::text, 8, '0'), $3, 'live', true, now(),
              1, 10, false, now()
         from generate_series(1, $4::int) g`,
      [account, id, eventType, count],
    );
    return id;
  };

  /** A pending delivery that no claim takes, because the endpoint is not subscribed to its type. */
  const arrangeStale = (id: string) =>
    test.query(
      `insert into pending_delivery (id, account_id, endpoint_id, event_id, event_type, lane, ready, due_at,
                          attempt, max_attempts, test, created_at)
       select 'pdl_' || gen_random_uuid(), $1, $2, 'evt_' || gen_random_uuid(), 'other.type', 'live',
              true, now(), 1, 10, false, now()`,
      [account, id],
    );

  const pendingDeliveriesOf = async (id: string) =>
    (await test.query('select from pending_delivery where endpoint_id = $1', [id])).length;
  const pendingCancellation = async () =>
    (await test.query('select from endpoint where cancelling_since is not null')).length;

  /** The store of a process that finds nothing stale. */
  const backlogOnly = () => ({
    ...cancellationStore(database),
    cancelStale: () => Promise.resolve({ cancelled: 0, next: '' }),
  });

  /** Cancels one step at a time. */
  const stepper = () => new Cancellations({ store: backlogOnly(), budgetMs: 0 });

  it('lets the first free process cancel the backlog, however long it is', async () => {
    const id = await arrangePendingCancellation(4_500);
    const processes = [1, 2].map(() => new Cancellations({ store: cancellationStore(database) }));
    let paid = 0;
    await eventually(async () => {
      const counts = await Promise.all(processes.map((canceller) => canceller.poll()));
      paid += counts.reduce((sum, count) => sum + count, 0);
      expect(await pendingDeliveriesOf(id)).to.equal(0);
      expect(await pendingCancellation()).to.equal(0);
    }, 'all are cancelled');
    expect(paid).to.equal(4_500);
  });

  it('takes endpoints in turn, so none waits for one that changes repeatedly', async () => {
    const busy = await arrangePendingCancellation(5_000);
    const other = await arrangePendingCancellation(1_500);
    expect([busy, other].sort()).to.deep.equal([busy, other]);

    const worker = stepper();
    for (let step = 1; step <= 5; step += 1) {
      await worker.poll();
      await test.query(
        `update endpoint set cancelling_since = cancelling_since + interval '1 second' where id = $1`,
        [busy],
      );
    }

    expect(await pendingDeliveriesOf(other)).to.equal(0);
    expect(await pendingCancellation(), 'the busy one').to.equal(1);
  });

  it('continues where it stopped, and restarts when the endpoint changes meanwhile', async () => {
    const id = await arrangePendingCancellation(2_500, `event_types = '{other.type}'`);
    const worker = stepper();
    await worker.poll();
    expect(await pendingDeliveriesOf(id)).to.equal(1_500);

    // Behind the place where it stopped: nothing but a new change makes it look there.
    await test.query(
      `update pending_delivery set event_id = 'evt_' where id = (select min(id) from pending_delivery)`,
    );
    await worker.poll();
    await test.query(
      `update endpoint set cancelling_since = cancelling_since + interval '1 millisecond'`,
    );
    while ((await pendingCancellation()) > 0) await worker.poll();
    expect(await pendingDeliveriesOf(id)).to.equal(0);
  });

  it('lets one process at a time cancel stale pending deliveries', async () => {
    const id = await insertEndpoint(test, account);
    await arrangeStale(id);
    const worker = new Cancellations({ store: cancellationStore(database) });
    await database.transact(async () => expect(await worker.poll()).to.equal(0), {
      lock: 5_418_127_730_063n,
    });
    const other = new Cancellations({ store: cancellationStore(database) });
    expect(await other.poll()).to.equal(1);
  });

  it('looks for stale pending deliveries in the first of five polls', async () => {
    const id = await insertEndpoint(test, account);
    const worker = new Cancellations({ store: cancellationStore(database) });
    const counts: number[] = [];
    for (let poll = 1; poll <= 6; poll += 1) {
      await arrangeStale(id);
      counts.push(await worker.poll());
    }
    expect(counts).to.deep.equal([1, 0, 0, 0, 0, 5]);
  });
});
