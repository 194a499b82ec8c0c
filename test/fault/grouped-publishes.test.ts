import { expect } from 'chai';
import { type Cluster, startCluster } from '../support/cluster.js';
import { createEndpoint } from '../support/endpoints.js';
import { FaultInjection } from '../support/fault-injection.js';
import { describeServiceOnQueues, type ServiceQueue } from '../support/queue-backends.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { reconcile } from '../support/reconciliation.js';
import { startService, type Service } from '../support/service.js';
import { createTenant, type Tenant, GraphqlRefusal } from '../support/tenants.js';
import { listenOn, portOf, SocketPairs } from '../support/sockets.js';
import { fetch } from 'undici';
import { eventually } from '../support/eventually.js';
import { sampleOf } from '../support/random.js';

/** Acknowledged publishes before each fault: groups are then under way. */
const flowing = 100;

describeServiceOnQueues('50 clients publish, with and without keys', (create) => {
  let queue: ServiceQueue;
  let cluster: Cluster;
  let cutter: AnswerCutter;
  let receiver: Receiver;
  let service: Service;
  let tenant: Tenant;
  let crowd: PublishCrowd;

  before(async () => {
    queue = await create();
    cluster = await startCluster({ durable: true });
    cutter = await createAnswerCutter(Number(new URL(cluster.url('postgres')).port), crowdSubject);
    const { redisUrl } = queue;
    service = await startService({
      cluster,
      databasePort: cutter.port,
      environment: {
        WEBHOOKS_TIMEOUT: '1s',
        ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
      },
    });
  });

  beforeEach(async () => {
    receiver = await startReceiver();
    tenant = await createTenant(service);
    await createEndpoint(tenant.rest, { url: receiver.url() });
    crowd = createPublishCrowd(service, tenant);
  });

  afterEach(() => receiver.close());

  after(async () => {
    await service.stop();
    await cutter.close();
    await cluster.stop();
    await queue.drop();
  });

  /** The ids of the stored events, by subject. */
  async function stored(): Promise<ReadonlyMap<string, readonly string[]>> {
    const rows = await service.database.query<{ subject: string; ids: string[] }>(
      `select subject, array_agg(id) as ids from event
        where subject ^@ $1 and account_id = $2 group by subject`,
      [crowdSubject, tenant.account],
    );
    return new Map(rows.map(({ subject, ids }) => [subject, ids]));
  }

  async function survive(
    title: string,
    injection: FaultInjection,
    inject: (injected: number) => Promise<unknown>,
  ) {
    await crowd.publishUntil(
      injection.repeat(async (injected) => {
        await crowd.flow(flowing);
        await inject(injected);
      }),
    );

    const { ended } = crowd;

    // Read before repetitions store some events of a call one by one.
    const beforehand = await stored();

    for (const call of new Set(ended.flatMap((published) => published.call ?? []))) {
      const ofCall = ended.filter((published) => published.call === call);
      const storedOnes = ofCall.filter(({ subject }) => beforehand.has(subject));
      expect(storedOnes.length, `call ${call}`).to.be.oneOf([0, ofCall.length]);
    }

    const byKey = await crowd.repeatKeyed();
    const events = await stored();

    for (const { subject, key, id } of ended) {
      const ids = events.get(subject) ?? [];
      if (id !== undefined) expect(ids, subject).to.deep.equal([id]);
      else expect(ids.length, subject).to.be.at.most(1);
      if (key !== undefined) expect(ids, subject).to.deep.equal([byKey.get(key)]);
    }

    const [group] = await service.database.query<{ largest: number }>(
      `select max(size) as largest
         from (select count(*)::int as size from event where account_id = $1 group by xmin::text) as one`,
      [tenant.account],
    );

    const figures = {
      unsure: ended.filter(({ id }) => id === undefined).length,
      largest_group: group?.largest ?? 0,
    };

    const acked = new Set([...byKey.values(), ...ended.flatMap(({ id }) => id ?? [])]);
    await reconcile(
      title,
      { acked, redisUrl: queue.redisUrl, receiver, database: service.database },
      { injected: injection.injected, figures },
    );

    expect(figures.largest_group, 'events in one transaction').to.be.greaterThan(1);

    return figures;
  }

  it('keeps each promise, and each key once, when the API is killed in the middle of commits', async function () {
    const injection = new FaultInjection('API killed among publishes');
    this.timeout(injection.limitMs);
    const { unsure } = await survive('kill -9 of the API among publishes', injection, async () => {
      await service.api.end('SIGKILL');
      await service.startApi();
    });
    expect(unsure).to.be.greaterThan(0);
  });

  it('keeps each promise, and each key once, when PostgreSQL restarts in the middle of commits', async function () {
    const injection = new FaultInjection('PostgreSQL restarted among publishes');
    this.timeout(injection.limitMs);
    const restart = () => cluster.restart();
    const { unsure } = await survive('PostgreSQL restarted among publishes', injection, restart);
    expect(unsure).to.be.greaterThan(0);
  });

  it('keeps each promise, and each key once, when connections break between commit and answer', async function () {
    const injection = new FaultInjection('answers of commits cut');
    this.timeout(injection.limitMs);
    const { unsure } = await survive('answers of commits cut', injection, (injected) => {
      // Right after a large group, the first event goes alone; the others go together after it.
      return cutter.cutAfter(injected % 4);
    });
    expect(unsure, 'some of a group').to.be.greaterThan(injection.injected);
  });
});

