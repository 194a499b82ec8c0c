import { expect } from 'chai';
import type { Database } from '../../../../src/database/database.js';
import type { PageRequest } from '../../../../src/domain/list/cursor-page.js';
import {
  getDelivery,
  listDeliveries,
  nextAttempts,
} from '../../../../src/domain/delivery/deliveries.js';
import type { DeliveryStatus } from '../../../../src/domain/delivery/attempt-result.js';
import { DomainError } from '../../../../src/domain/errors.js';
import { makeId, smallestId } from '../../../../src/domain/values/id.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import { apiServerSettings } from '../../../../src/database/address.js';
import { type DeliverySearch, searchDeliveries } from '../../../../src/domain/delivery/search.js';
import { getEvent, getEventBody, searchEvents } from '../../../../src/domain/event/events.js';
import { publishEvent } from '../../../../src/domain/event/publish.js';
import { eventType, insertAccount, insertEndpoint } from '../../../support/engine.js';
import { refusalOf } from '../../../support/refusal.js';

const day = 86_400_000;

describe('delivery records', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  let now: Date;

  before(async () => {
    testDatabase = await createTestDatabase();
    database = await testDatabase.open();
    const [row] = await testDatabase.query<{ now: Date }>('select now() as now');
    now = row!.now;
    // Partitions of the past, for records that are older than the service of this test.
    await testDatabase.query(
      `create table delivery_past partition of delivery
       for values from ('whd_0') to ('${await oldestBound()}')`,
    );
  });

  after(() => testDatabase.drop());
  beforeEach(() => testDatabase.query('truncate delivery, pending_delivery'));

  const oldestBound = async () => {
    const [row] = await testDatabase.query<{ bound: string }>(
      `select min(split_part(pg_get_expr(c.relpartbound, c.oid), '''', 2)) as bound
         from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = 'delivery'::regclass`,
    );
    return row!.bound;
  };

  const arrange = async (ageMs: number, status = 'success', account = 'acc_1'): Promise<string> => {
    const at = new Date(now.getTime() - ageMs);
    const id = makeId('whd', at);
    await testDatabase.query(
      `insert into delivery (id, account_id, endpoint_id, pending_delivery_id, event_id, event_type, event_version,
                             attempt, max_attempts, status, test, created_at)
       values ($1, $2, 'whs_1', 'pdl_1', 'evt_1', 'a.b', 'v1', 1, 10, $3, false, $4)`,
      [id, account, status, at],
    );
    return id;
  };

  const pages = async (filter: PageRequest<DeliveryStatus>): Promise<string[][]> => {
    const found: string[][] = [];
    let cursor: string | null = null;
    do {
      const page = await listDeliveries(database.read, 'acc_1', { ...filter, cursor });
      found.push(page.data.map(({ id }) => id));
      cursor = page.page.nextCursor;
    } while (cursor !== null);
    return found;
  };

  it('H32, H33: lists records newest first, page by page, without gap or repetition', async () => {
    const ids: string[] = [];
    for (const age of [5, 4, 3, 2, 1]) ids.unshift(await arrange(age * 1_000));
    expect(await pages({ limit: 2 })).to.deep.equal([
      ids.slice(0, 2),
      ids.slice(2, 4),
      ids.slice(4),
    ]);
    expect(await pages({ limit: 5 })).to.deep.equal([ids]);
  });

  it('H30, H39: lists only records of the account and of the requested status', async () => {
    const failed = await arrange(1_000, 'failed');
    await arrange(2_000);
    await arrange(3_000, 'failed', 'acc_2');
    expect(await pages({ limit: 1, status: 'failed' })).to.deep.equal([[failed]]);
    expect(await pages({ limit: 10, status: 'abandoned' })).to.deep.equal([[]]);
  });

  it('H36: refuses the cursor of another filter', async () => {
    await arrange(1_000);
    await arrange(2_000);
    const { page } = await listDeliveries(database.read, 'acc_1', { limit: 1 });
    const refused = await listDeliveries(database.read, 'acc_1', {
      limit: 1,
      cursor: page.nextCursor,
      status: 'success',
    }).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(DomainError);
  });

  it('H66: lists and finds records for 30 days', async () => {
    const young = await arrange(30 * day - 60_000);
    const old = await arrange(30 * day + 60_000);
    expect(await pages({ limit: 10 })).to.deep.equal([[young]]);
    expect(await getDelivery(database.read, 'acc_1', young)).to.include({ id: young });
    const missing = await getDelivery(database.read, 'acc_1', old).catch((error: unknown) => error);
    expect(missing).to.include({ code: 'not_found' });
  });

  it('H91: does not find the record of another account', async () => {
    const id = await arrange(1_000);
    const missing = await getDelivery(database.read, 'acc_2', id).catch((error: unknown) => error);
    expect(missing).to.include({ code: 'not_found' });
  });

  it('says when the next attempt is due', async () => {
    const id = await arrange(1_000, 'failed');
    const due = new Date(now.getTime() + 5_000);
    await testDatabase.query(
      `insert into pending_delivery (id, account_id, endpoint_id, event_id, event_type, lane, ready, due_at,
                          attempt, max_attempts, test, last_delivery_id, created_at)
       values ('pdl_1', 'acc_1', 'whs_1', 'evt_1', 'a.b', 'live', false, $2, 2, 10, false, $1, now())`,
      [id, due],
    );
    const earlier = await arrange(2_000, 'failed');
    const records = [id, earlier].map((one) => ({ id: one, pendingDeliveryId: 'pdl_1' }));
    expect(await nextAttempts(database.read, records)).to.deep.equal(new Map([[id, due]]));
  });

  it('reads records in the order of an index, without a sort', async () => {
    const plan = await testDatabase.query<{ 'QUERY PLAN': string }>(
      `explain select id from delivery
        where account_id = 'acc_1' and id < 'whd_~' order by id desc limit 21`,
    );
    const text = plan.map((row) => row['QUERY PLAN']).join('\n');
    expect(text).to.contain('Append').and.not.to.contain('Sort');
  });
});

