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
const publishEventOperations = {
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

  it('H121: answers each of many concurrent events by itself, and delivers the accepted ones', async () => {
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

    const ids = outcomes.flatMap((outcome) =>
      outcome.status === 'fulfilled' ? [outcome.value] : [],
    );
    expect(new Set(ids).size).to.equal(54);

    for (const id of ids) {
      await receiver.next(({ headers }) => headers['x-service-event-id'] === id);
    }
  });

  for (const [way, operation] of Object.entries(publishEventOperations)) {
    it(`H138, H139: refuses data that breaks its schema, unless an operator only counts it, ${way}`, async () => {
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

  for (const [way, operation] of Object.entries(publishEventOperations)) {
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

  it('H240: creates at most 10,000 pending deliveries in one transaction for several events', async () => {
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

    const sizes = groups.map((group) => group.made);
    expect(sizes.reduce((sum, size) => sum + size)).to.equal(25_000);
    expect(Math.max(...sizes)).to.be.at.most(10_000);
  });

  it('H241: only the event whose key another transaction holds waits, for 5 seconds', async () => {
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

  it('H124: answers 503 when the answer of PostgreSQL is lost, and finds the event under its key', async () => {
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

interface Result {
  readonly id: string | null;
  readonly created: boolean | null;
  readonly error: { readonly code: string; readonly param: string | null } | null;
}

const text = `mutation ($input: [PublishEventInput!]!, $atomic: Boolean) {
  publishEvents(input: $input, atomic: $atomic) { id created error { code detail param } } }`;

/** A text that the service interprets, and a document that it knows. */
const publishEventsOperations = { 'by text': text, 'by id': 'publishEvents' };

for (const [way, query] of Object.entries(publishEventsOperations))
  describe(`publishEvents, ${way}`, () => {
    let service: Service;
    let tenant: Tenant;
    let other: Tenant;
    let receiver: Receiver;

    before(async () => {
      service = await sharedService();
      tenant = await createTenant(service);
      other = await createTenant(service);
      receiver = await startReceiver();
      for (const owner of [tenant, other]) {
        await createEndpoint(owner.rest, { url: receiver.url(), event_types: ['invoice.issued'] });
      }
    });

    after(() => receiver.close());

    const event = (changes: object = {}) => ({
      account: tenant.account,
      type: 'payment.dispute.opened',
      subject: 'payment:1',
      data: {},
      ...changes,
    });

    const publish = async (input: readonly object[], atomic = false) => {
      const variables = { input, atomic };
      return (await tenant.graphql<{ publishEvents: Result[] }>(query, variables)).publishEvents;
    };

    const refusal = (input: readonly object[]) =>
      publish(input).then(
        () => undefined,
        (error: unknown) => error as GraphqlRefusal,
      );

    const codes = (results: readonly Result[]) => results.map(({ error }) => error?.code);

    it('H122: answers events of several accounts in order, and delivers them', async () => {
      const issued = { type: 'invoice.issued', data: sampleOf('invoice.issued') };
      const results = await publish([
        event({ ...issued, key: 'a' }),
        event({ ...issued, account: other.account }),
        event({ ...issued, key: 'a' }),
      ]);
      const [first, second, third] = results;
      expect([first?.created, second?.created, third?.created]).to.deep.equal([true, true, false]);
      expect(third?.id).to.equal(first?.id);
      for (const id of [first?.id, second?.id]) {
        await receiver.next(({ headers }) => headers['x-service-event-id'] === id);
      }
    });

    it('H122: names the events that it refuses, and publishes the rest', async () => {
      const blob = (bytes: number) => ({ data: { blob: 'x'.repeat(bytes) } });
      const [empty] = await publish([event(blob(0))]);
      const [body] = await service.database.query<{ bytes: number }>(
        'select length(body) as bytes from event where id = $1',
        [empty?.id],
      );

      const fitting = 262_144 - body!.bytes;
      const results = await publish([
        event(),
        event({ type: 'no.such' }),
        event(blob(fitting + 1)),
        event({ account: 'acc_000000000000000000000000' }),
        event({ key: 'twice' }),
        event({ key: 'twice', ...blob(1) }),
        event({ subject: 'a\nb' }),
        event(blob(fitting)),
      ]);

      expect(codes(results)).to.deep.equal([
        undefined,
        'unknown_event_type',
        'too_long',
        'not_found',
        undefined,
        'event_key_conflict',
        'invalid_value',
        undefined,
      ]);

      expect(results.map(({ error }) => error?.param ?? null)).to.deep.equal([
        null,
        'type',
        'data',
        null,
        null,
        null,
        'subject',
        null,
      ]);

      const stored = await service.database.query<{ id: string }>(
        'select id from event where id = any ($1)',
        [results.map(({ id }) => id)],
      );
      expect(stored).to.have.lengthOf(3);
    });

    it('H122: refuses an event that cannot be stored, and only that one', async () => {
      // A literal would set the prototype; JSON has the member.
      const proto = JSON.parse('{ "a": [{ "__proto__": 1 }] }') as object;
      const refused: [param: string | null, changes: object][] = [
        ['subject', { subject: 'a\0' }],
        ['data', { data: { a: [{ b: '\ud800' }] } }],
        ['data', { data: { 'a\0': 1 } }],
        ['data', { data: proto }],
        ['key', { key: '\udfff' }],
        ['type', { type: 'no\0' }],
        ['version', { version: 'v\0' }],
        [null, { account: '\0' }],
      ];

      const input = refused.flatMap(([, changes]) => [event(changes), event()]);
      const results = await publish(input);
      expect(results.map(({ id }) => id !== null)).to.deep.equal(
        refused.flatMap(() => [false, true]),
      );

      const errors = results.flatMap(({ error }) => error ?? []);
      expect(errors.map(({ param }) => param)).to.deep.equal(refused.map(([param]) => param));
      expect(errors.map(({ code }) => code)).to.deep.equal(
        refused.map(([param]) => (param === null ? 'not_found' : 'invalid_value')),
      );

      expect(codes(await publish([event(), event({ subject: '\0' })], true))).to.deep.equal([
        'not_published',
        'invalid_value',
      ]);
    });

    it('H122: accepts 1 to 1,000 events', async () => {
      const many = Array.from({ length: 1_001 }, () =>
        event({ data: { filler: 'x'.repeat(800) } }),
      );
      const results = await publish(many.slice(1));
      expect(new Set(results.map(({ id }) => id)).size).to.equal(1_000);

      const cases: [object[], string][] = [
        [[], 'too_few_items'],
        [many, 'too_many_items'],
      ];
      for (const [input, code] of cases) {
        const errors = (await refusal(input))?.extensions['errors'] as Result['error'][];
        expect(errors[0]).to.include({ code, param: 'input' });
      }
    });

    it('H122: accepts 4 MiB, and not a byte more', async () => {
      const bytes = 4 * 1_048_576;
      const bodies = Array.from({ length: 17 }, () => ({ blob: '' }));
      const input = bodies.map((data) => event({ data }));
      const sent = query === text ? { query } : { documentId: query };
      const size = () => JSON.stringify({ ...sent, variables: { input, atomic: false } }).length;
      for (const body of bodies) body.blob = 'x'.repeat(Math.min(255_000, bytes - size()));
      expect(size()).to.equal(bytes);
      expect(new Set(codes(await publish(input)))).to.deep.equal(new Set([undefined]));
      bodies[16]!.blob += 'x';
      const refused = await refusal(input);
      expect([refused?.status, refused?.code]).to.deep.equal([413, 'payload_too_large']);
    });

    it('H122: publishes all events or none with atomic', async () => {
      const input = [event({ key: 'all' }), event({ type: 'no.such' }), event()];
      expect(codes(await publish(input, true))).to.deep.equal([
        'not_published',
        'unknown_event_type',
        'not_published',
      ]);
      input.splice(1, 1);
      const results = await publish(input, true);
      expect(results.map(({ created }) => created)).to.deep.equal([true, true]);
    });
  });
