import { createServer } from 'node:net';
import { expect } from 'chai';
import { answer, hang } from '../support/behaviours.js';
import { freePort } from '../../tools/launcher/ports.js';
import {
  firstRecordedAs,
  makeDue,
  recordsOf,
  secondsUntilNext,
  recordedAs,
} from '../support/delivery-records.js';
import { createEndpoint, endpointsPath } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { listen, type Listener } from '../support/listener.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { type Service, sharedService, startService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';
import { insertEndpoint } from '../support/engine.js';
import { type EventStream, openEventStream } from '../support/event-stream.js';
import { onPostgres, type TestQueue } from '../support/queue-backends.js';

const hour = 3_600;
const postponed = answer(503, { 'retry-after': String(hour) });

describe('deliveries', () => {
  let service: Service;
  let quick: Service;
  let proxy: Listener;
  let receiver: Receiver;

  before(async () => {
    proxy = await listen(createServer((socket) => socket.destroy()));
    const environment = {
      WEBHOOKS_RETRY_SCHEDULE: '100ms,100ms',
      WEBHOOKS_TIMEOUT: '5s',
      WEBHOOKS_KEEP_RESPONSES: '0',
      WEBHOOKS_CONTENT_TYPE: 'application/cloudevents+json',
      ...proxySettings(`http://127.0.0.1:${proxy.port}`),
    };
    [service, quick] = await Promise.all([sharedService(), startService({ environment })]);
  });

  after(async () => {
    await quick.stop();
    await proxy.close();
  });

  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(() => receiver.close());

  const arrange = async (at: Service, url = receiver.url('/hook')) => {
    const tenant = await createTenant(at);
    return { tenant, endpoint: await createEndpoint(tenant.rest, { url }) };
  };

  it('H60, H62, A16: records failed while an attempt follows, and abandoned when the schedule is over', async () => {
    const { tenant } = await arrange(quick);
    receiver.always(answer(500));
    const lost = await tenant.publish({});
    const records = await recordedAs(tenant.rest, lost, ['failed', 'failed', 'abandoned']);
    expect(records.map((record) => record.max_attempts)).to.deep.equal([3, 3, 3]);
    receiver.script(answer(500));
    receiver.always(answer(200));
    const saved = await tenant.publish({});
    await recordedAs(tenant.rest, saved, ['failed', 'success']);
    const requests = receiver.requests.filter(({ headers }) => headers['webhook-id'] === lost);
    expect(requests.length).to.equal(3);
  });

  const endings: Record<string, (tenant: Tenant, path: string) => Promise<{ status: number }>> = {
    deactivated: (tenant, path) => tenant.rest.patch(path, { active: false }),
    deleted: (tenant, path) => tenant.rest.delete(path),
    unsubscribed: (tenant, path) =>
      tenant.rest.put(`${path}/event-subscriptions`, { event_types: ['invoice.issued'] }),
  };
  for (const [how, end] of Object.entries(endings)) {
    it(`H61: abandons failed deliveries when the endpoint is ${how}, and leaves all others`, async () => {
      const { tenant, endpoint } = await arrange(service);
      const taken = await tenant.publish({});
      await recordedAs(tenant.rest, taken, ['success']);
      receiver.script(answer(500), postponed);

      const once = await tenant.publish({ test: true });
      await recordedAs(tenant.rest, once, ['abandoned']);

      const waiting = await tenant.publish({});
      await recordedAs(tenant.rest, waiting, ['failed']);

      const ended = await end(tenant, `${endpointsPath}/${endpoint.id}`);
      expect(ended.status).to.be.oneOf([200, 204]);
      await recordedAs(tenant.rest, waiting, ['abandoned']);
      await recordedAs(tenant.rest, taken, ['success']);
      await recordedAs(tenant.rest, once, ['abandoned']);

      const left = await service.database.query(
        'select 1 from pending_delivery where event_id = $1',
        [waiting],
      );
      expect(left).to.deep.equal([]);
    });
  }

  it('H62, H63: makes at most 10 attempts, each after the delay of the schedule, a tenth more or less', async () => {
    const delays = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
    const { tenant } = await arrange(service);

    receiver.always(postponed);

    const events = await Promise.all(delays.map(() => tenant.publish({})));
    await Promise.all(events.map((event) => recordedAs(tenant.rest, event, ['failed'])));
    receiver.always(answer(500));

    const check = async (event: string, index: number) => {
      const attempt = index + 2;
      await makeDue(service, event, attempt);
      const last = attempt === 10 ? 'abandoned' : 'failed';
      const [, record] = await recordedAs(tenant.rest, event, ['failed', last]);
      expect([record.attempt, record.max_attempts]).to.deep.equal([attempt, 10]);
      expectDelay(await secondsUntilNext(service, record), delays[attempt - 1]);
    };

    await Promise.all(events.map(check));

    const [first] = await recordedAs(tenant.rest, await tenant.publish({}), ['failed']);
    expectDelay(await secondsUntilNext(service, first), 5);
  });

  it('H63: waits for Retry-After of 429 and 503 when it is longer, up to a day', async () => {
    const { tenant } = await arrange(service);
    firstAttemptsOnly(receiver);

    const after = async (status: number, retryAfter: string) => {
      receiver.script(answer(status, { 'retry-after': retryAfter }));
      const [record] = await recordedAs(tenant.rest, await tenant.publish({}), ['failed']);
      return secondsUntilNext(service, record);
    };

    expect(await after(503, '7200')).to.be.within(7_199, 7_202);
    expect(await after(429, '7200')).to.be.within(7_199, 7_202);

    const date = new Date(Date.now() + 2 * hour * 1_000).toUTCString();
    expect(await after(503, date)).to.be.within(7_190, 7_202);
    expectDelay(await after(503, new Date(0).toUTCString()), 5);
    expect(await after(503, '999999')).to.be.within(86_399, 86_402);
    expectDelay(await after(429, '1'), 5);
    expectDelay(await after(500, '7200'), 5);
  });

  it('H64: counts only a 2xx as a success, and follows no redirect', async () => {
    const { tenant } = await arrange(service);
    firstAttemptsOnly(receiver);

    for (const status of [200, 204, 299]) {
      receiver.script(answer(status));
      const [record] = await recordedAs(tenant.rest, await tenant.publish({}), ['success']);
      expect(record.response_status).to.equal(status);
    }

    for (const status of [301, 307, 400, 404, 500]) {
      receiver.script(answer(status, { location: receiver.url('/elsewhere') }));
      const [record] = await recordedAs(tenant.rest, await tenant.publish({}), ['failed']);
      expect(record.response_status).to.equal(status);
      expect(record).not.to.have.property('delivered_at');
      expectDelay(await secondsUntilNext(service, record), 5);
    }

    expect(receiver.requests.filter(({ path }) => path !== '/hook')).to.deep.equal([]);
  });

  it('H64: ends the attempts at once when the receiver answers 410', async () => {
    const { tenant } = await arrange(service);
    receiver.always(answer(410));
    const [record] = await recordedAs(tenant.rest, await tenant.publish({}), ['abandoned']);
    expect([record.attempt, record.response_status]).to.deep.equal([1, 410]);
  });

  it('H64: retries when no receiver listens', async () => {
    const { tenant } = await arrange(service, `https://127.0.0.1:${await freePort()}/`);
    const [record] = await recordedAs(tenant.rest, await tenant.publish({}), ['failed']);
    expect(record).not.to.have.any.keys('response_status', 'delivered_at');
    expectDelay(await secondsUntilNext(service, record), 5);
  });

  it('H4, H58: sends nothing to an address that the operator has closed, even if the stored url names it', async () => {
    const { tenant, endpoint } = await arrange(service);

    for (const url of ['https://169.254.169.254/latest/meta-data', 'https://10.0.0.1/']) {
      // Creation refuses such a url; a name may lead there later.
      await service.database.query('update endpoint set url = $2 where id = $1', [
        endpoint.id,
        url,
      ]);

      const record = await firstRecordedAs(tenant.rest, await tenant.publish({}), 'failed');
      expect(record).not.to.have.any.keys('response_status', 'delivered_at', 'duration_ms');

      const { webhookDeliveries } = await tenant.graphql<{
        webhookDeliveries: { data: { id: string; failureReason: string }[] };
      }>(
        'query ($account: ID) { webhookDeliveries(account: $account) { data { id failureReason } } }',
        {
          account: tenant.account,
        },
      );

      const reported = webhookDeliveries.data.find(({ id }) => id === record.id);
      expect(reported?.failureReason).to.equal('blocked_destination');
    }
  });

  it('H65: fails without response_status when no answer came in time', async () => {
    const { tenant } = await arrange(quick);
    receiver.script(hang);
    const [record] = await recordedAs(tenant.rest, await tenant.publish({}), ['failed', 'success']);
    expect(record).not.to.have.any.keys('response_status', 'delivered_at');
    expect(record.duration_ms).to.be.within(4_950, 15_000);
  });

  it('H130: keeps no headers and no body of a response if the setting says so', async () => {
    const { tenant } = await arrange(quick);
    receiver.script(answer(500, { server: 'private' }, 'private'));
    await recordedAs(tenant.rest, await tenant.publish({}), ['failed', 'success']);
    const rows = await quick.database.query(
      'select url, phase, response_headers, body from delivery_evidence where url = $1',
      [receiver.url('/hook')],
    );
    const kept = { url: receiver.url('/hook'), phase: 'end', response_headers: null, body: null };
    expect(rows).to.deep.equal([kept, kept]);
  });

  it('H65: counts a 2xx as a success however much follows it', async () => {
    const { tenant } = await arrange(quick);
    receiver.always(answer(200, {}, Buffer.alloc(4 * 1_048_576)));
    await recordedAs(tenant.rest, await tenant.publish({}), ['success']);
  });

  it('H81: sends application/cloudevents+json if the setting says so, with the number of the attempt', async () => {
    const { tenant } = await arrange(quick);
    receiver.script(answer(500));
    await recordedAs(tenant.rest, await tenant.publish({}), ['failed', 'success']);
    const [first, second] = receiver.requests;
    expect(first?.headers).to.include({
      'content-type': 'application/cloudevents+json',
      'x-service-attempt': '1',
    });
    expect(second?.headers).to.include({ 'x-service-attempt': '2' });
    expect(second?.body).to.deep.equal(first?.body);
  });

  it('ignores every proxy that the environment names', async () => {
    const { tenant } = await arrange(quick);
    await recordedAs(tenant.rest, await tenant.publish({}), ['success']);
    expect(proxy.connections.accepted).to.equal(0);
  });

  for (const [what, certificate] of Object.entries({
    'signed by itself': { selfSigned: true },
    expired: { expired: true },
    'of another name': { names: ['other.receiver.test'] },
  })) {
    it(`H65: sends nothing to a receiver whose certificate is ${what}`, async () => {
      const impostor = await startReceiver({ certificate });
      try {
        const { tenant } = await arrange(service, impostor.url());
        const record = await firstRecordedAs(tenant.rest, await tenant.publish({}), 'failed');
        expect(record).not.to.have.property('response_status');
        expect(impostor.requests).to.deep.equal([]);
      } finally {
        await impostor.close();
      }
    });
  }

  it('H116: sends nothing over a TLS session of a certificate that has expired since', async () => {
    const validMs = 10_000;
    const port = await freePort();
    const { tenant } = await arrange(service, `https://127.0.0.1:${port}/`);
    const ending = await startReceiver({ certificate: { validMs }, port });
    const endsAt = Date.now() + validMs;
    try {
      await recordedAs(tenant.rest, await tenant.publish({}), ['success']);
      await eventually(() => expect(Date.now()).to.be.above(endsAt), 'the certificate expires');
      ending.dropConnections();
      await firstRecordedAs(tenant.rest, await tenant.publish({}), 'failed');
      expect(ending.requests).to.have.length(1);
    } finally {
      await ending.close();
    }
  });

  it('H67: sends no event of an inactive time, even after the endpoint is active again', async () => {
    const { tenant, endpoint } = await arrange(service);
    const path = `${endpointsPath}/${endpoint.id}`;
    await tenant.rest.patch(path, { active: false });
    const missed = await tenant.publish({});
    await tenant.rest.patch(path, { active: true });
    const reported = await tenant.publish({});
    await recordedAs(tenant.rest, reported, ['success']);
    expect(await recordsOf(tenant.rest, missed)).to.deep.equal([]);
    expect(receiver.requests.map(({ headers }) => headers['webhook-id'])).to.deep.equal([reported]);
  });
});

