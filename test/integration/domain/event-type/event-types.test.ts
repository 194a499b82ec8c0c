import { expect } from 'chai';
import type { Database } from '../../../../src/database/database.js';
import { createAccount } from '../../../../src/domain/account/accounts.js';
import { createEndpoint } from '../../../../src/domain/endpoint/change-endpoint.js';
import {
  lockCatalogueEntries,
  listEventTypes,
  retireEventType,
  unlistEventType,
} from '../../../../src/domain/event-type/event-types.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import { describedTypes } from '../../../support/contract.js';
import { eventually } from '../../../support/eventually.js';
import { issuesOf, refusalOf } from '../../../support/refusal.js';
import { setImmediate } from 'node:timers/promises';
import type { DomainError } from '../../../../src/domain/errors.js';
import type { EventPublisher } from '../../../../src/domain/event/event-publisher.js';
import {
  type EventTypeInput,
  readDefinition,
  readDefinitions,
} from '../../../../src/domain/event-type/definitions.js';
import { putEventType, putEventTypes } from '../../../../src/domain/event-type/put-event-types.js';
import { sendTestEvent } from '../../../../src/domain/test-event/test-event.js';
import { publisherOf } from '../../../support/publisher.js';
import { statementsOf } from '../../../support/statements.js';

describe('the catalogue of event types', () => {
  let test: TestDatabase;
  let database: Database;

  before(async () => {
    test = await createTestDatabase();
    database = await test.open();
  });

  after(() => test.drop());

  it('H32, H38: lists all event types by category, then by id', async () => {
    const types = await listEventTypes(database.read);
    const catalogue = await test.query('select id from event_type');
    expect(types).to.have.length(catalogue.length);
    expect(types).to.have.length.above(20);

    const keys = types.map(({ category, id }) => `${category}/${id}`);
    expect(keys).to.deep.equal([...keys].sort());

    expect(new Set(types.map(({ category }) => category))).to.deep.equal(
      new Set(
        'chargebacks checkouts disputes invoices offers orders payments payouts subscriptions webhooks'.split(
          ' ',
        ),
      ),
    );

    for (const { id } of types) expect(id).to.match(/^[a-z0-9_]+(\.[a-z0-9_]+)+$/);
  });

  it('A20: only types that the service emits are marked as sent, and one type is retired from the start', async () => {
    const types = await listEventTypes(database.read);
    const idsOf = (chosen: typeof types) => chosen.map(({ id }) => id).sort();
    expect(idsOf(types.filter(({ sent }) => sent))).to.deep.equal([...describedTypes].sort());
    expect(
      idsOf(types.filter(({ acceptsNewSubscriptions }) => !acceptsNewSubscriptions)),
    ).to.deep.equal(['order.completed']);
  });

  it('retires and unlists an event type for good, and repeating it has no effect', async () => {
    for (let time = 0; time < 2; time += 1) {
      const retired = await database.transact((tx) => retireEventType(tx, 'offer.sent'));
      expect(retired).to.include({ acceptsNewSubscriptions: false, listed: true });
      const unlisted = await database.transact((tx) => unlistEventType(tx, 'offer.created'));
      expect(unlisted).to.include({ acceptsNewSubscriptions: true, listed: false });
    }
    const types = await listEventTypes(database.read);
    expect(types.find(({ id }) => id === 'offer.sent')).to.include({
      acceptsNewSubscriptions: false,
    });
    expect(types.find(({ id }) => id === 'offer.created')).to.equal(undefined);
  });

  it('finds no event type that is unknown', async () => {
    for (const id of ['foo.bar', '', 'a\0b', 'a\ud800']) {
      const refused = await refusalOf(database.transact((tx) => retireEventType(tx, id)));
      expect(refused.code, id).to.equal('not_found');
    }
  });

  it('a type that is retired at the same moment cannot slip into a subscription', async () => {
    const { id: account } = await database.transact((tx) => createAccount(tx, { name: 'Shop' }));
    const subscribe = () =>
      database.transact((tx) =>
        createEndpoint(tx, account, {
          url: 'https://shop.example/hook',
          eventTypes: ['invoice.issued'],
          notificationEmail: 'ops@shop.example',
        }),
      );

    const order: string[] = [];
    await database.transact(async (holder) => {
      await lockCatalogueEntries(holder, ['invoice.issued']);
      // A session checks that the type is offered: the retirement waits for it, and a later check waits too.
      void database
        .transact((tx) => retireEventType(tx, 'invoice.issued'))
        .then(() => order.push('retired'));
      await eventually(async () => {
        const waiting = await test.query(
          `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%accepts_new_subscriptions = false%'`,
        );
        expect(waiting).to.have.length(1);
      }, 'the retirement waits');
      order.push('checked');
    });

    await eventually(() => expect(order).to.deep.equal(['checked', 'retired']), 'it is retired');
    expect(await issuesOf(subscribe())).to.deep.equal(['event_type_not_offered event_types']);
  });
});

