import { expect } from 'chai';
import {
  type ApiEventStream,
  openApiEventStream,
  untilAcknowledged,
} from '../support/event-stream.js';
import { dataOf, type EndpointBody, endpointInput, endpointsPath } from '../support/endpoints.js';
import { FaultInjection } from '../support/fault-injection.js';
import { describeServiceOnQueues, type ServiceQueue } from '../support/queue-backends.js';

describeServiceOnQueues('R2: the API killed repeatedly under load', (create) => {
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

  /** Creates an endpoint under `key`, asking again until there is an answer. */
  const createOnce = (key: string) =>
    untilAcknowledged(async () => {
      const body = endpointInput({ description: key, event_types: ['invoice.issued'] });
      const reply = await stream.tenant.rest.post(endpointsPath, body, { key });
      // The secret is shown once, and never stored.
      return { ...dataOf<EndpointBody>(reply, 201), signing_secret: undefined };
    }, key);

  it('H49: runs each keyed request once, and repeats the same response', async function () {
    const injection = new FaultInjection('API killed');
    this.timeout(injection.limitMs);

    const { service, tenant, acked } = stream;
    const created = new Map<string, object>();
    const state = { going: true };
    const creating = async () => {
      // A soak would reach the limit of an account, which is 1,000.
      for (let number = 0; state.going && number < 900; number += 1) {
        created.set(`e-${number}`, await createOnce(`e-${number}`));
      }
    };

    const killing = async () => {
      await injection.repeat(async () => {
        await service.api.end('SIGKILL');
        await service.startApi();
      });
      state.going = false;
    };

    await stream.publishUntil(Promise.all([killing(), creating()]));

    const { injected } = injection;
    const figures = { created: created.size };
    await stream.close('kill -9 of the API', { injected, figures });

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
