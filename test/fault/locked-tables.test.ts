import { expect } from 'chai';
import { answer } from '../support/behaviours.js';
import { createEndpoint } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { type Service, startService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

/** More than the lock timeout and the next poll. */
const limitMs = 30_000;

describe('a table that another session locks', function () {
  let service: Service;
  let receiver: Receiver;
  let tenant: Tenant;

  before(async () => {
    receiver = await startReceiver();
    service = await startService({ environment: { WEBHOOKS_RETRY_SCHEDULE: '1s,1s' } });
    tenant = await createTenant(service);
    await createEndpoint(tenant.rest, { url: receiver.url() });
  });

  after(async () => {
    await service.stop();
    await receiver.close();
  });

  for (const table of ['notice', 'checkout', 'recovery']) {
    it(`deliveries and retries go on while another session locks the table ${table}`, async () => {
      const locked = await service.database.hold(`lock table ${table} in access exclusive mode`);
      try {
        receiver.choose(({ headers }) => answer(headers['x-service-attempt'] === '1' ? 503 : 200));

        const before = receiver.requests.length;
        await tenant.publish({ subject: `order:${table}` });

        await eventually(
          () => expect(receiver.requests.length - before).to.equal(2),
          'the retry arrives',
          limitMs,
        );
      } finally {
        await locked.release();
      }
    });
  }
});
