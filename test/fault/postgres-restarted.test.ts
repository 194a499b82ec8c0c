import { expect } from 'chai';
import { type ApiEventStream, openApiEventStream } from '../support/event-stream.js';
import { type Cluster, startCluster } from '../support/cluster.js';
import { endpointInput, endpointsPath, toProblem } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { FaultInjection } from '../support/fault-injection.js';
import { describeServiceOnQueues, type ServiceQueue } from '../support/queue-backends.js';
import { seededRandom } from '../support/random.js';

/** The longest time until a response. */
const patienceMs = 12_500;

describeServiceOnQueues('PostgreSQL', (create) => {
  let queue: ServiceQueue;
  let cluster: Cluster;
  let stream: ApiEventStream;

  before(async () => {
    queue = await create();
    cluster = await startCluster({ durable: true });
    stream = await openApiEventStream({ ...queue, cluster });
  });

  after(async () => {
    await stream.drop();
    await cluster.stop();
    await queue.drop();
  });

  /** Changes and reads over REST until `done`: each is done, or refused as "not now", in time. */
  async function askUntil(done: Promise<unknown>): Promise<{ refused: number }> {
    const { rest } = stream.tenant;
    const state = { going: true };
    const ended = done.finally(() => (state.going = false));
    let refused = 0;

    while (state.going) {
      const began = performance.now();
      const change = await rest.post(endpointsPath, endpointInput({ active: false }));
      const read = await rest.get(`${endpointsPath}?limit=1`);

      expect(performance.now() - began).to.be.below(2 * patienceMs);

      for (const reply of [change, read]) {
        if (reply.status < 300) continue;
        refused += 1;
        expect(toProblem(reply, 503).code).to.equal('service_unavailable');
        expect(reply.headers['retry-after']).to.equal('5');
      }
    }

    await ended;

    return { refused };
  }

  async function survive(
    title: string,
    injection: FaultInjection,
    inject: () => unknown,
    seed?: number,
  ) {
    const striking = injection.repeat(inject);
    const [figures] = await Promise.all([askUntil(striking), stream.publishUntil(striking)]);
    const options = { injected: injection.injected, figures };
    expectAllRunning();
    await stream.close(title, { ...options, ...(seed !== undefined && { seed }) });
    const { service, acked } = stream;
    const stored = await service.database.query('select id from event where account_id = $1', [
      stream.tenant.account,
    ]);
    expect(stored.length, 'one event for each key').to.equal(acked.size);
    expectAllRunning();
    return figures;
  }

  function expectAllRunning(): void {
    const { api, workers } = stream.service;
    for (const { running, lines } of [api, ...workers]) {
      expect(running, lines.slice(-3).join('\n')).to.equal(true);
    }
  }

  it('R8: loses nothing acknowledged while PostgreSQL is restarted repeatedly, and refuses with 503 meanwhile', async function () {
    const injection = new FaultInjection('PostgreSQL restarted');
    this.timeout(injection.limitMs);
    const { refused } = await survive('PostgreSQL restarted', injection, () => cluster.restart());
    expect(refused).to.be.greaterThan(0);
  });

  it('R9: loses nothing acknowledged when connections to PostgreSQL are ended at random', async function () {
    const injection = new FaultInjection('connections terminated');
    this.timeout(injection.limitMs);
    const { seed, random } = seededRandom();
    const terminate = async () => {
      const backends = await stream.service.database.query<{ pid: number }>(
        `select pid from pg_stat_activity
          where datname = current_database() and application_name like 'signalpost%'`,
      );
      const pid = backends.length > 0 ? random.pick(backends).pid : undefined;
      await stream.service.database.query('select pg_terminate_backend($1)', [pid]);
    };
    await survive('connections to PostgreSQL terminated', injection, terminate, seed);
  });

  it('R10: refuses with 503 while PostgreSQL is read-only, and recovers without a restart', async function () {
    const injection = new FaultInjection('PostgreSQL read-only');
    this.timeout(injection.limitMs);

    const { database } = stream.service;
    const makeReadOnly = async (value: 'on' | 'off') => {
      await database.query(`alter system set default_transaction_read_only = ${value}`);
      await database.query('select pg_reload_conf()');
      await eventually(async () => {
        const [row] = await database.query<{ value: string }>(
          `select current_setting('default_transaction_read_only') as value`,
        );
        expect(row?.value).to.equal(value);
      }, `read-only is ${value}`);
    };

    const { refused } = await survive('PostgreSQL read-only', injection, async () => {
      await makeReadOnly('on');
      try {
        await injection.holdFault();
      } finally {
        await makeReadOnly('off');
      }
    });
    expect(refused).to.be.greaterThan(0);
  });
});
