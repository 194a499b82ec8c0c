import { expect } from 'chai';
import { fetch } from 'undici';
import { after as later, answer, type Behaviour } from '../support/behaviours.js';
import { eventually } from '../support/eventually.js';
import { type EventStream, openEventStream } from '../support/event-stream.js';
import { describeOnQueues, type TestQueue } from '../support/queue-backends.js';
import { FaultInjection } from '../support/fault-injection.js';
import { shortened } from '../support/long-run.js';
import { preloaded } from '../support/preloaded.js';
import type { WorkerProcess } from '../support/service.js';

const neighbours = 12;
const inFlight = 5;
/** Crashes beside others before isolation, and crashes in isolation before it is dead-lettered. */
const limit = 3;

/** How sending it ends the process. */
const ends: readonly {
  readonly does: string;
  readonly signal: NodeJS.Signals;
  readonly environment?: Readonly<Record<string, string>>;
}[] = [
  { does: 'kills its worker', signal: 'SIGKILL' },
  {
    does: 'causes an uncaught exception in its worker',
    signal: 'SIGUSR2',
    environment: preloaded('preload-throwing'),
  },
];

for (const { does, signal, environment } of shortened(ends, 1)) {
  describeOnQueues(`an event whose delivery ${does}`, (create) => {
    let queue: TestQueue;
    let stream: EventStream;
    const { times, limitMs } = new FaultInjection('worker ended by an event');

    before(async () => {
      queue = await create();
      stream = await openEventStream(queue, {
        WORKER_ENDPOINT_CONCURRENCY: String(inFlight),
        WEBHOOKS_TIMEOUT: '15s',
        ...environment,
      });
    });

    after(async () => {
      await stream.drop();
      await queue.drop();
    });

    it('dead-letters the event after three crashes among others and three in isolation, and no other event', async function () {
      this.timeout(limitMs);

      let poison = '';
      let open = 0;
      const beside: number[] = [];
      let arrived = false;
      let worker: Promise<WorkerProcess> | undefined;
      const kills: Behaviour = async () => {
        arrived = true;
        const begun = await worker;
        // The first one dies with neighbours that wait for their answers.
        if (beside.length === 0) {
          await eventually(() => expect(open).to.be.greaterThan(0), 'a neighbour is in flight');
        }
        beside.push(open);
        await begun?.end(signal);
      };

      const takes = later(30, answer(200));
      const counted: Behaviour = async (request, response) => {
        open += 1;
        request.socket.once('close', () => (open = 0));
        if (arrived && beside.length === 0) return;
        await takes(request, response);
        open = Math.max(0, open - 1);
      };

      stream.receiver.choose(({ headers }) => (headers['webhook-id'] === poison ? kills : counted));

      for (let count = 0; count < neighbours; count += 1) {
        if (count === 4) poison = await stream.publish();
        await stream.publish();
      }

      // It sends nothing. It ends the leases of dead workers, which a worker that has just started does not do at first.
      const poller = await stream.startWorker({ WORKER_ROLES: 'notify' });

      // Every crash takes seconds, so a short run starts as if some had already happened.
      await stream.database.query('update pending_delivery set interruptions = $1', [
        limit - times,
      ]);

      for (let crash = 1; crash <= times + limit; crash += 1) {
        worker = stream.startWorker();
        await eventually(
          async () => expect((await worker)?.running).to.equal(false),
          `crash ${crash}`,
        );
        await stream.endLeases();
      }

      const survivor = await stream.startWorker();
      await stream.publish();
      await stream.close(`an event that ${does}`, { injected: times + limit, deadLettered: 1 });

      expect(beside).to.have.length(times + limit);
      expect(beside.slice(times), 'in flight beside it in the end').to.deep.equal([0, 0, 0]);
      expect(
        stream.receiver.requests.filter(({ headers }) => headers['webhook-id'] === poison),
      ).to.have.length(times + limit);
      expect(Math.max(...sendings(poison)), 'of a neighbour').to.be.at.most(1 + times);
      expect(await deadLetteredEvents()).to.deep.equal([poison]);
      expect(await metric(survivor, 'signalpost_dead_letters')).to.equal(1);

      const logLine = [...poller.lines, ...survivor.lines].find((line) =>
        line.includes('dead-lettered'),
      );
      expect(logLine).to.include('"level":50');
      expect(survivor.running).to.equal(true);
      expect(await survivor.end()).to.equal(0);
    });

    /** How often each event but `poison` was sent. */
    const sendings = (poison: string) => {
      const counts = new Map<string, number>();
      for (const { headers } of stream.receiver.requests) {
        const id = headers['webhook-id'] ?? '';
        if (id !== poison) counts.set(id, (counts.get(id) ?? 0) + 1);
      }
      return [...counts.values()];
    };

    const deadLetteredEvents = async () => {
      const rows = await stream.database.query<{ id: string }>(
        'select event_id as id from pending_delivery where dead_letter_reason is not null',
      );
      return rows.map(({ id }) => id);
    };
  });
}

async function metric(worker: WorkerProcess, name: string): Promise<number> {
  const text = await (await fetch(`${worker.healthUrl}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
}
