import { expect } from 'chai';
import { createEndpoint } from '../support/endpoints.js';
import { copyEndpoints } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { createFailpointProxy, type FailpointProxy } from '../support/proxies.js';
import { startReceiver, type Receiver } from '../support/receiver.js';
import { type Service, sharedService, startService } from '../support/service.js';
import { sampleOf } from '../support/random.js';
import { createTenant, type GraphqlRefusal, type Tenant } from '../support/tenants.js';

const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error as GraphqlRefusal,
  );

/** A text that the service interprets, and a document that it knows. */
const operations = {
  'by text': 'mutation ($input: PublishEventInput!) { publishEvent(input: $input) { id } }',
  'by id': 'publishEvent',
};

describe('publishing', () => {
  let service: Service;
  let tenant: Tenant;
  let receiver: Receiver;

  before(async () => {
    service = await sharedService();
    tenant = await createTenant(service);
    receiver = await startReceiver();
    await createEndpoint(tenant.rest, { url: receiver.url() });
  });

  after(() => receiver.close());

  it('H121: answers each of many events by itself, and delivers those that were accepted', async () => {
    const other = await createTenant(service);
    await createEndpoint(other.rest, { url: receiver.url() });

    const all = Array.from({ length: 60 }, (_, place) => {
      const owner = place % 3 === 0 ? other : tenant;
      const type = place % 10 === 4 ? 'no.such' : 'cart.order.completed';
      const key = place % 2 === 0 ? { key: `k${place}` } : {};
      return owner.publish({ type, data: { place }, ...key });
    });

    const outcomes = await Promise.allSettled(all);
    const refused = outcomes.flatMap(({ status }, place) => (status === 'rejected' ? [place] : []));
    expect(refused).to.deep.equal([4, 14, 24, 34, 44, 54]);

    const ids = outcomes.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect(new Set(ids).size).to.equal(54);

    for (const id of ids) {
      await receiver.next(({ headers }) => headers['x-service-event-id'] === id);
    }
  });

  for (const [way, operation] of Object.entries(operations)) {
    it(`H138, H139: refuses data that breaks its schema, unless an operator has it only counted, ${way}`, async () => {
      const input = {
        account: tenant.account,
        type: 'invoice.issued',
        subject: 's',
        data: { a: 1 },
      };

      const publish = () => tenant.graphql(operation, { input });
      const refused = await refusalOf(publish());
      expect(refused).to.include({ status: 200, code: 'validation_failed' });

      expect(refused?.extensions['errors']).to.deep.include({
        code: 'schema_mismatch',
        detail: 'Is required.',
        param: 'data.invoice',
      });

      const change = 'update event_type set validation = $1, revision = $1 where id = $2';
      await service.database.query(change, ['warn', input.type]);

      try {
        await eventually(
          async () => expect(await refusalOf(publish())).to.equal(undefined),
          'warns',
        );
        const metrics = await (await fetch(`${service.internalUrl}/metrics`)).text();
        expect(metrics).to.match(/event_schema_mismatches_total\{type="invoice.issued"\} [1-9]/);
      } finally {
        const restore = `update event_type set validation = 'enforce', revision = '' where id = $1`;
        await service.database.query(restore, [input.type]);
      }
    });
  }

  for (const [way, operation] of Object.entries(operations)) {
    it(`H123: refuses an account and an event type from the moment they are gone, ${way}`, async () => {
      const gone = await createTenant(service);
      const type = 'offer.created';
      const input = { account: gone.account, type, subject: 's', data: sampleOf(type) };
      const publish = () =>
        tenant.graphql(operation, {
          input,
        });

      expect(await refusalOf(publish())).to.equal(undefined);

      await service.database.query(
        `with c as (delete from credential where account_id = $1),
            m as (delete from member where account_id = $1)
       select`,
        [gone.account],
      );

      await service.database.query('delete from account where id = $1', [gone.account]);
      expect(await refusalOf(publish())).to.have.property('code', 'not_found');
      input.account = tenant.account;
      await tenant.graphql('mutation { retireEventType(id: "offer.created") { id } }');
      expect(await refusalOf(publish())).to.equal(undefined);
      await tenant.graphql('mutation { unlistEventType(id: "offer.created") { id } }');

      try {
        const refused = await refusalOf(publish());
        expect(refused?.extensions['errors']).to.deep.equal([
          {
            code: 'unknown_event_type',
            detail: 'Unknown event type: offer.created',
            param: 'type',
          },
        ]);
      } finally {
        await service.database.query(
          `update event_type set listed = true, accepts_new_subscriptions = true
          where id = 'offer.created'`,
        );
      }
    });
  }
});

