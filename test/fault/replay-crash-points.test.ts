import { expect } from 'chai';
import { type Behaviour } from '../support/behaviours.js';
import { cluster } from '../support/cluster.js';
import { recordedAs } from '../support/delivery-records.js';
import { createEndpoint, deliveriesPath, type DeliveryBody } from '../support/endpoints.js';
import { endLeases } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { isLongRun } from '../support/long-run.js';
import type { ServiceProcess } from '../support/process.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import type { Reply } from '../support/rest-client.js';
import { startService, type Service } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';
import { createFailpointProxy, type FailpointProxy } from '../support/proxies.js';

const key = 'once';

describe('a replay whose API or worker is killed at one point', function () {
  let postgres: FailpointProxy;
  let service: Service;
  let tenant: Tenant;
  let receiver: Receiver;
  let delivery: DeliveryBody;

  before(async () => {
    postgres = await createFailpointProxy(Number(new URL((await cluster()).url('postgres')).port));
    const environment = { WEBHOOKS_TIMEOUT: '1s' };
    service = await startService({ environment, databasePort: postgres.port });
  });

  after(async () => {
    await service.stop();
    await postgres.close();
  });

  beforeEach(async () => {
    receiver = await startReceiver();
    tenant = await createTenant(service);
    await createEndpoint(tenant.rest, { url: receiver.url() });
    [delivery] = await recordedAs(tenant.rest, await tenant.publish({}), ['success']);
  });

  afterEach(() => receiver.close());

  const replay = (): Promise<Reply> =>
    tenant.rest.post(`${deliveriesPath}/${delivery.id}/replay`, undefined, { key });
  const asked = () =>
    replay().then(
      ({ status }) => status,
      () => 'broken',
    );

  const kill = (victim: ServiceProcess | undefined) => void victim?.end('SIGKILL');
  const killApi = () => kill(service.api);
  const killWorker = () => kill(service.workers.at(-1));
  const replaceWorker = async () => {
    await eventually(() => expect(service.workers.at(-1)?.running).to.equal(false), 'it is dead');
    await endLeases(service.database);
    await service.startWorker();
  };

  /** What the same key gets in the end: the one record of the one replay. */
  async function outcome(replayed: 'true' | undefined): Promise<void> {
    const reply = await eventually(async () => {
      const again = await replay();
      expect(again.status, again.text).to.equal(200);
      return again;
    }, 'the key has its outcome');

    expect(reply.headers['idempotent-replayed']).to.equal(replayed);

    const [, record, ...others] = await recordedAs(tenant.rest, delivery.event_id, [
      'success',
      'success',
    ]);

    expect(others).to.deep.equal([]);
    expect((reply.body as { data: DeliveryBody }).data).to.deep.equal(record);
    expect(record).to.include({ replayed_from: delivery.id, attempt: 1 });
  }

  it('sends the replay, and answers the key with its outcome, when the API dies after its first commit', async () => {
    const moment = (text: string, before: string) =>
      text.includes('COMMIT\0') && before.includes('replay_insert');
    postgres.arm({ when: 'response', matches: moment }, killApi);
    expect(await asked()).to.equal('broken');
    await service.startApi();
    await outcome('true');
    expect(receiver.requests).to.have.length(2);
  });

  it('sends twice, but records one replay, when the worker dies after it has sent', async () => {
    const dies: Behaviour = () => killWorker();
    receiver.script(dies);
    const first = asked();
    await replaceWorker();
    expect(await first).to.be.oneOf([200, 503]);
    await outcome('true');
    expect(receiver.requests).to.have.length(3);
  });

  // Only a long run tests the points before and after these.
  if (!isLongRun) return;

  it('leaves no replay and a free key when the API dies before its first commit', async () => {
    const moment = (text: string, before: string) =>
      text.includes('COMMIT') && before.includes('replay_insert');
    postgres.arm({ when: 'request', matches: moment }, killApi);
    expect(await asked()).to.equal('broken');
    await service.startApi();
    await outcome(undefined);
    expect(receiver.requests).to.have.length(2);
  });

  it('stores the response at the next request when the API dies before it stores it', async () => {
    const moment = (text: string) => text.includes('idempotency-record-complete');
    postgres.arm({ when: 'request', matches: moment }, killApi);
    expect(await asked()).to.equal('broken');
    await service.startApi();
    await outcome('true');
    expect(receiver.requests).to.have.length(2);
  });

  it('another worker sends the replay once when the first dies before it sends', async () => {
    const moment = (text: string, before: string) =>
      text.includes(receiver.url()) && before.includes('pending_delivery_claim');
    postgres.arm({ when: 'response', matches: moment }, killWorker);
    const first = asked();
    await replaceWorker();
    expect(await first).to.be.oneOf([200, 503]);
    await outcome('true');
    expect(receiver.requests).to.have.length(2);
  });
});
