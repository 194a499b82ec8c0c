import { expect } from 'chai';
import pg from 'pg';
import { createEndpoint } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { describeOnQueues, type TestQueue } from '../support/queue-backends.js';
import { sampleOf } from '../support/random.js';
import { type Service, startService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

const type = 'invoice.issued';
const publishTwo = `mutation ($input: [PublishEventInput!]!) { publishEvents(input: $input) { id } }`;

describeOnQueues('the signals of publishing', (create) => {
  let queue: TestQueue;
  let service: Service;
  let tenant: Tenant;
  let listener: pg.Client;

  /** The statement that sent each signal, and the connection, by its name. */
  const senders: (string | undefined)[] = [];

  before(async () => {
    queue = await create();
    const { database, redisUrl } = queue;
    service = await startService({
      database,
      workers: 0,
      ...(redisUrl !== undefined && { environment: { REDIS_URL: redisUrl } }),
    });
    tenant = await createTenant(service);
    await createEndpoint(tenant.rest, { url: 'https://127.0.0.1:9/', event_types: [type] });
    listener = new pg.Client({ connectionString: database.url });
    await listener.connect();
  });

  after(async () => {
    await listener.end();
    await service.stop();
    await queue.drop();
  });

  /** Waits for the next signal, while the connection that sent it is open. */
  async function nextSender(work: () => Promise<unknown>): Promise<void> {
    const received = new Promise<number>((resolve) =>
      listener.once('notification', ({ processId }: pg.Notification) => resolve(processId)),
    );
    await work();
    const [sender] = await queue.database.query<{ name: string }>(
      `select application_name
                || case when query like 'select pg_notify%' then ' signals' else ' stores' end as name
         from pg_stat_activity where pid = $1`,
      [await received],
    );
    senders.push(sender?.name);
  }

  it('H201: the commit of a single event signals, and one signal follows the commit of a group', async () => {
    await listener.query('listen signalpost_wake_due');
    await nextSender(() => tenant.publish({ type }));

    // A job keeps the wake-up for workers that missed the signal.
    await eventually(
      async () => expect(await queue.jobs()).to.be.at.least(1),
      'the next second has a job',
    );

    await nextSender(() => tenant.publish({ type, key: 'once' }));

    const input = { account: tenant.account, type, subject: 's', data: sampleOf(type) };
    await nextSender(() => tenant.graphql(publishTwo, { input: [input, input] }));

    const stores = 'signalpost-api stores';
    const signals = 'signalpost-api signals';
    expect(senders).to.deep.equal([stores, stores, signals]);
  });
});
