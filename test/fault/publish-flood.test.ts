import { expect } from 'chai';
import { createEndpoint } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { FaultInjection } from '../support/fault-injection.js';
import { describeServiceOnQueues, type ServiceQueue } from '../support/queue-backends.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { reconcile } from '../support/reconciliation.js';
import { startService, type Service } from '../support/service.js';
import { createTenant, GraphqlRefusal, type Tenant } from '../support/tenants.js';

/** Publishes of the flooding account at a time. */
const flooding = 50;
const neighbours = 5;
/** Generous: a credential may be looked for during some commits of the flood. */
const mostOvertaking = 10 * flooding;

describeServiceOnQueues('one account floods the API with events', (create) => {
  let queue: ServiceQueue;
  let receiver: Receiver;
  let service: Service;
  let flooder: Tenant;
  let others: Tenant[];

  before(async () => {
    queue = await create();
    receiver = await startReceiver();

    const { redisUrl } = queue;
    service = await startService({
      environment: redisUrl === undefined ? {} : { REDIS_URL: redisUrl },
    });

    const subscribe = async () => {
      const tenant = await createTenant(service);
      await createEndpoint(tenant.rest, { url: receiver.url() });
      return tenant;
    };

    flooder = await subscribe();
    others = await Promise.all(Array.from({ length: neighbours }, subscribe));
  });

  after(async () => {
    await service.stop();
    await receiver.close();
    await queue.drop();
  });

  it('answers other accounts after at most ten rounds of the flood, and refuses none of them', async function () {
    const injection = new FaultInjection('one account floods');
    this.timeout(injection.limitMs);

    const acked: string[] = [];

    // Opens the connections that look up credentials beside the flood.
    for (const other of await Promise.all(others.map((neighbour) => neighbour.publish({}))))
      acked.push(other);

    const state = { going: true, answered: 0, refused: 0 };
    const flood = Array.from({ length: flooding }, async () => {
      while (state.going) {
        const answer = await flooder.publish({}).catch((error: unknown) => {
          if (error instanceof GraphqlRefusal && error.code === 'service_unavailable')
            return undefined;
          throw error;
        });
        state.answered += 1;
        if (answer === undefined) state.refused += 1;
        else acked.push(answer);
      }
    });

    await eventually(
      () => expect(state.answered).to.be.at.least(flooding),
      'the flood is under way',
    );

    let most = 0;
    await injection.repeat(() =>
      Promise.all(
        others.map(async (other) => {
          const before = state.answered;
          acked.push(await other.publish({}));
          most = Math.max(most, state.answered - before);
        }),
      ),
    );

    state.going = false;
    await Promise.all(flood);

    const { redisUrl } = queue;
    const { refused } = state;
    await reconcile(
      'one account floods',
      { acked, redisUrl, receiver, database: service.database },
      { injected: injection.injected, figures: { refused, most_overtaking: most } },
    );

    expect(most).to.be.at.most(mostOvertaking);
  });
});