const dayMs = 86_400_000;

describe('searching deliveries and events', () => {
  let test: TestDatabase;
  let database: Database;
  let account: string;
  let other: string;
  let endpoints: string[];
  let foreign: string;
  let events: string[];
  const now = new Date();

  before(async () => {
    test = await createTestDatabase();
    database = await test.open({ serverSettings: apiServerSettings });
    account = await insertAccount(test);
    other = await insertAccount(test);
    endpoints = [await insertEndpoint(test, account), await insertEndpoint(test, account)];
    foreign = await insertEndpoint(test, other);

    events = await database.transact(async (tx) => {
      const ids: string[] = [];
      for (const place of [0, 1, 2]) {
        const subject = place === 0 ? 'order:rare' : 'order:usual';
        const { id } = await publishEvent(tx, account, { type: eventType, subject, data: {} });
        ids.push(id);
      }
      return ids;
    });

    await insertRecords(12_000);
  });

  after(() => test.drop());

  /** Records of the last two hours, in one millisecond by the dozen. */
  const insertRecords = (count: number) =>
    test.query(
      `insert into delivery (id, account_id, endpoint_id, pending_delivery_id, event_id, event_type,
                             event_version, attempt, max_attempts, status, test, replayed_from,
                             duration_ms, created_at)
       select $1 || lpad(i::text, 16, '0'), case when i % 7 = 6 then $3 else $2 end,
              case when i % 7 = 6 then $4 else ($5::text[])[1 + i % 2] end,
              'pdl_' || i, ($6::text[])[1 + i % 3],
              case when i % 4000 = 5 then 'invoice.issued' else $7 end, 'v1', 1, 10,
              case when i % 3000 = 8 then 'abandoned' when i % 10 = 1 then 'failed' else 'success' end,
              i % 5000 = 3, case when i % 6000 = 4 then 'whd_1' end, 12, now()
         from generate_series(1, ${count}) i`,
      [
        smallestId('whd', new Date(now.getTime() - 3_600_000)),
        account,
        other,
        foreign,
        endpoints,
        events,
        eventType,
      ],
    );

  /** The ids on all pages, and how many pages there were. */
  const pagesOf = async (search: DeliverySearch, limit = 100) => {
    const ids: string[] = [];
    let pages = 0;
    for (let cursor: string | null = null; pages === 0 || cursor; pages += 1) {
      const page = { limit, cursor };
      const found = await searchDeliveries(database.read, account, search, page);
      ids.push(...found.data.map(({ id }) => id));
      cursor = found.page.nextCursor;
    }
    return { ids, pages };
  };

  const expected = async (condition: string, values: unknown[] = []) => {
    const rows = await test.query<{ id: string }>(
      `select id from delivery where account_id = $1 and ${condition} order by id desc`,
      [account, ...values],
    );
    return rows.map(({ id }) => id);
  };

  it('H132: finds exactly the records that match one filter or several, newest first', async () => {
    const first = endpoints[0]!;
    const second = endpoints[1]!;
    const of = (search: DeliverySearch, condition: string, ...values: unknown[]) =>
      ({ search, condition, values }) as const;
    const searches = [
      of({ endpoint: first, status: 'failed' }, "endpoint_id = $2 and status = 'failed'", first),
      of({ endpoint: second, test: true }, 'endpoint_id = $2 and test', second),
      of(
        { endpoint: first, event: events[1] },
        'endpoint_id = $2 and event_id = $3',
        first,
        events[1],
      ),
      of({ eventType: 'invoice.issued' }, "event_type = 'invoice.issued'"),
      of({ eventType, status: 'abandoned' }, "event_type = $2 and status = 'abandoned'", eventType),
      of({ eventType: 'no.such' }, 'false'),
      of({ status: 'abandoned', test: false }, "status = 'abandoned' and not test"),
      of({ test: true }, 'test'),
      of({ replayed: true }, 'replayed_from is not null'),
      of({ replayed: true, test: true }, 'false'),
    ];
    for (const { search, condition, values } of searches) {
      const { ids } = await pagesOf(search);
      expect(ids, JSON.stringify(search)).to.deep.equal(await expected(condition, [...values]));
    }
  });

  it('H132: reads at most 10,000 records for a page and then returns a cursor, even with an empty page', async () => {
    expect((await pagesOf({ replayed: true, test: true })).pages).to.equal(2);
    const page = { limit: 20 };
    const found = await searchDeliveries(
      database.read,
      account,
      { replayed: true, test: true },
      page,
    );
    expect(found.data).to.deep.equal([]);
    expect(found.page.nextCursor).to.be.a('string');
  });

  it('H132: includes the first instant of a time range and excludes its last', async () => {
    const at = new Date(now.getTime() - 3_600_000);
    const after = new Date(at.getTime() + 1);
    const count = async (search: DeliverySearch) =>
      (await searchDeliveries(database.read, account, search, { limit: 100 })).data.length;
    expect(await count({ since: at, until: after })).to.equal(100);
    expect(await count({ since: after })).to.equal(0);
    expect(await count({ until: at })).to.equal(0);
    expect(await count({ since: new Date(-dayMs), until: new Date(9e14) })).to.equal(100);
    const search = { since: after, until: after };
    const refused = searchDeliveries(database.read, account, search, { limit: 1 });
    expect(await refusalOf(refused)).to.include({ code: 'validation_failed' });
  });

  it('H132: refuses an endpoint or event of another account, and the cursor of another filter', async () => {
    const search = (filter: DeliverySearch, cursor?: string | null, owner = account) =>
      searchDeliveries(database.read, owner, filter, { limit: 1, cursor });

    for (const filter of [
      { endpoint: foreign },
      { endpoint: 'whs_x' },
      { event: makeId('evt', now) },
    ]) {
      expect(await refusalOf(search(filter)), JSON.stringify(filter)).to.include({
        code: 'not_found',
      });
    }

    expect(await refusalOf(search({ event: events[0] }, undefined, other))).to.include({
      code: 'not_found',
    });

    const { page } = await search({ eventType });
    expect(await refusalOf(search({ test: false }, page.nextCursor))).to.include({
      code: 'validation_failed',
    });
  });

  it('H133: returns the bytes of an event, and finds events by type, subject and time', async () => {
    const { read } = database;
    expect(await getEvent(read, account, events[0]!)).to.include({ subject: 'order:rare' });
    expect(JSON.parse(await getEventBody(read, account, events[0]!))).to.include({
      type: eventType,
    });
    expect(await refusalOf(getEvent(read, other, events[0]!))).to.include({ code: 'not_found' });
    expect(await refusalOf(getEventBody(read, other, events[0]!))).to.include({
      code: 'not_found',
    });

    const ids = async (search: Parameters<typeof searchEvents>[2], owner = account) =>
      (await searchEvents(read, owner, search, { limit: 100 })).data.map(({ id }) => id);
    expect(await ids({})).to.deep.equal(events.toSorted().toReversed());
    expect(await ids({ subject: 'order:rare' })).to.deep.equal([events[0]]);
    expect(await ids({ type: 'invoice.issued' })).to.deep.equal([]);
    expect(await ids({ until: new Date(now.getTime() - dayMs) })).to.deep.equal([]);
    expect(await ids({}, other)).to.deep.equal([]);

    const first = await searchEvents(read, account, {}, { limit: 2 });
    const { nextCursor: cursor } = first.page;
    const rest = await searchEvents(read, account, {}, { limit: 2, cursor });
    expect(rest.data.map(({ id }) => id)).to.deep.equal([events.toSorted()[0]]);
    expect(rest.page.nextCursor).to.equal(null);
  });
});
