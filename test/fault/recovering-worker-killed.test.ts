import { expect } from 'chai';
import { engineServerSettings } from '../../src/domain/delivery/claim.js';
import { getRecovery } from '../../src/domain/recovery/recoveries.js';
import { startRecovery } from '../../src/domain/recovery/change-recovery.js';
import { type EventStream, openEventStream } from '../support/event-stream.js';
import { FaultInjection } from '../support/fault-injection.js';
import { arrivals } from '../support/reconciliation.js';
import { onPostgres, type TestQueue } from '../support/queue-backends.js';
import { insertManyPastEvents } from '../support/recoveries.js';
import { seededRandom } from '../support/random.js';
import { eventually } from '../support/eventually.js';

/** Events that a recovery sends in about a second and a half. */
const perInjection = { abandoned: 350, missed: 35 };

// On one queue: recoveries send no wake-ups.
describe('a recovery whose workers are killed every second', function () {
  let queue: TestQueue;
  let stream: EventStream;

  before(async () => {
    queue = await onPostgres();
    stream = await openEventStream(queue, { WORKER_ROLES: 'replay,deliver' });
  });

  after(async () => {
    await stream.drop();
    await queue.drop();
  });

  it('H145: sends each event, and repeats at most what was in flight', async function () {
    const injection = new FaultInjection('recovering worker killed');
    this.timeout(injection.limitMs);

    const { times } = injection;
    const counts = {
      abandoned: perInjection.abandoned * times,
      missed: perInjection.missed * times,
    };
    const { seed, random } = seededRandom();
    const { account, database, receiver } = stream;
    const domain = await database.open({ serverSettings: engineServerSettings });
    const [endpoint] = await database.query<{ id: string }>(
      `update endpoint set created_at = now() - interval '1 day' returning id`,
    );
    const owner = { account, endpoint: endpoint!.id };
    const events = await insertManyPastEvents(database, owner, counts);

    await Promise.all([stream.startWorker(), stream.startWorker()]);

    const { id } = await domain.transact((tx) =>
      startRecovery(tx, account, {
        endpointId: owner.endpoint,
        what: 'both',
        ratePerSecond: 250,
        idempotencyKey: 'key',
        until: new Date(Date.now() - 600_000),
      }),
    );

    const state = () => getRecovery(domain.read, account, id);
    const starting: Promise<unknown>[] = [];
    let inFlight = 0;
    let killed = 0;
    await injection.repeat(async () => {
      const alive = await eventually(() => {
        const running = stream.workers.filter((worker) => worker.running);
        expect(running).not.to.deep.equal([]);
        return running;
      }, 'a worker is there to be killed');
      if ((await state()).status === 'running') killed += 1;
      await random.pick(alive).end('SIGKILL');
      const leased = await database.query(
        'select from pending_delivery where lease_token is not null',
      );
      inFlight += leased.length;
      starting.push(stream.startWorker());
    });

    await Promise.all(starting);

    await eventually(
      async () => expect(await state()).to.include({ status: 'completed' }),
      'the recovery is completed',
    );

    const { acked, lost, duplicates } = arrivals(events, receiver.requests);
    const { failed, missed } = await state();

    this.test!.title += ` (killed ${killed}, in flight ${inFlight}, repeated ${duplicates}, seed ${seed})`;

    expect({ acked, lost, failed, missed }).to.deep.equal({
      acked: counts.abandoned + counts.missed,
      lost: 0,
      failed: counts.abandoned,
      missed: counts.missed,
    });

    expect(duplicates).to.be.at.most(inFlight);
    expect(killed).to.be.above(times / 3);
  });
});