/** A proxy before PostgreSQL that breaks connections between a commit and its answer. */
interface AnswerCutter {
  readonly port: number;
  /**
   * Lets `passing` transactions with these bytes pass. Then breaks the connection on which the next
   * one ends, and withholds its answer. Resolves when it has done so.
   */
  cutAfter(passing: number): Promise<void>;
  close(): Promise<void>;
}

/** ReadyForQuery outside of a transaction (PostgreSQL documentation, "Message Formats"). */
const idle = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

/** Opens a proxy before `port` of this machine. @param bytes what the transactions contain */
async function createAnswerCutter(port: number, bytes: string): Promise<AnswerCutter> {
  const pairs = new SocketPairs();
  let armed: { passing: number; readonly done: () => void } | undefined;
  const server = await listenOn(0, (client) => {
    const upstream = pairs.connect(client, port);
    let inTransaction = false;
    let tail = '';
    client.on('data', (chunk) => {
      const text = tail + chunk.toString('latin1');
      inTransaction ||= text.includes(bytes);
      tail = text.slice(1 - bytes.length);
      upstream.write(chunk);
    });

    upstream.on('data', (chunk) => {
      const ends = chunk.subarray(-idle.length).equals(idle);
      if (ends && inTransaction && armed && (armed.passing -= 1) < 0) {
        const { done } = armed;
        armed = undefined;
        client.destroy();
        done();
      } else client.write(chunk);
      if (ends) {
        inTransaction = false;
        tail = '';
      }
    });
  });

  return {
    port: portOf(server),
    cutAfter: (passing) => new Promise((done) => (armed = { passing, done })),
    close: () => pairs.close(server),
  };
}

/** One publish of the crowd; its subject is its own. */
interface CrowdPublish {
  readonly subject: string;
  /** Undefined without a key. */
  readonly key: string | undefined;
  /** The id of the event; undefined if the publish was refused or got no response. */
  readonly id: string | undefined;
  /** The call with `atomic` that it is part of. */
  readonly call?: number;
}

/** Clients that publish at the same time, so that commits are always under way. */
interface PublishCrowd {
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
const crowdSubject = 'crowd:';

const clients = 50;
/** Events of one `publishEvents`. */
const batch = 10;
const readyLimitMs = 30_000;

/** Creates a crowd of 50 clients of one account. */
function createPublishCrowd(service: Service, tenant: Tenant): PublishCrowd {
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
      const lanes = Array.from({ length: clients }, async (_client, place) => {
        const publish =
          place % 5 === 0
            ? () => publishSeveral(place % 10 === 0)
            : () => publishOne(place % 2 === 0);
        while (state.going) await publish();
      });
      await Promise.all([over, ...lanes]);
    },
    async flow(count) {
      const enough = acknowledged() + count;
      await eventually(() => expect(acknowledged()).to.be.at.least(enough), 'events flow', 30_000);
    },
    async repeatKeyed() {
      const ids = new Map<string, string>();
      const waiting = ended.filter(({ key }) => key !== undefined);
      const lanes = Array.from({ length: clients }, async () => {
        for (let next = waiting.pop(); next?.key !== undefined; next = waiting.pop()) {
          ids.set(next.key, await tenant.publish(contentOf(next)));
        }
      });
      await Promise.all(lanes);
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