/** The environment variables of proxies, and the one that makes Node use them. */
function proxySettings(url: string): Record<string, string> {
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'];
  const both = names.flatMap((name) => [name, name.toLowerCase()]);
  const entries = both.map((name) => [name, url] as const);
  return { ...Object.fromEntries(entries), NO_PROXY: '', no_proxy: '', NODE_USE_ENV_PROXY: '1' };
}

/** Keeps the scripted answers for first attempts: a second one may become due while the test runs. */
function firstAttemptsOnly(receiver: Receiver): void {
  receiver.choose(({ headers }) =>
    headers['x-service-attempt'] === '1' ? undefined : answer(200),
  );
}

/** 10 % more or less, plus 1 s for recording; undefined means no next attempt. */
function expectDelay(seconds: number | null, delay: number | undefined): void {
  if (delay === undefined) expect(seconds).to.equal(null);
  else expect(seconds).to.be.within(delay * 0.9 - 0.1, delay * 1.1 + 1);
}

const perHost = 3;

describe('the endpoints of an account at one host', () => {
  let queue: TestQueue;
  let stream: EventStream;

  before(async () => {
    queue = await onPostgres();
    stream = await openEventStream(queue, {
      WEBHOOKS_TIMEOUT: '60s',
      WORKER_HOST_CONCURRENCY: String(perHost),
    });
  });

  after(async () => {
    await stream.drop();
    await queue.drop();
  });

  const insert = (path: string, host?: string) =>
    insertEndpoint(stream.database, stream.account, `url = '${stream.receiver.url(path, host)}'`);
  const arrived = (path: RegExp) =>
    stream.receiver.requests.filter((request) => path.test(request.path)).length;

  it('H261: endpoints share the slots of a worker for their host, and another host does not wait', async () => {
    for (let place = 1; place <= 8; place += 1) await insert(`/hook?place=${place}`);
    await insert('/other', 'localhost');

    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let inFlight = 0;
    let most = 0;
    stream.receiver.choose(({ path }) => async (request, response) => {
      if (path === '/other') return answer(200)(request, response);
      inFlight += 1;
      most = Math.max(most, inFlight);
      await released;
      // Before the response: once the worker has it, the next request may come.
      inFlight -= 1;
      return answer(200)(request, response);
    });

    await stream.startWorker();
    for (let count = 0; count < 4; count += 1) await stream.publish();

    await eventually(() => {
      expect(arrived(/^\/hook/)).to.equal(perHost);
      expect(arrived(/^\/other/)).to.equal(4);
    }, 'as many attempts are under way as may be, and all at the other host were made');

    release();
    await stream.close('one host');
    expect(arrived(/^\/hook/)).to.equal(4 * 9);
    expect(most).to.equal(perHost);
  });
});
