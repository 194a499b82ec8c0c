import { expect } from 'chai';
import { type ApiLedger, openApiLedger } from '../support/api-ledger.js';
import { type Cluster, startCluster } from '../support/cluster.js';
import { endpointInput, endpointsPath, problemOf } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { Ordeal } from '../support/ordeal.js';
import { describeServiceOnQueues, type ServiceQueue } from '../support/queue-backends.js';
import { seededChance } from '../support/seeded-chance.js';

/** A request is answered in less than this, whatever PostgreSQL does. */
const patienceMs = 12_500;

describeServiceOnQueues('PostgreSQL', (create) => {
  let queue: ServiceQueue;
  let cluster: Cluster;
  let ledger: ApiLedger;

  before(async () => {
    queue = await create();
    cluster = await startCluster({ durable: true });
    ledger = await openApiLedger({ ...queue, cluster });
  });
  after(async () => {
    await ledger.drop();
    await cluster.stop();
    await queue.drop();
  });

  /** Changes and reads over REST until `done`: each is done, or refused as "not now", in time. */
  async function askUntil(done: Promise<unknown>): Promise<{ refused: number }> {
    const { rest } = ledger.tenant;
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
        expect(problemOf(reply, 503).code).to.equal('service_unavailable');
        expect(reply.headers['retry-after']).to.equal('5');
      }
    }
    await ended;
    return { refused };
  }

  async function survive(title: string, ordeal: Ordeal, blow: () => unknown, seed?: number) {
    const striking = ordeal.strike(blow);
    const [figures] = await Promise.all([askUntil(striking), ledger.publishUntil(striking)]);
    const options = { struck: ordeal.struck, figures };
    expectAllRunning();
    await ledger.close(title, { ...options, ...(seed !== undefined && { seed }) });
    const { service, acked } = ledger;
    const stored = await service.database.query('select id from event where account_id = $1', [
      ledger.tenant.account,
    ]);
    expect(stored.length, 'one event for each key').to.equal(acked.size);
    expectAllRunning();
    return figures;
  }

  function expectAllRunning(): void {
    const { api, workers } = ledger.service;
    for (const { running, lines } of [api, ...workers]) {
      expect(running, lines.slice(-3).join('\n')).to.equal(true);
    }
  }

  it('R8: restarted "immediate" again and again: nothing acknowledged is lost, 503 meanwhile', async function () {
    const ordeal = new Ordeal('PostgreSQL restarted');
    this.timeout(ordeal.limitMs);
    const { refused } = await survive('PostgreSQL restarted', ordeal, () => cluster.restart());
    expect(refused).to.be.greaterThan(0);
  });

  it('R9: its connections ended at random: nothing acknowledged is lost', async function () {
    const ordeal = new Ordeal('connections terminated');
    this.timeout(ordeal.limitMs);
    const { seed, chance } = seededChance();
    const terminate = async () => {
      const backends = await ledger.service.database.query<{ pid: number }>(
        `select pid from pg_stat_activity
          where datname = current_database() and application_name like 'signalpost%'`,
      );
      const pid = backends.length > 0 ? chance.oneOf(backends).pid : undefined;
      await ledger.service.database.query('select pg_terminate_backend($1)', [pid]);
    };
    await survive('connections to PostgreSQL terminated', ordeal, terminate, seed);
  });

  it('R10: read-only for a while: refuses with 503, and goes on by itself', async function () {
    const ordeal = new Ordeal('PostgreSQL read-only');
    this.timeout(ordeal.limitMs);
    const { database } = ledger.service;
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
    const { refused } = await survive('PostgreSQL read-only', ordeal, async () => {
      await makeReadOnly('on');
      await ordeal.last().finally(() => makeReadOnly('off'));
    });
    expect(refused).to.be.greaterThan(0);
  });
});
