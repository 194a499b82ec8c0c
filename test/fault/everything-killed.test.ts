import { expect } from 'chai';
import { type ApiLedger, openApiLedger } from '../support/api-ledger.js';
import { eventually } from '../support/eventually.js';
import { Ordeal } from '../support/ordeal.js';
import { describeServiceOnQueues, type ServiceQueue } from '../support/queue-backends.js';
import { verify } from '../support/receiver.js';
import { seededChance } from '../support/seeded-chance.js';

describeServiceOnQueues('kill -9 of API or worker while events flow', (create) => {
  let queue: ServiceQueue;
  let ledger: ApiLedger;

  before(async () => {
    queue = await create();
    ledger = await openApiLedger(queue);
  });
  after(async () => {
    await ledger.drop();
    await queue.drop();
  });

  it('H49: publishes each event once and loses none', async function () {
    const ordeal = new Ordeal('API and workers killed');
    this.timeout(ordeal.limitMs);
    const { seed, chance } = seededChance();
    const { service, acked } = ledger;
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
    await ledger.publishUntil(
      ordeal.strike(async (struck) => {
        const before = acked.size;
        await eventually(() => expect(acked.size).to.be.greaterThan(before + 20), 'events flow');
        // Each at least once, however few blows there are.
        const victims = ['API', 'worker'] as const;
        await again[victims[struck] ?? chance.oneOf(victims)]();
      }),
    );
    const { struck } = ordeal;
    await ledger.close('kill -9 of API or worker', { struck, seed });
    const stored = await service.database.query('select id from event where account_id = $1', [
      ledger.tenant.account,
    ]);
    expect(stored.length, 'one event for each key').to.equal(acked.size);
    expect(new Set(acked.values()).size).to.equal(acked.size);
    for (const request of ledger.receiver.requests) {
      expect(verify(request, ledger.secret)).to.deep.equal({ service: true, standard: true });
    }
  });
});
