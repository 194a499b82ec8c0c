import type { Database } from '../../src/database/database.js';
import { publishEvent } from '../../src/domain/event/publish.js';
import { createWaker, type Waker } from '../../src/queue/queues.js';
import { atIntervals } from './at-intervals.js';
import { createTestDatabase, type TestDatabase } from './database.js';
import { insertAccount, insertEndpoint, endLeases, eventType } from './engine.js';
import { type Receiver, startReceiver } from './receiver.js';
import type { TestQueue } from './queue-backends.js';
import { reconcile, type Reconciliation, type ReconciliationOptions } from './reconciliation.js';
import { startWorker, type WorkerProcess } from './worker.js';

/** A stream of events to one receiver, and the account of what came of it. */
export interface EventStream {
  readonly database: TestDatabase;
  /** The account whose events they are. */
  readonly account: string;
  readonly receiver: Receiver;
  readonly workers: WorkerProcess[];
  /** Starts one more worker process; `more` goes to it alone. */
  startWorker(more?: Readonly<Record<string, string>>): Promise<WorkerProcess>;
  /** Publishes one event and returns its id; acknowledged when this resolves. */
  publish(): Promise<string>;
  /** Publishes up to 100 events a second until `done` resolves. */
  publishUntil(done: Promise<unknown>): Promise<void>;
  /** Ends the leases of all claims and the turn to run alone, as if their time had passed; for when nobody alive holds one. */
  endLeases(): Promise<void>;
  /** Reckons with everything acknowledged so far. @see reckon */
  close(title: string, options?: ReconciliationOptions): Promise<Reconciliation>;
  drop(): Promise<void>;
}

/** Opens a ledger on this queue; `environment` goes to the workers. */
export async function openEventStream(
  queue: TestQueue,
  environment: Readonly<Record<string, string>> = {},
): Promise<EventStream> {
  const database = queue.database ?? (await createTestDatabase());
  const waker: Waker = createWaker({ ...queue, onError: () => undefined });
  const domain: Database = await database.open({ wake: waker.wake });
  const account = await insertAccount(database);
  const receiver = await startReceiver();
  await insertEndpoint(database, account, `url = '${receiver.url('/hook')}'`);
  const acked = new Set<string>();
  const workers: WorkerProcess[] = [];
  const stream: EventStream = {
    database,
    account,
    receiver,
    workers,
    async startWorker(more = {}) {
      const worker = await startWorker({
        DATABASE_URL: database.url,
        WEBHOOKS_TIMEOUT: '1s',
        ...(queue.redisUrl !== undefined && { REDIS_URL: queue.redisUrl }),
        ...environment,
        ...more,
      });
      workers.push(worker);
      return worker;
    },
    async publish() {
      const { id } = await domain.transact((tx) =>
        publishEvent(tx, account, { type: eventType, subject: 's', data: {}, test: false }),
      );
      acked.add(id);
      return id;
    },
    async endLeases() {
      await endLeases(database);
      await database.query("update isolation_lock set until = '-infinity'");
    },
    async publishUntil(done) {
      const state = { going: true };
      const ended = done.finally(() => (state.going = false));
      for await (const going of atIntervals(10, state)) {
        if (!going.going) break;
        await stream.publish();
      }
      await ended;
    },
    close: (title, options) => reconcile(title, { ...queue, acked, receiver, database }, options),
    async drop() {
      await Promise.all(workers.filter(({ running }) => running).map((each) => each.end()));
      await waker.close();
      await receiver.close();
      if (database !== queue.database) await database.drop();
    },
  };
  return stream;
}
