import { join } from 'node:path';
import { expect } from 'chai';
import { untilAcknowledged } from '../support/event-stream.js';
import { atIntervals, eventually } from '../support/eventually.js';
import type { TestDatabase } from '../support/database.js';
import { type DumpedFacts, dumpNames, restoreDump } from '../support/upgrade.js';
import { startProcess } from '../support/process.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { reconcile } from '../support/reconciliation.js';
import { sampleOf } from '../support/random.js';
import { type Service, startService } from '../support/service.js';
import { callGraphql, GraphqlRefusal } from '../support/tenants.js';

/** The folder `dist` of the previous version; `npm run soak -- --previous <commit>` makes and names it. */
const previous = process.env['PREVIOUS_BUILD'];
const pauseMs = 40;
/** Acknowledged events in each step. */
const flowing = 50;
const type = 'cart.order.completed';
const mutation = 'mutation ($input: PublishEventInput!) { publishEvent(input: $input) { id } }';

(previous === undefined ? describe.skip : describe)('two versions', function () {
  this.timeout(600_000);

  let receiver: Receiver;
  let database: TestDatabase;
  let facts: DumpedFacts;
  const acked: string[] = [];
  const failures: string[] = [];
  const all: Service[] = [];

  /** The services that a load balancer would use. */
  const serving: Service[] = [];

  before(async () => {
    receiver = await startReceiver();
    ({ database, facts } = await restoreDump(dumpNames.at(-1) ?? ''));
    for (const { id, path } of facts.endpoints)
      await database.query('update endpoint set url = $2 where id = $1', [id, receiver.url(path)]);
    // Each event has one delivery to count.
    await database.query('update endpoint set active = false where id = $1', [
      facts.endpoints[1]?.id,
    ]);
  });

  after(async () => {
    await Promise.all(all.map((service) => service.stop()));
    await database.drop();
    await receiver.close();
  });

  async function start(build?: string): Promise<Service> {
    const environment = { WEBHOOKS_TIMEOUT: '1s' };
    const service = await startService({ database, environment, build, workers: 0 });
    all.push(service);
    for (let worker = 1; worker <= 2; worker += 1) await service.startWorker();
    serving.push(service);
    return service;
  }

  async function publish(key: string, turn: number): Promise<string> {
    const service = serving[turn % serving.length];
    if (!service) throw new Error('no API serves');

    const input = { account: facts.account, type, subject: 'order:ord_1', data: sampleOf(type) };
    try {
      const variables = { input: { ...input, key } };
      const answer = await callGraphql<{ publishEvent: { id: string } }>(
        service,
        facts.internal,
        mutation,
        variables,
      );
      return answer.publishEvent.id;
    } catch (error) {
      if (error instanceof GraphqlRefusal) failures.push(`${error.status} ${error.code}`);
      else failures.push(String(error));
      throw error;
    }
  }

  async function flow(): Promise<void> {
    const before = acked.length;
    await eventually(
      () => expect(acked.length).to.be.at.least(before + flowing),
      'events are acknowledged',
    );
  }

  async function publishUntil(done: Promise<unknown>): Promise<void> {
    const state = { going: true, keys: 0 };
    const ended = done.finally(() => (state.going = false));
    // At a limited rate, because two versions start meanwhile.
    for await (const { going } of atIntervals(pauseMs, state)) {
      if (!going) break;
      const number = (state.keys += 1);
      const key = `key-${number}`;
      acked.push(await untilAcknowledged(() => publish(key, number), key));
    }
    await ended;
  }

  async function migrate(build = ''): Promise<void> {
    const [service] = all;
    const environment = service?.environment ?? { DATABASE_URL: database.url };
    const migration = startProcess(join(build, 'tools/migrate/main.js'), environment);
    await eventually(() => expect(migration.running).to.equal(false), 'migrate ends', 120_000);
    expect(await migration.end(), migration.lines.join('\n')).to.equal(0);
  }

  it('H206: two versions run side by side while the newer one migrates and takes over, and back', async () => {
    await migrate(previous);

    const old = await start(previous);
    const steps = async () => {
      await flow();
      await migrate();
      await flow();

      // An old process can start again.
      await old.workers[0]?.end('SIGKILL');
      await old.startWorker();
      await flow();

      const next = await start();
      await flow();
      serving.splice(serving.indexOf(old), 1);
      await Promise.all([old.api, ...old.workers.slice(1)].map((running) => running.end()));
      await flow();

      const back = await start(previous);
      serving.splice(serving.indexOf(next), 1);
      await Promise.all([next.api, ...next.workers].map((running) => running.end()));
      expect(serving).to.deep.equal([back]);
      await flow();
    };

    await publishUntil(steps());

    const acknowledged = { redisUrl: undefined, acked, receiver, database };
    const figures = { failures: failures.length };
    const { lost } = await reconcile('two versions', acknowledged, { injected: 1, figures });
    expect(lost).to.equal(0);
    expect(failures).to.deep.equal([]);

    const arrived = receiver.requests.map(({ headers }) => headers['webhook-id']);
    expect(arrived).to.include.members([...facts.pending]);
  });
});
