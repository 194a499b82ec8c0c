import type { Database } from '../../src/database/database.js';
import { publishEvent } from '../../src/domain/event/publish.js';
import { createWaker, type Waker } from '../../src/queue/queues.js';
import { atIntervals } from './at-intervals.js';
import type { TestDatabase } from './database.js';
import { insertAccount, insertEndpoint, endLeases, eventType } from './engine.js';
import { type Receiver, startReceiver } from './receiver.js';
import type { TestQueue } from './queue-backends.js';
import { reconcile, type Reconciliation, type ReconciliationOptions } from './reconciliation.js';
import { startWorker, type WorkerProcess } from './worker.js';

/** A stream of events to one receiver, with the reconciliation of its deliveries. */
export interface EventStream {
  readonly database: TestDatabase;
  /** The account of the events. */
  readonly account: string;
  readonly receiver: Receiver;
  readonly workers: WorkerProcess[];
  /** Starts one more worker process; only it gets the settings `more`. */
  startWorker(more?: Readonly<Record<string, string>>): Promise<WorkerProcess>;
  /** Publishes one event, which is acknowledged when this resolves. @returns its id */
  publish(): Promise<string>;
  /** Publishes at most 100 events per second until `done` resolves. */
  publishUntil(done: Promise<unknown>): Promise<void>;
  /** Expires all leases and the isolation lock. Only for when no running worker holds one. */
  endLeases(): Promise<void>;
  /** Reconciles everything acknowledged so far. @see reconcile */
  close(title: string, options?: ReconciliationOptions): Promise<Reconciliation>;
  drop(): Promise<void>;
}

/** Opens a stream on this queue; all workers get `environment`. */
export async function openEventStream(
  queue: TestQueue,
  environment: Readonly<Record<string, string>> = {},
): Promise<EventStream> {
  const { database } = queue;
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
    },
  };
  return stream;
}
