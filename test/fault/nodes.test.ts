import { expect } from 'chai';
import { after as delayed, answer } from '../support/behaviours.js';
import { createEndpoint, endpointsPath } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { FaultInjection } from '../support/fault-injection.js';
import { networkMissing } from '../support/network.js';
import { NodePublisher } from '../support/node-publisher.js';
import { describeServiceOnQueues } from '../support/queue-backends.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { reconcile } from '../support/reconciliation.js';
import { RestClient } from '../support/rest-client.js';
import { openServiceNodes, type ServiceNode, type ServiceNodes } from '../support/service-nodes.js';
import { createTenant, type Tenant } from '../support/tenants.js';

const hourMs = 3_600_000;

if (networkMissing !== undefined) {
  const reason = networkMissing;
  describe('APIs and workers on several nodes', () => void it(reason));
} else {
  describeServiceOnQueues('three APIs and four workers, each on a node of its own', (create) => {
    let nodes: ServiceNodes;
    let receiver: Receiver;
    let tenant: Tenant;
    let publisher: NodePublisher;
    let apis: readonly ServiceNode[];
    let workers: readonly ServiceNode[];

    before(async function () {
      nodes = await openServiceNodes(create);
      const { host } = nodes.network;
      receiver = await startReceiver({ host, certificate: { names: [host] } });
      apis = await Promise.all([0, hourMs, -hourMs].map((offset) => nodes.start('api', offset)));
      workers = await Promise.all(
        [0, hourMs, -hourMs, 0].map((offset) => nodes.start('worker', offset)),
      );
      const { database } = nodes;
      tenant = await createTenant({ ...apis[0]!, database });
      publisher = await NodePublisher.create(tenant, apis);
      await createEndpoint(tenant.rest, { url: receiver.url() });
    });
    after(async () => {
      await nodes.stop();
      await receiver.close();
    });

    const requestsFrom = ({ address }: ServiceNode) =>
      receiver.requests.filter(({ from }) => from === address);

    /** Cuts a worker off while the receiver has requests whose responses never arrive. */
    const cutDuringAttempts = async (): Promise<ServiceNode> => {
      receiver.always(delayed(500, answer(200)));
      const worker = await eventually(() => {
        const newest = receiver.requests.at(-1);
        const found = workers.find(({ address }) => address === newest?.from);
        if (!found || newest?.answered !== undefined) throw new Error('none is in flight');
        return found;
      }, 'a worker has an attempt in flight');
      worker.cut();
      receiver.always(answer(200));
      return worker;
    };

    it('loses nothing while nodes are cut off, and refuses the late results of a worker', async function () {
      const injection = new FaultInjection('nodes cut off');
      this.timeout(injection.limitMs);
      const [, api] = apis as [ServiceNode, ServiceNode];
      let backMs = 0;
      await publisher.publishUntil(
        injection.repeat(async () => {
          await publisher.flow(40);
          const worker = await cutDuringAttempts();
          api.cut();
          await injection.holdFault();
          await publisher.flow(10);
          const late = worker.process.lines.length;
          const before = requestsFrom(worker).length;
          const joinedAt = performance.now();
          for (const node of [api, worker]) node.join();
          await eventually(() => publisher.publishAt(api, `back-${joinedAt}`), 'the API is back');
          await eventually(
            () => expect(requestsFrom(worker).length).to.be.above(before),
            'the worker delivers again',
          );
          backMs = Math.max(backMs, Math.round(performance.now() - joinedAt));
          await eventually(() => {
            const lines = worker.process.lines.slice(late);
            expect(lines.some((line) => line.includes('attempt not recorded'))).to.equal(true);
          }, 'its late results are refused');
        }),
      );
      const { database, redisUrl } = nodes;
      const { acked } = publisher;
      await reconcile(
        'nodes cut off',
        { acked: [...acked.values()], redisUrl, receiver, database },
        { injected: injection.injected, figures: { back_ms: backMs } },
      );
      expect(
        await database.query(
          `select event_id, attempt from delivery group by event_id, attempt having count(*) > 1`,
        ),
        'attempts that were recorded twice',
      ).to.deep.equal([]);
      expect(
        await database.query(
          `select id from delivery where abs(extract(epoch from created_at - now())) > 600`,
        ),
        'records with the date of a process',
      ).to.deep.equal([]);
      const [stored] = await database.query(
        `select (select count(*)::int from event) as events,
                (select count(*)::int from publish_key) as keys`,
      );
      const published = acked.size + injection.injected;
      expect(stored).to.deep.equal({ events: published, keys: published });
      for (const { process, address } of [...apis, ...workers]) {
        expect(process.running, `${address}: ${process.lines.slice(-3).join('\n')}`).to.equal(true);
      }
    });

    it('ends the transaction that a cut-off API leaves open, with its locks', async function () {
      const { database } = nodes;
      const [first, , api] = apis as [ServiceNode, ServiceNode, ServiceNode];
      const { id } = await createEndpoint(tenant.rest, { url: receiver.url() });
      const changeAt = ({ url }: ServiceNode, description: string, key: string) => {
        const body = { description, event_types: ['invoice.issued'] };
        return new RestClient(url, tenant.rest.token).patch(`${endpointsPath}/${id}`, body, {
          key,
        });
      };
      const holder = await database.hold('lock table event_type in access exclusive mode');
      const asked = changeAt(api, 'cut off', 'cut').catch(() => undefined);
      await eventually(async () => {
        const waiting = await database.query(
          `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        );
        expect(waiting).not.to.have.lengthOf(0);
      }, 'the change waits inside its transaction');
      api.cut();
      await holder.release();
      const leftAt = performance.now();
      try {
        // Under its key, and as another change of the same endpoint.
        for (const [description, key] of [
          ['cut off', 'cut'],
          ['another', 'other'],
        ] as const) {
          await eventually(async () => {
            const reply = await changeAt(first, description, key);
            expect(reply.status, reply.text).to.equal(200);
          }, `the change under ${key} is made`);
        }
        expect(performance.now() - leftAt, 'ms until the locks are gone').to.be.below(25_000);
      } finally {
        api.join();
        await asked;
      }
    });
  });
}