describe('publishing to a service without workers', () => {
  let service: Service;
  let tenant: Tenant;
  let proxy: FailpointProxy;

  before(async () => {
    const { database } = await sharedService();
    proxy = await createFailpointProxy(Number(new URL(database.url).port));
    service = await startService({ workers: 0, databasePort: proxy.port });
    tenant = await createTenant(service);
  });

  after(async () => {
    await service.stop();
    await proxy.close();
  });

  it('H240: makes at most 10,000 pending deliveries at a time, of several events', async () => {
    const owner = await createTenant(service);
    const { account } = owner;

    await createEndpoint(owner.rest, { event_types: ['invoice.issued'] });
    await copyEndpoints(service.database, account, 249);

    const one = { account, type: 'invoice.issued', subject: 's', data: sampleOf('invoice.issued') };
    const { publishEvents } = await owner.graphql<{ publishEvents: { created: boolean | null }[] }>(
      'mutation ($input: [PublishEventInput!]!) { publishEvents(input: $input) { created } }',
      { input: Array.from({ length: 100 }, () => one) },
    );

    expect(publishEvents.map(({ created }) => created)).to.deep.equal(Array(100).fill(true));

    const groups = await service.database.query<{ made: number }>(
      `select count(*)::int as made from pending_delivery where account_id = $1 group by xmin::text`,
      [account],
    );

    const made = groups.map((each) => each.made);
    expect(made.reduce((sum, each) => sum + each)).to.equal(25_000);
    expect(Math.max(...made)).to.be.at.most(10_000);
  });

  it('H241: lets only the event wait whose key another transaction holds, for 5 seconds', async () => {
    const owner = await createTenant(service);
    const holder = await service.database.hold(
      `insert into publish_key values ('${owner.account}', 'held', '', 'evt_1', now() + interval '1 day')`,
    );
    try {
      let isWaiting = true;
      const held = refusalOf(owner.publish({ key: 'held' })).finally(() => (isWaiting = false));
      const others = Array.from({ length: 20 }, (_, place) => owner.publish({ key: `k${place}` }));
      expect(new Set(await Promise.all(others)).size).to.equal(20);
      expect(isWaiting).to.equal(true);
      expect(await held).to.have.property('code', 'service_unavailable');
    } finally {
      await holder.release();
    }

    expect(await refusalOf(owner.publish({ key: 'held' }))).to.equal(undefined);
  });

  it('H124: is 503 when the answer is lost, and a repetition under the key finds the event', async () => {
    await tenant.publish({ key: 'before' });

    let lost = 0;
    proxy.arm(
      {
        when: 'response',
        matches: (_answer, before) => before.includes('order:lost'),
      },
      () => (lost += 1),
    );

    const event = { subject: 'order:lost', key: 'lost' };
    const refused = await refusalOf(tenant.publish(event));
    expect([lost, refused?.code]).to.deep.equal([1, 'service_unavailable']);
    expect(refused?.extensions).to.have.property('retryAfterSeconds', 5);

    const stored = async () =>
      (
        await service.database.query<{ id: string }>('select id from event where subject = $1', [
          event.subject,
        ])
      ).map(({ id }) => id);

    const ids = await stored();
    expect(ids).to.have.lengthOf(1);
    expect([await tenant.publish(event)]).to.deep.equal(ids);
    expect(await stored()).to.deep.equal(ids);
  });
});
