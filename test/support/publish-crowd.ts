import { expect } from 'chai';
import { fetch } from 'undici';
import { eventually } from './eventually.js';
import type { Service } from './service.js';
import { GraphqlRefusal, type Tenant } from './tenants.js';

/** One publish of the crowd; its subject is its own. */
export interface CrowdPublish {
  readonly subject: string;
  /** Undefined without a key. */
  readonly key: string | undefined;
  /** The id of the event; undefined if the publish was refused or got no response. */
  readonly id: string | undefined;
}

/** Clients that publish at the same time, so that commits are always under way. */
export interface PublishCrowd {
  /** Every publish that has ended. */
  readonly ended: readonly CrowdPublish[];
  /** Publishes until `done` resolves. Half of the clients use keys; nobody repeats a publish. */
  publishUntil(done: Promise<unknown>): Promise<void>;
  /** Resolves when `count` more publishes are acknowledged. */
  flow(count: number): Promise<void>;
  /** Repeats each publish that has a key. @returns the ids by key */
  repeatKeyed(): Promise<ReadonlyMap<string, string>>;
}

/** The start of each subject: a proxy finds the statement that stores such an event by it. */
export const crowdSubject = 'crowd:';

const clients = 50;
const readyLimitMs = 30_000;

/** Creates a crowd of 50 clients of one account. */
export function createPublishCrowd(service: Service, tenant: Tenant): PublishCrowd {
  const ended: CrowdPublish[] = [];
  let started = 0;
  let recovery: Promise<unknown> | undefined;
  const acknowledged = () => ended.filter(({ id }) => id !== undefined).length;
  const contentOf = (subject: string, key: string | undefined) => ({
    subject,
    data: { subject },
    ...(key !== undefined && { key }),
  });
  /** One wait for all clients. */
  const recover = () => {
    recovery ??= eventually(
      async () => {
        const { status } = await fetch(`${service.internalUrl}/readyz`);
        expect(status).to.equal(200);
      },
      'the API is ready again',
      readyLimitMs,
    ).finally(() => (recovery = undefined));
    return recovery;
  };
  const publish = async (keyed: boolean) => {
    const subject = `${crowdSubject}${(started += 1)}`;
    const key = keyed ? subject : undefined;
    const id = await tenant.publish(contentOf(subject, key)).catch((error: unknown) => {
      if (error instanceof GraphqlRefusal) expect(error.code).to.equal('service_unavailable');
      return undefined;
    });
    ended.push({ subject, key, id });
    if (id === undefined) await recover();
  };
  return {
    ended,
    async publishUntil(done) {
      const state = { going: true };
      const over = done.finally(() => (state.going = false));
      const each = Array.from({ length: clients }, async (_client, place) => {
        while (state.going) await publish(place % 2 === 0);
      });
      await Promise.all([over, ...each]);
    },
    async flow(count) {
      const enough = acknowledged() + count;
      await eventually(() => expect(acknowledged()).to.be.at.least(enough), 'events flow', 30_000);
    },
    async repeatKeyed() {
      const ids = new Map<string, string>();
      const waiting = ended.filter(({ key }) => key !== undefined);
      const each = Array.from({ length: clients }, async () => {
        for (let next = waiting.pop(); next?.key !== undefined; next = waiting.pop()) {
          ids.set(next.key, await tenant.publish(contentOf(next.subject, next.key)));
        }
      });
      await Promise.all(each);
      return ids;
    },
  };
}
