import { expect } from 'chai';
import { recordedAs } from '../support/delivery-records.js';
import { createEndpoint, deliveriesPath } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { type Service, sharedService } from '../support/service.js';
import { createTenant, type GraphqlRefusal } from '../support/tenants.js';

describe('the limit of pending deliveries of an account', () => {
  let service: Service;
  let receiver: Receiver;

  before(async function () {
    this.timeout(60_000);
    service = await sharedService();
    receiver = await startReceiver();
  });
  after(() => receiver.close());

  it('H134, H135: refuses events by its own code, and a worker ends that once they are fewer', async () => {
    const [tenant, other] = [await createTenant(service), await createTenant(service)];
    await createEndpoint(tenant.rest, { url: receiver.url() });
    const refused = await eventually(async () => {
      // A worker may look between both, and find that the account is not full.
      await service.database.query(
        `insert into full_account (account_id, pending, since) values ($1, 1000000, now())
         on conflict do nothing`,
        [tenant.account],
      );
      const refusal = await tenant.publish({}).catch((error: unknown) => error);
      expect(refusal).to.be.instanceOf(Error);
      return refusal as GraphqlRefusal;
    }, 'an event is refused');
    expect(refused.code).to.equal('pending_limit_reached');
    expect(refused.extensions['retryAfterSeconds']).to.equal(10);
    await other.publish({});
    await eventually(() => tenant.publish({}), 'the account is free again');
  });

  it('H164: refuses replays with 429 and Retry-After, until a worker ends that', async () => {
    const tenant = await createTenant(service);
    const { rest, account } = tenant;
    await createEndpoint(rest, { url: receiver.url() });
    const [{ id }] = await recordedAs(rest, await tenant.publish({}), ['success']);
    const replay = () => rest.post(`${deliveriesPath}/${id}/replay`);
    const refused = await eventually(async () => {
      await service.database.query(
        `insert into full_account (account_id, pending, since) values ($1, 1000000, now())
         on conflict do nothing`,
        [account],
      );
      const response = await replay();
      expect(response.status).to.equal(429);
      return response;
    }, 'a replay is refused');
    expect(refused.headers['retry-after']).to.equal('10');
    expect(refused.body).to.include({ code: 'rate_limit_exceeded' });
    await eventually(
      async () => expect((await replay()).status).to.equal(200),
      'the account is free again',
    );
  });
});
