import { expect } from 'chai';
import { createEndpoint, endpointsPath } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { describeServiceOnQueues, type ServiceQueue } from '../support/queue-backends.js';
import { startReceiver, type Receiver } from '../support/receiver.js';
import { startService, type Service } from '../support/service.js';
import { SseClient } from '../support/event-stream.js';
import { createTenant, type Tenant } from '../support/tenants.js';

describeServiceOnQueues('the live stream', (createQueue) => {
  let queue: ServiceQueue;
  let service: Service;
  let tenant: Tenant;
  let receiver: Receiver;
  let token: string;

  before(async () => {
    queue = await createQueue();
    const { redisUrl } = queue;
    service = await startService({
      environment: redisUrl === undefined ? {} : { REDIS_URL: redisUrl },
    });
    tenant = await createTenant(service);
    ({ token } = await tenant.credential({ kind: 'live' }));
    receiver = await startReceiver();
  });

  after(async () => {
    await service.stop();
    await queue.drop();
    await receiver.close();
  });

  const open = (query = '', lastEventId?: string) =>
    SseClient.open(service.url, { token, query, lastEventId });

  it('H159: shows an event, its attempt and a changed endpoint', async () => {
    const client = await (await open()).joined();
    expect(client.response.headers).to.include({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });

    const { id } = await createEndpoint(tenant.rest, { url: receiver.url() });
    const event = await tenant.publish({});

    await eventually(() => expect(client.of('delivery')).to.have.lengthOf(1), 'the attempt');

    const [created] = client.of('endpoint');
    expect(created?.data).to.deep.include({ change: 'created' });

    const [published] = client.of('event');
    expect(published?.data).to.include({ id: event, type: 'cart.order.completed', test: false });

    const [request] = receiver.requests;
    expect(published?.data['body']).to.equal(request?.body.toString());

    const [attempt] = client.of('delivery');
    expect(attempt?.data).to.include({ event_id: event, status: 'success', endpoint_id: id });

    const refusing = 'https://127.0.0.1:1/';
    await tenant.rest.patch(`${endpointsPath}/${id}`, { url: refusing });
    await tenant.publish({});
    await eventually(() => expect(client.of('delivery')).to.have.lengthOf(2), 'a failed attempt');

    const evidence = client.of('delivery').at(-1)?.data['evidence'];
    expect(evidence)
      .to.include({ url: refusing, address: '127.0.0.1' })
      .and.to.have.property('failure');
    await tenant.rest.delete(`${endpointsPath}/${id}`);

    await eventually(
      () => expect(client.of('endpoint').at(-1)?.data).to.include({ change: 'deleted' }),
      'the endpoint was deleted',
    );

    client.close();
  });

  it('H160: goes on at another process after kill -9, without a gap or a repetition', async () => {
    const published: string[] = [];
    const publish = async () => void published.push(await tenant.publish({}));
    const first = await (await open('?kinds=event')).joined();

    for (let left = 10; left > 0; left -= 1) await publish();
    await eventually(() => expect(first.ids('event')).to.have.lengthOf(10), 'the events');

    // As if the client had lost the last frames with its connection.
    const held = first.of('event').slice(0, 7);
    await service.api.end('SIGKILL');
    await eventually(() => expect(first.ended).to.equal(true), 'the stream broke');
    await service.startApi();
    for (let left = 5; left > 0; left -= 1) await publish();

    const second = await open('?kinds=event', held.at(-1)?.id);
    await publish();
    await eventually(() => expect(second.ids('event')).to.have.lengthOf(9), 'the rest');

    const ids = [...held.map(({ data }) => data['id']), ...second.ids('event')];

    // Events of the same millisecond come in any order.
    expect(ids).to.have.members(published);
    second.close();
  });

  it('H163: ends its streams with a reason when the process stops, and does not wait for them', async () => {
    const client = await (await open()).joined();
    expect(await service.api.end('SIGTERM')).to.equal(0);
    expect(client.frames.at(-1)).to.deep.include({
      event: 'cut',
      data: { reason: 'shutting_down' },
    });
    await service.startApi();
  });
});
