import { expect } from 'chai';
import { type AnswerCutter, createAnswerCutter } from '../support/answer-cutter.js';
import { type Cluster, startCluster } from '../support/cluster.js';
import { createEndpoint } from '../support/endpoints.js';
import { FaultInjection } from '../support/fault-injection.js';
import { createPublishCrowd, crowdSubject, type PublishCrowd } from '../support/publish-crowd.js';
import { describeServiceOnQueues, type ServiceQueue } from '../support/queue-backends.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { reconcile } from '../support/reconciliation.js';
import { startService, type Service } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

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
    // Before repetitions store some of a call by themselves.
    const beforehand = await stored();
    for (const call of new Set(ended.flatMap((each) => each.call ?? []))) {
      const ofCall = ended.filter((each) => each.call === call);
      const found = ofCall.filter(({ subject }) => beforehand.has(subject));
      expect(found.length, `call ${call}`).to.be.oneOf([0, ofCall.length]);
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

  it('the API is killed in the middle of commits: keeps each promise, and each key once', async function () {
    const injection = new FaultInjection('API killed among publishes');
    this.timeout(injection.limitMs);
    const { unsure } = await survive('kill -9 of the API among publishes', injection, async () => {
      await service.api.end('SIGKILL');
      await service.startApi();
    });
    expect(unsure).to.be.greaterThan(0);
  });

  it('PostgreSQL restarts "immediate" in the middle of commits: the same', async function () {
    const injection = new FaultInjection('PostgreSQL restarted among publishes');
    this.timeout(injection.limitMs);
    const restart = () => cluster.restart();
    const { unsure } = await survive('PostgreSQL restarted among publishes', injection, restart);
    expect(unsure).to.be.greaterThan(0);
  });

  it('connections break between commit and answer: the same', async function () {
    const injection = new FaultInjection('answers of commits cut');
    this.timeout(injection.limitMs);
    const { unsure } = await survive('answers of commits cut', injection, (injected) => {
      // Right after a large group, the first event goes alone; the others go together after it.
      return cutter.cutAfter(injected % 4);
    });
    expect(unsure, 'some of a group').to.be.greaterThan(injection.injected);
  });
});
