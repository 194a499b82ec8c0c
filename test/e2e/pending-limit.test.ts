import { expect } from 'chai';
import { answer } from '../support/behaviours.js';
import { recordedAs } from '../support/delivery-records.js';
import { createEndpoint, deliveriesPath, endpointsPath } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { type Service, sharedService, startService } from '../support/service.js';
import { createTenant, type GraphqlRefusal } from '../support/tenants.js';

describe('the limit of pending deliveries of an account', () => {
  let service: Service;
  let receiver: Receiver;

  before(async () => {
    service = await sharedService();
    receiver = await startReceiver();
  });

  after(() => receiver.close());

  it('H134, H135: refuses events of a full account with a code, until a worker finds fewer deliveries', async () => {
    const tenant = await createTenant(service);
    const other = await createTenant(service);

    await createEndpoint(tenant.rest, { url: receiver.url() });

    const refused = await eventually(async () => {
      // A worker may check in between, and find that the account is not full.
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

  it('H164: refuses replays of a full account with 429 and Retry-After, until a worker frees it', async () => {
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

describe('the limit of the bytes that pending deliveries of an account send', () => {
  const environment = { PENDING_BYTES_PER_ACCOUNT: '26214400' };
  const endpoints = 15;
  const events = 8;
  let service: Service;
  let receiver: Receiver;

  before(async () => {
    service = await startService({ environment });
    receiver = await startReceiver();
  });

  after(async () => {
    await service.stop();
    await receiver.close();
  });

  it('H185: refuses events while few deliveries send too many bytes', async () => {
    receiver.always(answer(503));

    const tenant = await createTenant(service);
    const ids: string[] = [];
    for (let count = 0; count < endpoints; count += 1)
      ids.push((await createEndpoint(tenant.rest, { url: receiver.url() })).id);

    // The last event alone exceeds the limit.
    const data = { padding: 'x'.repeat(240_000) };
    for (let count = 0; count < events; count += 1) await tenant.publish({ data });

    const pendingBytes = await eventually(
      async () => {
        const [row] = await service.database.query<{ bytes: string }>(
          'select pending_bytes as bytes from full_account where account_id = $1',
          [tenant.account],
        );
        return Number(row!.bytes);
      },
      'a worker has counted the bytes',
      90_000,
    );

    expect(pendingBytes).to.be.within(endpoints * events * 240_000, endpoints * events * 242_000);

    const refused = await tenant.publish({}).catch((error: unknown) => error);
    expect((refused as GraphqlRefusal).code).to.equal('pending_limit_reached');
    for (const id of ids) await tenant.rest.patch(`${endpointsPath}/${id}`, { active: false });
    await eventually(() => tenant.publish({}), 'the account is free again', 90_000);
  });
});
