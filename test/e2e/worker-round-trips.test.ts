import { expect } from 'chai';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { createEndpoint } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { describeServiceOnQueues, type ServiceQueue, through } from '../support/queue-backends.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import {
  createRoundTripProxy,
  postgresReader,
  redisReader,
  type RoundTripProxy,
} from '../support/proxies.js';
import { type Service, startService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

const claim = 'pending_delivery_claim_few';
const record = 'record_all_accepted_at_places';
const promote = 'pending_delivery_promote';
const deleteLease = 'lease_delete';
/** BullMQ ends a job with this, on PostgreSQL and on Redis. Adding a job also names the set of completed jobs. */
const jobDone = /move_to_completed|:metrics:completed/;

const portOf = (url: string) => Number(new URL(url).port);

describeServiceOnQueues('one event, published to an idle service', (create) => {
  let queue: ServiceQueue;
  let database: TestDatabase;
  let service: Service;
  let receiver: Receiver;
  let tenant: Tenant;
  let toPostgres: RoundTripProxy;
  let toQueue: RoundTripProxy;

  before(async () => {
    queue = await create();
    database = await createTestDatabase();
    toPostgres = await createRoundTripProxy(portOf(database.url), postgresReader);

    const { redisUrl } = queue;
    toQueue =
      redisUrl === undefined
        ? toPostgres
        : await createRoundTripProxy(portOf(redisUrl), redisReader);

    service = await startService({
      database,
      databasePort: toPostgres.port,
      ...(redisUrl !== undefined && { environment: { REDIS_URL: through(toQueue, redisUrl) } }),
    });

    receiver = await startReceiver();
    tenant = await createTenant(service);
    await createEndpoint(tenant.rest, { url: receiver.url() });

    // The first event of an account also reads its recent attempts.
    await publishAndWait();
  });

  after(async () => {
    await service.stop();
    await Promise.all([receiver, toPostgres, toQueue].map((resource) => resource.close()));
    await database.drop();
    await queue.drop();
  });

  /** The statements of the engine, by round trip. */
  function statementsSince(since: number): string[][] {
    return toPostgres.roundTrips
      .slice(since)
      .map(({ calls }) =>
        calls.flatMap((call) => /^signalpost-worker: (.*)/s.exec(call)?.[1] ?? []),
      )
      .filter((statements) => statements.length > 0);
  }

  /** Publishes an event. @returns the round trips until it is recorded, with polls and maintenance */
  async function publish(): Promise<string[][]> {
    const since = toPostgres.roundTrips.length;
    await tenant.publish({});
    return eventually(() => {
      const trips = statementsSince(since);
      const recorded = trips.findIndex((trip) => trip.some((name) => name.startsWith('record_')));
      expect(recorded).to.be.at.least(0);
      return trips.slice(0, recorded + 1);
    }, 'the event is recorded');
  }

  /** Publishes an event, and waits until its job is done and its lease deleted. */
  async function publishAndWait(): Promise<{ statements: string[]; jobs: Set<string> }> {
    const since = toPostgres.roundTrips.length;
    const queueSince = toQueue.roundTrips.length;
    await publish();
    return eventually(() => {
      const statements = statementsSince(since).flat();
      const calls = toQueue.roundTrips.slice(queueSince).flatMap((trip) => trip.calls);
      expect(calls.some((call) => jobDone.test(call))).to.equal(true);
      expect(statements).to.include.members([promote, deleteLease]);
      return { statements, jobs: new Set(calls.flatMap((call) => call.match(/\bdue-\d+/g) ?? [])) };
    }, 'its job is done, its lease deleted');
  }

  it('a delivery costs one job, one extra poll and one deletion of a lease', async () => {
    const { statements, jobs } = await publishAndWait();
    expect([...jobs]).to.have.length(1);
    const later = statements.filter((name) => name === promote || name === deleteLease);
    expect(later).to.have.members([promote, deleteLease]);
  });

  it('a worker needs two statements until the delivery is recorded, each one round trip', async () => {
    const events: string[][][] = [];
    while (events.length < 9) events.push(await publish());
    // Polls and maintenance come between; on a busy machine in most cases, but not in all.
    const [fewest] = events.sort((a, b) => a.flat().length - b.flat().length);
    expect(fewest).to.deep.equal([[claim], [record]]);
  });
});
