import { expect } from 'chai';
import { createEndpoint } from '../support/endpoints.js';
import { startReceiver, type Receiver } from '../support/receiver.js';
import { sampleOf } from '../support/random.js';
import { type Service, sharedService } from '../support/service.js';
import { createTenant, type GraphqlRefusal, type Tenant } from '../support/tenants.js';

interface Result {
  readonly id: string | null;
  readonly created: boolean | null;
  readonly error: { readonly code: string; readonly param: string | null } | null;
}

const text = `mutation ($input: [PublishEventInput!]!, $atomic: Boolean) {
  publishEvents(input: $input, atomic: $atomic) { id created error { code detail param } } }`;

/** A text that the service interprets, and a document that it knows. */
const operations = { 'by text': text, 'by id': 'publishEvents' };

for (const [way, query] of Object.entries(operations))
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
      for (const each of [tenant, other]) {
        await createEndpoint(each.rest, { url: receiver.url(), event_types: ['invoice.issued'] });
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

    it('H122: names what it refuses, beside what it publishes', async () => {
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

    it('H122: refuses an event that cannot be stored by itself', async () => {
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

    it('H122: takes 1,000 events, and neither none nor 1,001', async () => {
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

    it('H122: takes 4 MiB, and not a byte more', async () => {
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

    it('H122: publishes all or none with atomic', async () => {
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
