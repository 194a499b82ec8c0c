import { expect } from 'chai';
import type { Database } from '../../../../src/database/database.js';
import { DomainError } from '../../../../src/domain/errors.js';
import type { PublishInput, PublishRequest } from '../../../../src/domain/event/prepare-event.js';
import { publishEvent } from '../../../../src/domain/event/publish.js';
import type { Wakeup } from '../../../../src/domain/transaction/wakeup.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import { eventType, insertAccount, insertEndpoint } from '../../../support/engine.js';
import type { Published } from '../../../../src/domain/event/store-events.js';
import { Publishing } from '../../../support/publisher.js';
import { statementsOf } from '../../../support/statements.js';

describe('publishEvent', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  let account: string;
  let woken: Wakeup[] = [];

  before(async () => {
    testDatabase = await createTestDatabase();
    database = await testDatabase.open({ wake: (wakeups) => void woken.push(...wakeups) });
  });

  after(() => testDatabase.drop());

  beforeEach(async () => {
    await testDatabase.query(
      'truncate pending_delivery, delivery, event, publish_key, endpoint_secret, notice, endpoint',
    );
    account = await insertAccount(testDatabase);
    woken = [];
  });

  const publish = (changes: Partial<PublishInput> = {}) =>
    database.transact((tx) =>
      publishEvent(tx, account, {
        type: eventType,
        subject: 'order:1',
        data: { n: 1 },
        ...changes,
      }),
    );

  const refusal = async (changes: Partial<PublishInput>): Promise<DomainError> => {
    try {
      await publish(changes);
    } catch (error) {
      if (error instanceof DomainError) return error;
      throw error;
    }
    throw new Error('it was published');
  };

  const pendingDeliveries = () =>
    testDatabase.query<{ endpoint_id: string; id: string }>('select * from pending_delivery');

  it('publishing makes one pending delivery for each active subscribed endpoint, and one wake-up', async () => {
    const one = await insertEndpoint(testDatabase, account);
    const two = await insertEndpoint(testDatabase, account);

    await insertEndpoint(testDatabase, account, 'active = false');
    await insertEndpoint(testDatabase, account, 'deleted_at = now()');
    await insertEndpoint(testDatabase, account, `event_types = '{other.type}'`);
    await insertEndpoint(testDatabase, await insertAccount(testDatabase));

    const { id, created } = await publish();
    expect(created).to.equal(true);

    const made = await pendingDeliveries();
    expect(made.map(({ endpoint_id }) => endpoint_id)).to.have.members([one, two]);

    for (const pending of made) {
      expect(pending.id).to.match(/^pdl_[0-9A-Za-z]{24}$/);
      expect(pending).to.include({ event_id: id, attempt: 1, max_attempts: 10, lane: 'live' });
      expect(pending).to.include({ ready: true, test: false });
    }

    expect(woken).to.deep.equal([{ kind: 'due' }]);
  });

  it('H83: stores the bytes of an envelope once', async () => {
    const { id } = await publish({ data: { z: 1, a: [null, 'é'] } });
    const [event] = await testDatabase.query<{ body: Buffer }>('select * from event');
    expect(event).to.include({ id, type: eventType, version: 'v1', subject: 'order:1' });
    const envelope = JSON.parse(event!.body.toString()) as Record<string, unknown>;
    expect(envelope).to.include({ id, source: 'https://api.example/v1/commerce', test: false });
    expect(event!.body.toString()).to.contain('"data":{"z":1,"a":[null,"é"]}');
  });

  it('H62, H68: a test event has one attempt', async () => {
    await insertEndpoint(testDatabase, account);
    await publish({ test: true });
    expect((await pendingDeliveries())[0]).to.include({ test: true, max_attempts: 1 });
  });

  it('publishes an event for one endpoint alone', async () => {
    const one = await insertEndpoint(testDatabase, account);
    await insertEndpoint(testDatabase, account);
    await publish({ endpointId: one, test: true });
    expect((await pendingDeliveries()).map(({ endpoint_id }) => endpoint_id)).to.deep.equal([one]);
    await publish();
    expect(await testDatabase.query('select endpoint_id from event order by id')).to.deep.equal([
      { endpoint_id: one },
      { endpoint_id: null },
    ]);
  });

  it('publishes once under a key, even when asked twice at the same time', async () => {
    await insertEndpoint(testDatabase, account);
    const results = await Promise.all([1, 2, 3, 4].map(() => publish({ key: 'k' })));
    expect(new Set(results.map(({ id }) => id)).size).to.equal(1);
    expect(results.filter(({ created }) => created)).to.have.length(1);
    expect(await pendingDeliveries()).to.have.length(1);
    expect(await publish({ key: 'other' })).to.have.property('created', true);
  });

  it('refuses other content under the same key for 30 days', async () => {
    const { id } = await publish({ key: 'k' });
    expect(await refusal({ key: 'k', data: { n: 2 } })).to.have.property(
      'code',
      'event_key_conflict',
    );
    await testDatabase.query(
      `update publish_key set expires_at = date_trunc('milliseconds', now())`,
    );
    const later = await publish({ key: 'k', data: { n: 2 } });
    expect(later.created).to.equal(true);
    expect(later.id).not.to.equal(id);
  });

  it('refuses events of unknown types, and content that cannot be stored or sent', async () => {
    const entry = async (changes: Partial<PublishInput>) => (await refusal(changes)).errors[0];
    expect(await entry({ type: 'no.such' })).to.deep.equal({
      code: 'unknown_event_type',
      detail: 'Unknown event type: no.such',
      param: 'type',
    });

    expect(await entry({ data: { a: 'x\0' } })).to.include({
      code: 'invalid_value',
      param: 'data',
    });

    expect(await entry({ subject: '' })).to.include({ code: 'invalid_value', param: 'subject' });

    for (const control of ['\n', '\r', '\t', '\x1b', '\x7f', '\x85', '\u2028', '\u2029']) {
      expect(await entry({ subject: `order:1${control}x` }), JSON.stringify(control)).to.deep.equal(
        {
          code: 'invalid_value',
          detail: 'Must be one line without control characters.',
          param: 'subject',
        },
      );
    }

    expect(await publish({ subject: 'order:1 – Größe 🖼' })).to.have.property('created', true);
    expect(await entry({ data: { blob: 'x'.repeat(262_144) } })).to.include({ param: 'data' });
  });

  it('R16: stores one event for 10,000 endpoints with one statement', async () => {
    await testDatabase.query(
      `insert into endpoint (id, account_id, url, active, notification_email, event_types, created_at, updated_at)
       select 'whs_' || lpad(g::text, 24, '0'), $1, 'https://a.example', true, 'a@b.example', $2, now(), now()
         from generate_series(1, 10000) g`,
      [account, [eventType]],
    );
    await publish();
    const [row] = await testDatabase.query<{ n: number }>(
      'select count(distinct id)::int as n from pending_delivery',
    );
    expect(row).to.deep.equal({ n: 10_000 });
    expect(woken).to.deep.equal([{ kind: 'due' }]);
  });
});

