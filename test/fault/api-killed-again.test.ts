import { expect } from 'chai';
import { type ApiLedger, openApiLedger, untilAcknowledged } from '../support/api-ledger.js';
import { dataOf, type EndpointBody, endpointInput, endpointsPath } from '../support/endpoints.js';
import { Ordeal } from '../support/ordeal.js';
import { describeServiceOnQueues, type ServiceQueue } from '../support/queue-backends.js';

describeServiceOnQueues('R2: the API killed again and again under its clients', (create) => {
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

  /** Creates an endpoint under `key`, asking again until there is an answer. */
  const createOnce = (key: string) =>
    untilAcknowledged(async () => {
      const body = endpointInput({ description: key, event_types: ['invoice.issued'] });
      const reply = await ledger.tenant.rest.post(endpointsPath, body, { key });
      // Shown once, and never stored.
      return { ...dataOf<EndpointBody>(reply, 201), signing_secret: undefined };
    }, key);

  it('H49: does once what clients ask for under a key, and answers the same again', async function () {
    const ordeal = new Ordeal('API killed');
    this.timeout(ordeal.limitMs);
    const { service, tenant, acked } = ledger;
    const created = new Map<string, object>();
    const state = { going: true };
    const creating = async () => {
      for (let number = 0; state.going; number += 1) {
        created.set(`e-${number}`, await createOnce(`e-${number}`));
      }
    };
    const killing = async () => {
      await ordeal.strike(async () => {
        await service.api.end('SIGKILL');
        await service.startApi();
      });
      state.going = false;
    };
    await ledger.publishUntil(Promise.all([killing(), creating()]));

    const { struck } = ordeal;
    const figures = { created: created.size };
    await ledger.close('kill -9 of the API', { struck, figures });
    const endpoints = await service.database.query<{ description: string }>(
      `select description from endpoint where description like 'e-%'`,
    );
    const descriptions = endpoints.map(({ description }) => description);
    expect(descriptions).to.have.members([...created.keys()]);
    for (const [key, first] of created) expect(await createOnce(key)).to.deep.equal(first);
    const stored = await service.database.query('select id from event where account_id = $1', [
      tenant.account,
    ]);
    expect(stored.length, 'one event for each key').to.equal(acked.size);
  });
});
