import { expect } from 'chai';
import { eventually } from './eventually.js';
import { sampleOf } from './sample.js';
import type { Service } from './service.js';
import { callGraphql, type Tenant } from './tenants.js';

/** An API as its clients know it. */
type Api = Pick<Service, 'internalUrl'>;

/** A client waits this long for an API before it repeats the call at the next one. */
const timeoutMs = 2_500;
const callers = 4;

/** Clients of several APIs. Each event has its own key, and is published at one API after the other. */
export class NodePublisher {
  /** Ids of the acknowledged events, by key. */
  readonly acked = new Map<string, string>();
  readonly #account: string;
  readonly #token: string;
  readonly #apis: readonly Api[];
  #keys = 0;

  private constructor(account: string, token: string, apis: readonly Api[]) {
    this.#account = account;
    this.#token = token;
    this.#apis = apis;
  }

  static async create(tenant: Tenant, apis: readonly Api[]): Promise<NodePublisher> {
    const { token } = await tenant.credential({ kind: 'internal' });
    return new NodePublisher(tenant.account, token, apis);
  }

  /** Publishes under a key at one API. @returns the id of the event */
  async publishAt(api: Api, key: string): Promise<string> {
    const type = 'cart.order.completed';
    const data = sampleOf(type, { key });
    const { publishEvent } = await callGraphql<{ publishEvent: { id: string } }>(
      api,
      this.#token,
      'publishEvent',
      { input: { account: this.#account, type, subject: 'order:ord_1', key, data } },
      {},
      AbortSignal.timeout(timeoutMs),
    );
    return publishEvent.id;
  }

  /** Publishes until `done` resolves, and repeats each event until an API acknowledges it. */
  async publishUntil(done: Promise<unknown>): Promise<void> {
    const state = { going: true };
    const ended = done.finally(() => (state.going = false));
    const calling = Array.from({ length: callers }, async () => {
      while (state.going) await this.#publish();
    });
    await Promise.all([ended, ...calling]);
  }

  /** Resolves when as many more events are acknowledged. */
  async flow(events: number): Promise<void> {
    const before = this.acked.size;
    await eventually(
      () => expect(this.acked.size).to.be.at.least(before + events),
      'events are acknowledged',
    );
  }

  async #publish(): Promise<void> {
    this.#keys += 1;
    const key = `key-${this.#keys}`;
    let next = this.#keys;
    const id = await eventually(
      () => this.publishAt(this.#apis[(next += 1) % this.#apis.length]!, key),
      `${key} is acknowledged`,
    );
    this.acked.set(key, id);
  }
}