describe('publishAtomically', () => {
  let publishing: Publishing;
  let woken: Wakeup[];

  before(async () => (publishing = await Publishing.create()));

  beforeEach(async () => {
    await publishing.reset();
    woken = [];
  });

  after(() => publishing.test.drop());

  const publishAll = async (changes: readonly Partial<PublishRequest>[]) => {
    const { transact } = await publishing.test.open({
      wake: (wakeups) => void woken.push(...wakeups),
    });
    return publishing.publisher.publishAtomically(
      transact,
      changes.map((change) => publishing.request(change)),
    );
  };

  const causeOf = (result: unknown) =>
    (result as { errors?: readonly { code: string }[] }).errors?.[0]?.code;

  it('stores the events of an atomic call in one transaction, those without keys with one statement', async () => {
    let results: unknown[] = [];
    const sent = await statementsOf(async () => {
      results = await publishAll(Array.from({ length: 1_000 }, () => ({})));
    });
    const texts = sent.map(({ text }) => text.trim().slice(0, 6));
    expect(texts.slice(-3)).to.deep.equal(['BEGIN ', 'with i', 'COMMIT']);
    expect(new Set((results as Published[]).map(({ id }) => id)).size).to.equal(1_000);
    expect(await publishing.stored()).to.have.lengthOf(1_001);
    expect(woken).to.have.lengthOf(1_000);
  });

  it('an atomic call publishes each key once, even one that was published before', async () => {
    const { id } = await publishing.publish({ key: 'old' });
    const results = await publishAll([{ key: 'new' }, { key: 'old' }, { key: 'new' }, {}]);
    const [first, old, again, plain] = results as Published[];
    expect(old).to.deep.equal({ id, created: false });
    expect(again).to.deep.equal({ id: first?.id, created: false });
    expect([first?.created, plain?.created]).to.deep.equal([true, true]);
  });

  it('an atomic call stores no event if one is refused, and says so of each', async () => {
    const wrong: [Partial<PublishRequest>, string][] = [
      [{ type: 'no.such' }, 'unknown_event_type'],
      [{ accountId: 'acc_000000000000000000000000' }, 'not_found'],
      [{ subject: '' }, 'invalid_value'],
      [{ key: 'good', data: { n: 2 } }, 'event_key_conflict'],
    ];

    const before = await publishing.stored();

    for (const [change, code] of wrong) {
      const results = await publishAll([{ key: 'good' }, {}, change, {}]);
      const none = 'not_published';
      const cause = code;
      expect(results.map(causeOf)).to.deep.equal([none, none, cause, none]);
    }

    expect(await publishing.stored()).to.have.members(before);
    expect(woken).to.deep.equal([]);
    expect(await publishing.publish({ key: 'good' })).to.have.property('created', true);
  });
});
