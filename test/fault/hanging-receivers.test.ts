import { expect } from 'chai';
import { answer, type Behaviour } from '../support/behaviours.js';
import { insertEndpoint } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { type EventStream, openEventStream } from '../support/event-stream.js';
import { FaultInjection } from '../support/fault-injection.js';
import { describeOnQueues, type TestQueue } from '../support/queue-backends.js';
import { report } from '../support/reconciliation.js';

const endpoints = 200;
const oneInHangs = 5;
const healthy = endpoints - endpoints / oneInHangs;

describeOnQueues('R14: receivers that hang', (create) => {
  let queue: TestQueue;
  let stream: EventStream;
  let hanging: string[];

  /** Attempts at hanging receivers that have begun and ended. */
  const hung = { begun: 0, ended: 0 };

  const hang: Behaviour = (request) => {
    hung.begun += 1;
    request.socket.once('close', () => (hung.ended += 1));
  };

  before(async () => {
    queue = await create();
    stream = await openEventStream(queue, { WEBHOOKS_TIMEOUT: '60s' });
    const { database, account, receiver } = stream;
    await database.query('update endpoint set active = false');
    const arrange = (index: number) => {
      const path = index % oneInHangs === 0 ? `/hang/${index}` : `/healthy/${index}`;
      return insertEndpoint(database, account, `url = '${receiver.url(path)}'`);
    };
    const ids = await Promise.all(Array.from({ length: endpoints }, (_, index) => arrange(index)));
    hanging = ids.filter((_, index) => index % oneInHangs === 0);
    await stream.startWorker();
  });

  after(async () => {
    // Killed, because they would wait for the hanging attempts.
    await Promise.all(
      stream.workers.filter(({ running }) => running).map((worker) => worker.end('SIGKILL')),
    );
    await stream.drop();
    await queue.drop();
  });

  const arrived = () => stream.receiver.requests.filter(({ path }) => path.startsWith('/healthy'));

  /** Publishes `events` and waits until every healthy receiver has each; the slowest hundredth, in ms. */
  async function publishToHealthy(events: number): Promise<{ p99: number; lost: number }> {
    const before = arrived().length;
    const published = new Map<string, number>();
    for (let index = 0; index < events; index += 1) {
      const at = Date.now();
      published.set(await stream.publish(), at);
    }

    /** The number of events that are missing at all healthy receivers together. */
    const missing = () => {
      const came = arrived().flatMap(({ path, headers: { 'webhook-id': id = '' } }) =>
        published.has(id) ? `${path} ${id}` : [],
      );
      return events * healthy - new Set(came).size;
    };

    // Before the first hanging attempt ends.
    await eventually(
      () => expect(missing()).to.equal(0),
      'healthy receivers have everything',
      50_000,
    );

    const took = arrived()
      .slice(before)
      .map(({ headers, at }) => at - (published.get(headers['webhook-id'] ?? '') ?? at))
      .sort((one, other) => one - other);
    return { p99: took[Math.floor(took.length * 0.99)] ?? 0, lost: missing() };
  }

  it('delivers every event to the others before the first attempt ends at the 20 % of receivers that hang', async function () {
    const injection = new FaultInjection('receivers hang');
    this.timeout(injection.limitMs);
    stream.receiver.always(answer(200));

    const alone = await publishToHealthy(injection.times);
    stream.receiver.choose(({ path }) => (path.startsWith('/hang') ? hang : undefined));

    const beside = await publishToHealthy(injection.times);
    expect(hung.begun).to.be.at.least(hanging.length);
    expect(hung.ended).to.equal(0);

    report('200 endpoints, 40 of them hang', queue, {
      events: injection.times,
      lost: beside.lost,
      hung: hung.begun,
      p99_alone_ms: alone.p99,
      p99_beside_ms: beside.p99,
    });
  });

  it('delivers the next event to the others while a hanging receiver has 100,000 deliveries due', async function () {
    await stream.database.query(
      `insert into pending_delivery (id, account_id, endpoint_id, event_id, event_type, lane, ready, due_at,
                          attempt, max_attempts, test, created_at)
       select 'pdl_' || lpad(g::text, 24, '0'), $1, $2, e.id, e.type, 'live', true,
              now() - interval '1 hour', 1, 10, false, now()
         from (select id, type from event order by id limit 1) e, generate_series(1, 100000) g`,
      [stream.account, hanging[0]],
    );
    const ended = hung.ended;
    const { p99, lost } = await publishToHealthy(1);
    expect(hung.ended).to.equal(ended);
    report('a hanging endpoint with 100,000 due', queue, { events: 1, lost, p99_ms: p99 });
  });
});
