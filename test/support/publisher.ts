import type { Database } from '../../src/database/database.js';
import { DatabaseClock } from '../../src/database/clock.js';
import { EventPublisher, type PublisherOptions } from '../../src/domain/event/event-publisher.js';
import type { PublishRequest } from '../../src/domain/event/prepare-event.js';
import type { Published } from '../../src/domain/event/store-events.js';
import type { Wakeup } from '../../src/domain/transaction/wakeup.js';
import type { Cluster } from './cluster.js';
import { createTestDatabase, type TestDatabase } from './database.js';
import { eventType, insertAccount, insertEndpoint } from './engine.js';
import { sampleOf } from './random.js';

/** Creates the publisher of an API process; `changes` override its options. */
export function publisherOf(
  { read }: Pick<Database, 'read'>,
  changes: Partial<PublisherOptions> = {},
): EventPublisher {
  return new EventPublisher({
    read,
    keyWait: read,
    clock: new DatabaseClock(read),
    wake: () => undefined,
    accepted: () => undefined,
    monotonicMs: () => performance.now(),
    mismatched: () => undefined,
    ...changes,
  });
}

/** An account with an endpoint, and a publisher whose effects it keeps. Call `reset` before each test. */
export class Publishing {
  account = '';
  publisher: EventPublisher;
  woken: Wakeup[] = [];
  accepted = 0;

  private constructor(
    readonly test: TestDatabase,
    readonly database: Database,
  ) {
    this.publisher = this.publisherOf();
  }

  /** Creates the account and the publisher. @param own the cluster of the database; defaults to the shared one */
  static async create(own?: Cluster): Promise<Publishing> {
    const test = await createTestDatabase(own);
    return new Publishing(test, await test.open());
  }

  /** Empties the tables, and leaves one event whose statement the connection has prepared. */
  async reset(): Promise<void> {
    await this.test.query(
      'truncate pending_delivery, event, publish_key, endpoint_secret, endpoint',
    );
    this.account = await insertAccount(this.test);
    await insertEndpoint(this.test, this.account);
    this.publisher = this.publisherOf();
    await this.publish();
    this.woken = [];
    this.accepted = 0;
  }

  publisherOf(changes: Partial<PublisherOptions> = {}): EventPublisher {
    return publisherOf(this.database, {
      wake: (wakeups) => void this.woken.push(...wakeups),
      accepted: (events) => void (this.accepted += events),
      ...changes,
    });
  }

  request(changes: Partial<PublishRequest> = {}): PublishRequest {
    const { account: accountId } = this;
    const { type = eventType, data = { n: 1 } } = changes;
    const fitting = sampleOf(type, data);
    return { accountId, subject: 'order:1', ...changes, type, data: fitting };
  }

  async send(changes: Partial<PublishRequest> = {}): Promise<Published | Error> {
    const [result] = await this.publisher.publish([this.request(changes)]);
    return result!;
  }

  async publish(changes: Partial<PublishRequest> = {}): Promise<Published> {
    const result = await this.send(changes);
    if (result instanceof Error) throw result;
    return result;
  }

  /** Publishes events as many concurrent callers do. */
  many(
    count: number,
    changes: (place: number) => Partial<PublishRequest> = () => ({}),
  ): Promise<(Published | Error)[]> {
    return Promise.all(Array.from({ length: count }, (_, place) => this.send(changes(place))));
  }

  async stored(where = 'true'): Promise<string[]> {
    const rows = await this.test.query<{ id: string }>(`select id from event where ${where}`);
    return rows.map(({ id }) => id);
  }
}

/** Returns the code of an error; undefined for an event. */
export function codeOf(result: Published | Error): string | undefined {
  return (result as { readonly code?: string }).code;
}
