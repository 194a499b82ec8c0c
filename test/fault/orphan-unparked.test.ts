import { expect } from 'chai';
import { fetch } from 'undici';
import { eventually } from '../support/eventually.js';
import { type Ledger, openLedger } from '../support/ledger.js';
import { describeOnQueues, type TestQueue } from '../support/queue-backends.js';

describeOnQueues('a chain without its event that cannot be parked', (create) => {
  let queue: TestQueue;
  let ledger: Ledger;

  before(async () => {
    queue = await create();
  });
  after(() => queue.drop());
  beforeEach(async () => {
    // Leases outlive this test, so that none is ended by the sweep before the test says so.
    ledger = await openLedger(queue, { WEBHOOKS_TIMEOUT: '60s' });
    await ledger.database.query(
      `create function refuse() returns trigger language plpgsql as
         $$ begin raise exception 'no chain is parked'; end $$`,
    );
    await ledger.database.query(
      `create trigger refuse before update on chain for each row
         when (new.parked_reason is not null) execute function refuse()`,
    );
  });
  afterEach(async () => {
    await ledger.database.query('drop function refuse() cascade');
    await ledger.drop();
  });

  const isDelivered = (event: string) =>
    eventually(
      () =>
        expect(ledger.receiver.requests.map(({ headers }) => headers['webhook-id'])).to.include(
          event,
        ),
      'it is delivered',
    );

  it('delays nobody who was claimed with it, and keeps its lease until it can be', async () => {
    const orphan = await ledger.publish();
    await ledger.database.query('delete from event where id = $1', [orphan]);
    const neighbour = await ledger.publish();
    const worker = await ledger.startWorker();
    await isDelivered(neighbour);
    await isDelivered(await ledger.publish());
    const leases = () =>
      ledger.database.query('select token::float8 from lease order by until, token');
    await eventually(
      async () => expect(await leases()).to.have.length.below(2),
      'the leases of what was delivered are forgotten',
    );
    const [held] = await ledger.database.query<{ token: number }>(
      'select lease_token::float8 as token from chain where event_id = $1',
      [orphan],
    );
    expect(await leases()).to.deep.equal([held]);
    expect(held?.token).to.be.a('number');
    const metrics = await (await fetch(`${worker.healthUrl}/metrics`)).text();
    expect(metrics).to.match(/signalpost_faults_total 1/);

    await ledger.database.query('drop trigger refuse on chain');
    await ledger.endLeases();
    await eventually(
      async () =>
        expect(
          await ledger.database.query('select parked_reason as reason from chain'),
        ).to.deep.equal([{ reason: 'its event is no longer kept' }]),
      'it is parked',
    );
  });
});
