import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { type Service, startService } from '../support/service.js';
import { SseClient, writeEvents } from '../support/event-stream.js';
import { createTenant, type Tenant } from '../support/tenants.js';
import { freePort } from '../../tools/launcher/ports.js';
import { type ServiceProcess, startProcess, untilReady } from '../support/process.js';

describe('the live streams of two API processes', () => {
  let service: Service;
  let second: SecondApi;
  let tenant: Tenant;
  let token: string;
  const clients: SseClient[] = [];

  before(async () => {
    service = await startService();
    second = await startSecondApi(service);
  });

  beforeEach(async () => {
    tenant = await createTenant(service);
    ({ token } = await tenant.credential({ kind: 'live' }));
  });

  afterEach(() => {
    for (const client of clients.splice(0)) client.close();
  });

  after(async () => {
    if (second.process.running) await second.process.end();
    await service.stop();
  });

  const open = async (url: string, lastEventId?: string) => {
    const client = await SseClient.open(url, { token, query: '?kinds=event', lastEventId });
    clients.push(client);
    return client;
  };

  const has = (client: SseClient, ids: readonly string[]) =>
    eventually(() => expect(client.ids('event')).to.deep.equal(ids), 'the events');

  it('H159: the streams of both processes show what either published', async () => {
    const streams = [await open(service.url), await open(second.url)];
    for (const stream of streams) await stream.joined();
    // Publishing runs at the first process.
    const id = await tenant.publish({});
    for (const stream of streams) await has(stream, [id]);
  });

  it('H160: a stream that one process cut goes on at the other', async () => {
    const first = await (await open(second.url)).joined();
    const before = await tenant.publish({});
    await has(first, [before]);
    expect(await second.process.end('SIGTERM')).to.equal(0);
    await eventually(() => expect(first.ended).to.equal(true), 'the stream ended');
    const missed = [await tenant.publish({}), await tenant.publish({})];
    const resumed = await open(service.url, first.lastEventId);
    await eventually(() => expect(resumed.ids('event')).to.have.members(missed), 'the rest');
    second = await startSecondApi(service);
    const back = await open(second.url, resumed.lastEventId);
    const later = await tenant.publish({});
    await has(back, [later]);
  });

  it('H162: an account has at most 20 streams over both processes, also after one was killed', async () => {
    const openMany = (url: string, count: number) =>
      Promise.all(Array.from({ length: count }, () => open(url)));
    const statusOf = async (url: string) => {
      const client = await open(url);
      const { statusCode } = client.response;
      return statusCode === 429
        ? (JSON.parse(client.problem) as { code: string }).code
        : statusCode;
    };

    const opened = [...(await openMany(service.url, 12)), ...(await openMany(second.url, 8))];
    expect(opened.map(({ response }) => response.statusCode)).to.deep.equal(Array(20).fill(200));
    expect(await statusOf(service.url)).to.equal('stream_limit_reached');
    expect(await statusOf(second.url)).to.equal('stream_limit_reached');
    await second.process.end('SIGKILL');

    await eventually(
      async () => expect(await statusOf(service.url)).to.equal(200),
      'the slots of the killed process are free',
      90_000,
    );

    second = await startSecondApi(service);
    expect(await statusOf(second.url)).to.equal(200);
  });

  it('H179: a client that reads gets more than a mebibyte of one commit', async () => {
    const client = await (await open(second.url)).joined();
    const ids = await writeEvents(service.database, tenant.account, 80, 200_000);
    await has(client, ids);
    const [later = ''] = await writeEvents(service.database, tenant.account, 1, 10);
    await has(client, [...ids, later]);
  });
});

/** Another API process of a service, with listeners of its own. */
interface SecondApi {
  readonly url: string;
  readonly process: ServiceProcess;
}

/** Starts one more API process and waits until it is ready; end it before the service stops. */
async function startSecondApi(service: Service): Promise<SecondApi> {
  const port = await freePort();
  const internalPort = await freePort();
  const one = startProcess('src/main.js', {
    ...service.environment,
    PORT: String(port),
    INTERNAL_PORT: String(internalPort),
  });
  await untilReady(one, `http://127.0.0.1:${internalPort}`);
  return { url: `http://127.0.0.1:${port}`, process: one };
}
