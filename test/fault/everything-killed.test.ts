import { expect } from 'chai';
import { type ApiEventStream, openApiEventStream } from '../support/event-stream.js';
import { eventually } from '../support/eventually.js';
import { FaultInjection } from '../support/fault-injection.js';
import { describeServiceOnQueues, type ServiceQueue } from '../support/queue-backends.js';
import { verify } from '../support/receiver.js';
import { seededRandom } from '../support/random.js';

describeServiceOnQueues('kill -9 of API or worker while events flow', (create) => {
  let queue: ServiceQueue;
  let stream: ApiEventStream;

  before(async () => {
    queue = await create();
    stream = await openApiEventStream(queue);
  });

  after(async () => {
    await stream.drop();
    await queue.drop();
  });

  it('H49: publishes each event once and loses none', async function () {
    const injection = new FaultInjection('API and workers killed');
    this.timeout(injection.limitMs);

    const { seed, random } = seededRandom();
    const { service, acked } = stream;
    const again = {
      API: async () => {
        await service.api.end('SIGKILL');
        await service.startApi();
      },
      worker: async () => {
        await service.workers.at(-1)?.end('SIGKILL');
        await service.startWorker();
      },
    };

    await stream.publishUntil(
      injection.repeat(async (injected) => {
        const before = acked.size;
        await eventually(() => expect(acked.size).to.be.greaterThan(before + 20), 'events flow');
        // Kills each at least once, however few injections there are.
        const victims = ['API', 'worker'] as const;
        await again[victims[injected] ?? random.pick(victims)]();
      }),
    );

    const { injected } = injection;
    await stream.close('kill -9 of API or worker', { injected, seed });

    const stored = await service.database.query('select id from event where account_id = $1', [
      stream.tenant.account,
    ]);
    expect(stored.length, 'one event for each key').to.equal(acked.size);
    expect(new Set(acked.values()).size).to.equal(acked.size);

    for (const request of stream.receiver.requests) {
      expect(verify(request, stream.secret)).to.deep.equal({ service: true, standard: true });
    }
  });
});
