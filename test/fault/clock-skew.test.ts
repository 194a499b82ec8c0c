import { expect } from 'chai';
import { timestampOf } from '../../src/domain/values/id.js';
import { answer } from '../support/behaviours.js';
import { createCheckout, expireIn } from '../support/sales.js';
import { recordedAs } from '../support/delivery-records.js';
import { createEndpoint, dataOf, deliveriesPath, endpointsPath } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { type EventStream, openEventStream } from '../support/event-stream.js';
import { preloaded } from '../support/preloaded.js';
import type { ServiceProcess } from '../support/process.js';
import {
  describeOnQueues,
  describeServiceOnQueues,
  type ServiceQueue,
  type TestQueue,
} from '../support/queue-backends.js';
import { reconcile } from '../support/reconciliation.js';
import { type Receiver, startReceiver, verify } from '../support/receiver.js';
import { type Service, startService } from '../support/service.js';
import { createTenant } from '../support/tenants.js';

const hourMs = 3_600_000;
/** What the poller may add to a due time when no wake-up came. */
const pollMs = 2_000;

describeOnQueues('R12: workers whose clocks are an hour off', (create) => {
  let queue: TestQueue;

  before(async () => {
    queue = await create();
  });
  after(() => queue.drop());

  it('the workers make, sign and record attempts by the clock of the database', async () => {
    await Promise.all([run('ahead', hourMs), run('behind', -hourMs)]);
  });

  async function run(named: string, offset: number): Promise<void> {
    const stream = await openEventStream(queue, { WEBHOOKS_RETRY_SCHEDULE: '1s,1s,1s' });
    try {
      await deliver(stream, named, offset);
    } finally {
      await stream.drop();
    }
  }

  async function deliver(stream: EventStream, named: string, offset: number): Promise<void> {
    const worker = await stream.startWorker(clockOff(offset));
    // Against a clock that is off, a date would be over at once, or an hour away.
    const date = new Date(Date.now() + 4_000).toUTCString();
    stream.receiver.script(answer(503, { 'retry-after': date }), answer(500));
    await stream.publish();

    const { duplicates } = await stream.close(`clock an hour ${named}`);
    expect(duplicates).to.equal(0);

    const requests = stream.receiver.requests;
    expect(requests).to.have.length(3);

    const [, second, third] = requests.map(({ at }) => at) as [number, number, number];
    expect(second - Date.parse(date), 'postponed').to.be.within(-300, pollMs);
    expect(third - second, 'scheduled').to.be.within(900, 1_100 + pollMs);

    for (const { headers, at } of requests) {
      const stamp = Number(headers['webhook-timestamp']) * 1_000;
      expect(Math.abs(stamp - at), 'signed at').to.be.lessThan(2_500);
    }

    const off = await stream.database.query(
      `select id from delivery where abs(extract(epoch from created_at - now())) > 60`,
    );
    expect(off, 'records dated by the process').to.deep.equal([]);
    await expectClockOff(worker, offset);
  }
});

