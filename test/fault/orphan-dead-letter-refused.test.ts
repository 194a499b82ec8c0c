import { expect } from 'chai';
import { fetch } from 'undici';
import { eventually } from '../support/eventually.js';
import { type EventStream, openEventStream } from '../support/event-stream.js';
import { describeOnQueues, type TestQueue } from '../support/queue-backends.js';

describeOnQueues('a pending delivery without its event that cannot be dead-lettered', (create) => {
  let queue: TestQueue;
  let stream: EventStream;

  before(async () => {
    queue = await create();
  });
  after(() => queue.drop());

  beforeEach(async () => {
    // Leases outlive this test, so that none is ended by the poller before the test says so.
    stream = await openEventStream(queue, { WEBHOOKS_TIMEOUT: '60s' });
    await stream.database.query(
      `create function refuse() returns trigger language plpgsql as
         $$ begin raise exception 'no pending delivery is dead-lettered'; end $$`,
    );
    await stream.database.query(
      `create trigger refuse before update on pending_delivery for each row
         when (new.dead_letter_reason is not null) execute function refuse()`,
    );
  });

  afterEach(async () => {
    await stream.database.query('drop function refuse() cascade');
    await stream.drop();
  });

  const isDelivered = (event: string) =>
    eventually(
      () =>
        expect(stream.receiver.requests.map(({ headers }) => headers['webhook-id'])).to.include(
          event,
        ),
      'it is delivered',
    );

  it('a delivery without its event delays no other of its claim, and keeps its lease until it is dead-lettered', async () => {
    const orphan = await stream.publish();
    await stream.database.query('delete from event where id = $1', [orphan]);

    const neighbour = await stream.publish();
    const worker = await stream.startWorker();

    await isDelivered(neighbour);
    await isDelivered(await stream.publish());

    const leases = () =>
      stream.database.query('select token::float8 from lease order by until, token');
    await eventually(
      async () => expect(await leases()).to.have.length.below(2),
      'the leases of what was delivered are forgotten',
    );

    const [held] = await stream.database.query<{ token: number }>(
      'select lease_token::float8 as token from pending_delivery where event_id = $1',
      [orphan],
    );

    expect(await leases()).to.deep.equal([held]);
    expect(held?.token).to.be.a('number');

    const metrics = await (await fetch(`${worker.healthUrl}/metrics`)).text();
    expect(metrics).to.match(/signalpost_internal_errors_total 1/);

    await stream.database.query('drop trigger refuse on pending_delivery');
    await stream.endLeases();

    await eventually(
      async () =>
        expect(
          await stream.database.query('select dead_letter_reason as reason from pending_delivery'),
        ).to.deep.equal([{ reason: 'its event is past retention' }]),
      'it is dead-lettered',
    );
  });
});
