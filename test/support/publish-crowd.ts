import { expect } from 'chai';
import { fetch } from 'undici';
import { eventually } from './eventually.js';
import type { Service } from './service.js';
import { GraphqlRefusal, type Tenant } from './tenants.js';
import { sampleOf } from './sample.js';

/** One publish of the crowd; its subject is its own. */
export interface CrowdPublish {
  readonly subject: string;
  /** Undefined without a key. */
  readonly key: string | undefined;
  /** The id of the event; undefined if the publish was refused or got no response. */
  readonly id: string | undefined;
  /** The call with `atomic` that it is part of. */
  readonly call?: number;
}

/** Clients that publish at the same time, so that commits are always under way. */
export interface PublishCrowd {
  /** Every publish that has ended. */
  readonly ended: readonly CrowdPublish[];
  /**
   * Publishes until `done` resolves, half of it with keys, and repeats nothing. Each fifth client
   * publishes several events at once, each tenth one all or none.
   */
  publishUntil(done: Promise<unknown>): Promise<void>;
  /** Resolves when `count` more publishes are acknowledged. */
  flow(count: number): Promise<void>;
  /** Repeats each publish that has a key. @returns the ids by key */
  repeatKeyed(): Promise<ReadonlyMap<string, string>>;
}

/** The start of each subject: a proxy finds the statement that stores such an event by it. */
export const crowdSubject = 'crowd:';

const clients = 50;
/** Events of one `publishEvents`. */
const batch = 10;
const readyLimitMs = 30_000;

/** Creates a crowd of 50 clients of one account. */
export function createPublishCrowd(service: Service, tenant: Tenant): PublishCrowd {
  const ended: CrowdPublish[] = [];
  let started = 0;
  let recovery: Promise<unknown> | undefined;
  const acknowledged = () => ended.filter(({ id }) => id !== undefined).length;
  const nextOf = (keyed: boolean) => {
    const subject = `${crowdSubject}${(started += 1)}`;
    return { subject, key: keyed ? subject : undefined };
  };
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
  const publishOne = async (keyed: boolean) => {
    const one = nextOf(keyed);
    const id = await tenant.publish(contentOf(one)).catch(refused);
    ended.push({ ...one, id });
    if (id === undefined) await recover();
  };
  const publishSeveral = async (atomic: boolean) => {
    const all = Array.from({ length: batch }, (_each, place) => nextOf(place % 2 === 0));
    const call = atomic ? { call: started } : {};
    const results = await publishEvents(tenant, all.map(contentOf), atomic).catch(refused);
    for (const [place, one] of all.entries()) ended.push({ ...one, ...call, id: results?.[place] });
    if (!results?.every((id) => id !== undefined)) await recover();
  };
  return {
    ended,
    async publishUntil(done) {
      const state = { going: true };
      const over = done.finally(() => (state.going = false));
      const each = Array.from({ length: clients }, async (_client, place) => {
        const publish =
          place % 5 === 0
            ? () => publishSeveral(place % 10 === 0)
            : () => publishOne(place % 2 === 0);
        while (state.going) await publish();
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
          ids.set(next.key, await tenant.publish(contentOf(next)));
        }
      });
      await Promise.all(each);
      return ids;
    },
  };
}

function contentOf({ subject, key }: Pick<CrowdPublish, 'subject' | 'key'>) {
  return { subject, data: { subject }, ...(key !== undefined && { key }) };
}

/** Accepts a broken connection, and a refusal that says "not now". */
function refused(error: unknown): undefined {
  if (error instanceof GraphqlRefusal) expect(error.code).to.equal('service_unavailable');
}

/** Publishes in one operation. @returns the id of each event; undefined for one that was refused */
async function publishEvents(
  tenant: Tenant,
  events: readonly { readonly data: object }[],
  atomic: boolean,
): Promise<(string | undefined)[]> {
  const type = 'cart.order.completed';
  const { account } = tenant;
  const input = events.map((event) => ({
    account,
    type,
    ...event,
    data: sampleOf(type, event.data),
  }));
  const { publishEvents: results } = await tenant.graphql<{
    publishEvents: { id: string | null; error: { code: string } | null }[];
  }>('publishEvents', { input, atomic });
  return results.map(({ id, error }) => {
    if (error) expect(error.code).to.equal('service_unavailable');
    return id ?? undefined;
  });
}