describeServiceOnQueues('R12: an API and a worker whose clocks are an hour off', (create) => {
  let queue: ServiceQueue;

  before(async () => {
    queue = await create();
  });
  after(() => queue.drop());

  it('API and worker accept, date, validate and deliver by the clock of the database', async () => {
    await Promise.all([run('ahead', hourMs), run('behind', -hourMs)]);
  });

  async function run(named: string, offset: number): Promise<void> {
    const { redisUrl } = queue;
    const environment = {
      ...clockOff(offset),
      ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
    };

    const service = await startService({ environment });
    const receiver = await startReceiver();
    try {
      await expectClockOff(service.api, offset);
      await serve(service, receiver, `every clock an hour ${named}`);
    } finally {
      await receiver.close();
      await service.stop();
    }
  }

  async function serve(service: Service, receiver: Receiver, title: string): Promise<void> {
    const tenant = await createTenant(service);
    const { rest } = tenant;
    const endpoint = await createEndpoint(rest, { url: receiver.url() });
    expectNow(endpoint.created_at);

    const event = await tenant.publish({ key: 'once' });
    const again = await tenant.publish({ key: 'once' });
    expect(again, 'published under one key').to.equal(event);
    expectNow(timestampOf(event));

    const [record] = await recordedAs(rest, event, ['success']);
    expectNow(record.created_at);

    const { database } = service;
    const { redisUrl } = queue;
    const { duplicates } = await reconcile(title, { acked: [event], redisUrl, receiver, database });
    expect(duplicates).to.equal(0);

    // Signs along for a day by whichever clock says when that is over.
    const rotated = await rest.post(`${endpointsPath}/${endpoint.id}/secret-rotations`);
    dataOf(rotated, 200);

    const replayed = await rest.post(`${deliveriesPath}/${record.id}/replay`);
    expect(dataOf(replayed, 200)).to.include({ status: 'success' });

    const requests = receiver.requests;
    expect(requests).to.have.length(2);

    for (const request of requests) {
      const secret = endpoint.signing_secret;
      expect(verify(request, secret)).to.deep.equal({ service: true, standard: true });
      expectNow(Number(request.headers['webhook-timestamp']) * 1_000);
      const body = JSON.parse(request.body.toString()) as { time: string };
      expectNow(body.time);
    }

    // With a clock that is an hour off, both results would be the opposite.
    const open = await createCheckout(tenant);
    const over = await createCheckout(tenant);

    await expireIn(database, open, hourMs / 2);
    await expireIn(database, over, -hourMs / 2);

    const status = async (id: string) =>
      dataOf<{ status: string }>(await rest.get(`/v1/commerce/checkouts/${id}`), 200).status;
    expect([await status(open), await status(over)]).to.deep.equal(['open', 'expired']);

    const kept = await tenant.credential({ kind: 'dashboard' });
    const ended = await tenant.credential({ kind: 'dashboard' });
    for (const [{ id }, ms] of [
      [kept, hourMs / 2],
      [ended, -hourMs / 2],
    ] as const) {
      await database.query(
        `update credential set expires_at = now() + $2 * interval '1 millisecond' where id = $1`,
        [id, ms],
      );
    }

    const asked = async (token: string) => (await rest.get(endpointsPath, { token })).status;
    expect([await asked(kept.token), await asked(ended.token)]).to.deep.equal([200, 401]);

    const dates = [
      'event',
      'pending_delivery',
      'delivery',
      'endpoint',
      'endpoint_secret',
      'idempotency_record',
    ].map((table) => `select '${table}' as tableName, created_at as at from ${table}`);

    const off = await database.query(
      `select tableName, at from (${dates.join(' union all ')}
         union all select 'end of the older secret', expires_at - interval '24 hours'
           from endpoint_secret where expires_at is not null) dates
        where abs(extract(epoch from at - now())) > 60`,
    );
    expect(off, 'dated by the process').to.deep.equal([]);
  }
});

function clockOff(offset: number): Record<string, string> {
  return { ...preloaded('preload-shifted-clock'), CLOCK_OFFSET_MS: String(offset) };
}

/** The newest line of its log, which may come after its answers, is dated by its own clock. */
async function expectClockOff({ lines }: ServiceProcess, offset: number): Promise<void> {
  await eventually(() => expect(lines).not.to.be.empty, 'it says something');
  const log = JSON.parse(lines.at(-1) ?? '') as { time: string };
  const off = Date.parse(log.time) - Date.now();
  expect(Math.abs(off - offset), 'its clock is off').to.be.lessThan(60_000);
}

/** Dated by PostgreSQL, whose clock is this machine's. */
function expectNow(at: string | number | Date): void {
  const date = new Date(at);
  const off = Math.abs(date.getTime() - Date.now());
  expect(off, `dated ${date.toISOString()}`).to.be.lessThan(60_000);
}
