import { expect } from 'chai';
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { setEndpointRateLimit } from '../../src/domain/endpoint/change-endpoint.js';
import { answer } from '../support/behaviours.js';
import { insertEndpoint } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { type EventStream, openEventStream } from '../support/event-stream.js';
import { describeOnQueues, type TestQueue } from '../support/queue-backends.js';
import { report } from '../support/reconciliation.js';

const perSecond = 10;
const workers = 4;
const events = 70;

describeOnQueues('H153: an endpoint with a rate limit, and four workers', (create) => {
  let queue: TestQueue;
  let stream: EventStream;
  let limited: string;
  let ownDelay: IntervalHistogram;

  before(async () => {
    queue = await create();
    stream = await openEventStream(queue, {
      WEBHOOKS_TIMEOUT: '5s',
      WEBHOOKS_RETRY_SCHEDULE: '1s,1s,1s',
    });
    const { database, account, receiver } = stream;
    limited = await insertEndpoint(database, account, `url = '${receiver.url('/limited')}'`);
    const { transact } = await database.open();
    await transact((tx) => setEndpointRateLimit(tx, account, limited, perSecond));
    await Promise.all(Array.from({ length: workers }, () => stream.startWorker()));
  });

  beforeEach(() => {
    ownDelay = monitorEventLoopDelay({ resolution: 10 });
    ownDelay.enable();
  });

  afterEach(() => ownDelay.disable());

  after(async () => {
    await stream.drop();
    await queue.drop();
  });

  const arrivals = (path: string) =>
    stream.receiver.requests.filter((request) => request.path === path).map(({ at }) => at);
  const open = async () => {
    const [row] = await stream.database.query<{ count: number }>(
      'select count(*)::int as count from pending_delivery where endpoint_id = $1',
      [limited],
    );
    return row?.count ?? 0;
  };

  /** The most requests that arrived within any range of this length. */
  const mostWithin = (rangeMs: number, times: readonly number[]) =>
    Math.max(
      ...times.map((at) => times.filter((other) => other >= at && other < at + rangeMs).length),
    );

  /**
   * Requests that may arrive within a range. Unit tests count at most 11 a second where they are sent.
   * Here they are counted where they arrive: those of the longest pause of this process come together.
   * The system may also stop each worker between its check of the time and its request.
   */
  const mostAllowed = (rangeMs: number) =>
    Math.ceil((perSecond * (rangeMs + ownDelay.max / 1e6)) / 1_000) + 1 + workers;

  it('sends 10 a second, retries and replays included, while its neighbour gets all at once', async function () {
    const { database, receiver } = stream;
    // Every fourth event of the limited endpoint fails once.
    receiver.choose(({ path, headers }) => {
      const isFirst = path === '/limited' && headers['x-service-attempt'] === '1';
      return answer(isFirst && (headers['webhook-id'] ?? '').charCodeAt(20) % 4 === 0 ? 500 : 200);
    });

    for (let index = 0; index < events; index += 1) await stream.publish();

    await database.query(
      `insert into pending_delivery (id, account_id, endpoint_id, event_id, event_type, lane, ready,
                                     due_at, attempt, max_attempts, test, replayed_from, created_at)
       select replace(c.id, 'pdl_', 'pdl_r'), c.account_id, c.endpoint_id, c.event_id, c.event_type,
              'replay', true, now(), 1, 1, false, 'whd_1', now()
         from pending_delivery c where c.endpoint_id = $1 and c.lease_token is null limit 10`,
      [limited],
    );

    await eventually(() => expect(arrivals('/hook')).to.have.length(events), 'the neighbour');

    const beforeTheNeighbourHadAll = arrivals('/limited').length;
    await eventually(async () => expect(await open()).to.equal(0), 'all are sent');

    const times = arrivals('/limited').sort((one, other) => one - other);
    const most = mostWithin(1_000, times);

    // While it has a backlog: the last retries are due a second later.
    const average = (events - 1) / (((times[events - 1] ?? 0) - (times[0] ?? 0)) / 1_000);
    const attempts = receiver.requests.filter(({ path }) => path === '/limited');
    report('an endpoint with 10 a second', queue, {
      requests: times.length,
      most,
      average: Number(average.toFixed(2)),
      retries: attempts.filter(({ headers }) => headers['x-service-attempt'] !== '1').length,
    });

    expect(times.length).to.be.greaterThan(events + 10);
    expect(most).to.be.at.most(mostAllowed(1_000));
    expect(mostWithin(5_000, times)).to.be.at.most(mostAllowed(5_000));
    expect(beforeTheNeighbourHadAll).to.be.lessThan(events);
  });

  it('a worker that was paused sends no burst when it goes on', async function () {
    const before = arrivals('/limited').length;
    stream.receiver.choose(() => answer(200));
    for (let index = 0; index < 40; index += 1) await stream.publish();

    const [paused] = stream.workers;

    await eventually(
      () => expect(arrivals('/limited').length).to.be.at.least(before + 5),
      'it begins',
    );

    process.kill(paused!.pid, 'SIGSTOP');

    await eventually(
      () => expect(arrivals('/limited').length).to.be.at.least(before + 20),
      'others go on',
    );

    process.kill(paused!.pid, 'SIGCONT');
    await eventually(async () => expect(await open()).to.equal(0), 'all are sent');

    const times = arrivals('/limited')
      .slice(before)
      .sort((one, other) => one - other);
    report('a paused worker among four', queue, {
      requests: times.length,
      most: mostWithin(1_000, times),
    });

    expect(mostWithin(1_000, times)).to.be.at.most(mostAllowed(1_000));
  });
});