const id = 'shop.order.shipped';
const string = { type: 'string' };
const v1 = {
  version: 'v1',
  schema: { type: 'object', properties: { order_id: string }, required: ['order_id'] },
  example: { order_id: 'ord_example', z: 1, a: 2 },
};
const v2 = {
  version: 'v2',
  schema: { type: 'object', required: ['parcel'] },
  example: { parcel: 1 },
};

const input = (changes: Partial<EventTypeInput> = {}): EventTypeInput => ({
  id,
  category: 'shop',
  summary: 'Order shipped',
  description: 'An order left.',
  offered: true,
  validation: 'enforce',
  versions: [v1],
  ...changes,
});

describe('putting event types', () => {
  let test: TestDatabase;
  let database: Database;
  let account: string;
  let publisher: EventPublisher;

  beforeEach(async () => {
    test = await createTestDatabase();
    database = await test.open();
    ({ id: account } = await database.transact((tx) => createAccount(tx, { name: 'Shop' })));
    publisher = publisherOf(database);
  });

  afterEach(() => test.drop());

  const put = (changes: Partial<EventTypeInput> = {}) =>
    database.transact((tx) => putEventType(tx, input(changes)));
  const publish = async (data: object, version?: string) => {
    const request = { accountId: account, type: id, subject: 's', data: { ...data }, version };
    const [result] = await publisher.publish([request]);
    return (result as Partial<DomainError>).errors?.[0]?.code ?? 'published';
  };

  const subscribe = () =>
    database.transact((tx) =>
      createEndpoint(tx, account, {
        url: 'https://shop.example/hook',
        notificationEmail: 'ops@shop.example',
        eventTypes: [id],
      }),
    );

  const bodies = () =>
    test.query<{ version: string; body: Buffer }>('select version, body from event order by id');

  it('H140: putting an event type lists it, and keeps versions that the input does not name', async () => {
    await put();

    const entry = (await listEventTypes(database.read)).find((type) => type.id === id);
    expect(entry).to.include({ category: 'shop', acceptsNewSubscriptions: true, sent: true });
    await put({ offered: false, versions: [v2] });

    const found = await readDefinition(database.read, id);
    expect(found).to.deep.equal({
      ...input({ offered: false, versions: [v1, v2] }),
      listed: true,
      sent: true,
    });

    // The order of members is that of the file, also in the copy that is exported.
    expect(Object.keys(found?.versions[0]?.example ?? {})).to.deep.equal(['order_id', 'z', 'a']);
    expect(await issuesOf(subscribe())).to.deep.equal(['event_type_not_offered event_types']);
    await put({ versions: [] });
    expect(await subscribe())
      .to.have.nested.property('endpoint.eventTypes')
      .deep.equal([id]);
  });

  it('H138, H140: compares data with the version that the publisher names', async () => {
    await put({ versions: [v1, v2] });
    expect(await publish({ order_id: 'o' })).to.equal('published');
    expect(await publish({ parcel: 1 }, 'v2')).to.equal('published');
    expect(await publish({ parcel: 1 })).to.equal('schema_mismatch');
    expect(await publish({ order_id: 'o' }, 'v2')).to.equal('schema_mismatch');
    expect(await publish({}, 'v3')).to.equal('unknown_event_version');

    const stored = await bodies();
    expect(stored.map(({ version }) => version)).to.deep.equal(['v1', 'v2']);

    const envelope = JSON.parse(stored[1]!.body.toString()) as Record<string, unknown>;
    expect(envelope).to.include({
      dataschema: `https://api.example/schemas/events/${id}/v2`,
      eventversion: 'v2',
    });
  });

  it('H139: the next publish obeys a schema that another process has changed', async () => {
    await put();
    expect(await publish({ order_id: 'o' })).to.equal('published');
    await put({ versions: [{ ...v1, schema: { type: 'object', required: ['order_id'] } }] }).catch(
      () => undefined,
    );
    const wider = { ...v1, schema: { type: 'object', properties: { order_id: {} } } };
    await put({ versions: [wider] });
    // It was valid before, and is after: the statement says that the process must look.
    const sent = await statementsOf(() => publish({ order_id: 'o' }));
    expect(sent).to.have.lengthOf(3);
    expect(await publish({ order_id: 1 })).to.equal('published');
  });

  /** Thirty long texts, whose patterns take more steps than a turn of the event loop has. */
  const heavyTexts = Array.from({ length: 30 }, () => 'x'.repeat(4_000));
  const heavy = {
    ...v1,
    schema: {
      type: 'object',
      properties: { texts: { type: 'array', items: { pattern: '^[a-z]+$' } }, order_id: string },
    },
  };

  it('H251: publishes heavy events over several turns of the event loop, so that other requests run', async () => {
    await put({ validation: 'warn', versions: [heavy] });

    let turn = 0;
    const turns: number[] = [];
    const heavyPublisher = publisherOf(database, {
      // Schemas that age on a slow machine would be read, and all events compared, again.
      monotonicMs: () => 0,
    });

    const { schemas } = heavyPublisher;
    const validate = schemas.validate.bind(schemas);
    schemas.validate = (...compared) => {
      const result = validate(...compared);
      if (result.issues.length > 0) turns.push(turn);
      return result;
    };

    const counting = new AbortController();
    const counted = (async () => {
      for (; !counting.signal.aborted; turn += 1) await setImmediate();
    })();
    const data = { texts: heavyTexts, order_id: 1 };
    const request = { accountId: account, type: id, subject: 's', data };
    const requests = Array.from({ length: 8 }, () => request);
    const results = [
      ...(await heavyPublisher.publish(requests)),
      ...(await heavyPublisher.publishAtomically(database.transact, requests)),
    ];

    counting.abort();
    await counted;
    for (const result of results) expect(result).to.have.property('created', true);
    expect(new Set(turns).size).to.equal(requests.length * 2);
  });

  it('H251: publishes data that takes too many steps only where the type warns, and counts it', async () => {
    const patterns = Array.from({ length: 48 }, () => ({ pattern: '(.*a){20}$' }));
    const tooHeavy = { ...v1, schema: { properties: { texts: { items: { allOf: patterns } } } } };
    await put({ versions: [tooHeavy] });
    expect(await publish({ texts: heavyTexts })).to.equal('schema_too_slow');
    expect(await publish({ texts: ['a'] })).to.equal('schema_mismatch');

    const code = await issuesOf(
      database.transact((tx) =>
        sendTestEvent(tx, publisher.schemas, account, { type: id, data: { texts: heavyTexts } }),
      ),
    );

    expect(code).to.deep.equal(['schema_too_slow data']);

    const counted: (string | undefined)[] = [];
    publisher = publisherOf(database, {
      mismatched: (_type, issues) => void counted.push(...issues.map((issue) => issue.code)),
    });
    await put({ validation: 'warn', versions: [tooHeavy] });
    expect(await publish({ texts: heavyTexts })).to.equal('published');
    expect(counted).to.deep.equal(['schema_too_slow']);
  });

  it('H251: a type whose stored example takes too many steps can be put again', async () => {
    const example = { texts: heavyTexts.slice(0, 15) };
    const patterns = Array.from({ length: 48 }, () => ({ pattern: '(.*a){20}$' }));
    const tooHeavy = { ...v1, schema: { properties: { texts: { items: { allOf: patterns } } } } };
    const refused = put({ versions: [{ ...tooHeavy, example }] });
    expect(await issuesOf(refused)).to.deep.equal(['schema_too_slow versions.v1.example']);
    await put({ versions: [tooHeavy] });
    const store = 'update event_type_version set example = $1 where event_type_id = $2';
    await test.query(store, [JSON.stringify(example), id]);
    await put({ summary: 'Another one', versions: [{ ...tooHeavy, example }] });
    expect(await readDefinition(database.read, id)).to.include({ summary: 'Another one' });
  });

  it('refuses a test event that is too large before it is compared', async () => {
    await put({ versions: [heavy] });
    const texts = Array.from({ length: 80 }, () => 'X'.repeat(4_000));
    const refused = await issuesOf(
      database.transact((tx) =>
        sendTestEvent(tx, publisher.schemas, account, { type: id, data: { texts } }),
      ),
    );
    expect(refused).to.deep.equal(['too_long data']);
  });

  it('H140: refuses a breaking change of a version, but accepts it as another version', async () => {
    await put();

    const schema = { type: 'object', properties: { order_id: { type: 'number' } } };
    const changed = { ...v1, schema, example: { order_id: 1 } };
    const refused = await refusalOf(put({ versions: [changed] }));
    expect(refused.errors).to.deep.equal([
      {
        code: 'breaking_schema_change',
        param: 'versions.v1.schema',
        detail: 'data.order_id: No longer accepts the type string. Add a version for it.',
      },
    ]);

    await put({ versions: [{ ...changed, version: 'v2' }] });
    expect((await readDefinition(database.read, id))?.versions).to.have.lengthOf(2);
  });

  it('H141: puts all event types of a catalogue or none, and repeating it has no effect', async () => {
    const others = [input(), input({ id: 'shop.order.lost', summary: '' })];
    const all = (inputs: readonly EventTypeInput[], dryRun = false) =>
      database.transact((tx) => putEventTypes(tx, inputs, dryRun));
    expect(await issuesOf(all(others))).to.deep.equal(['invalid_value shop.order.lost summary']);
    expect(await readDefinition(database.read, id)).to.equal(undefined);

    const changed = [{ id, changes: ['is new', 'v1 is new'] }];
    expect(await all([input()], true)).to.deep.equal(changed);
    expect(await readDefinition(database.read, id)).to.equal(undefined);
    expect(await all([input()])).to.deep.equal(changed);

    const catalogue = await readDefinitions(database.read);
    const rows = 'select xmin::text from event_type order by id';
    const before = await test.query(rows);

    expect(await all(catalogue)).to.deep.equal([]);
    expect(await test.query(rows)).to.deep.equal(before);
  });

  it('H165: refuses ids of event types that are reserved for the service', async () => {
    const reserved = ['webhook.endpoint.failing2', 'webhook.new'];
    for (const of of reserved)
      expect(await issuesOf(put({ id: of }))).to.deep.equal(['invalid_format id']);
    await put({ id: 'webhooks.new' });
  });

  it('H141: the catalogue holds at most 500 types', async () => {
    const many = Array.from({ length: 475 }, (_, at) => input({ id: `shop.t${at}` }));
    const refused = await refusalOf(database.transact((tx) => putEventTypes(tx, many, false)));
    expect(refused.code).to.equal('state_conflict');
  });

  it('an operator changes how a type of the service is validated, but not its schema', async () => {
    const issued = (await readDefinition(database.read, 'invoice.issued'))!;
    await put({ ...issued, validation: 'warn' });
    const found = await readDefinition(database.read, 'invoice.issued');
    expect(found).to.include({ validation: 'warn', listed: true });
    expect(await issuesOf(put({ ...issued, versions: [v1] }))).to.deep.equal([
      'invalid_value versions',
    ]);
    await database.transact((tx) => retireEventType(tx, 'invoice.issued'));
  });

  it('H68, H140: the data of a test event is the example with fresh ids', async () => {
    const uuid = '0b6e0b0e-6a1c-4a55-8f6e-2f1f6a1b7c11';
    const example = { id: 'shp_example', order_id: 'ord_1', order: { id: 'ord_1' }, uid: uuid };
    await put({ versions: [{ ...v1, example: { ...example, parcel_id: uuid } }, v2] });

    const { endpoint } = await subscribe();
    const send = (version?: string) =>
      database.transact((tx) =>
        sendTestEvent(tx, publisher.schemas, account, {
          endpointId: endpoint.id,
          type: id,
          version,
        }),
      );

    await send();
    await send('v2');
    expect(await issuesOf(send('v3'))).to.deep.equal(['invalid_value version']);

    const [first, second] = (await bodies()).map(
      ({ body }) => JSON.parse(body.toString()) as { data: Record<string, string> },
    );
    const { data } = first!;
    expect(data['id']).to.match(/^shp_\w{24}$/);
    expect(data['order_id']).to.match(/^ord_\w{24}$/);
    expect(data['order']).to.deep.equal({ id: data['order_id'] });
    expect(data['parcel_id'])
      .to.match(/^[0-9a-f-]{36}$/)
      .and.not.equal(uuid);
    expect(data['uid']).to.equal(uuid);
    expect(second).to.deep.include({ data: { parcel: 1 }, eventversion: 'v2', test: true });
  });
});
