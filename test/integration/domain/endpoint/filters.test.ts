import { expect } from 'chai';
import type { Database } from '../../../../src/database/database.js';
import { setEndpointOptions } from '../../../../src/domain/endpoint/endpoint-options.js';
import {
  type Filter,
  isProblem,
  parseFilter,
  toJsonPath,
} from '../../../../src/domain/endpoint/filter.js';
import { tryFilter } from '../../../../src/domain/endpoint/try-filter.js';
import { publishEvent } from '../../../../src/domain/event/publish.js';
import { GroupRoom } from '../../../../src/domain/event/group-commit.js';
import { storeEvents } from '../../../../src/domain/event/store-events.js';
import { preparationAt, prepareEvent } from '../../../../src/domain/event/prepare-event.js';
import { commandActor } from '../../../../src/domain/transaction/actor.js';
import type { Wakeup } from '../../../../src/domain/transaction/wakeup.js';
import type { Random } from '../../../../tools/seed/random.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import { eventType, insertAccount, insertEndpoint } from '../../../support/engine.js';
import { isLongRun } from '../../../support/long-run.js';
import { refusalOf } from '../../../support/refusal.js';
import { publisherOf } from '../../../support/publisher.js';
import { sampleOf, seededRandom } from '../../../support/random.js';

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** What a filter says about an event, by the documented rules and without PostgreSQL. */
function matches(filter: Filter, event: Json): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.parts.every((part) => matches(part, event));
    case 'or':
      return filter.parts.some((part) => matches(part, event));
    case 'not':
      return !matches(filter.part, event);
    case 'exists':
      return valuesAt(filter.path, event).length > 0;
    case 'compare':
      return valuesAt(filter.path, event).some((value) => isTrue(value, filter));
  }
}

function valuesAt(
  { members, inItems }: Extract<Filter, { kind: 'exists' }>['path'],
  event: Json,
): Json[] {
  const found = valueAt(members, event);
  if (!inItems) return found;
  const [list] = found;
  if (!Array.isArray(list) || list.length > 100) return [];
  return (list as readonly Json[]).flatMap((item) => valueAt(inItems, item));
}

function valueAt(members: readonly string[], value: Json): Json[] {
  const [first, ...rest] = members;
  if (first === undefined) return [value];
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return [];
  return Object.hasOwn(value, first) ? valueAt(rest, (value as Record<string, Json>)[first]!) : [];
}

function isTrue(value: Json, { operator, literal }: Extract<Filter, { kind: 'compare' }>): boolean {
  if (literal.kind === 'constant' && literal.value === null) {
    return operator === '==' ? value === null : value !== null;
  }
  const wanted = literal.kind === 'number' ? Number(literal.text) : literal.value;
  if (value === null) return operator === '!=';
  if (typeof value !== typeof wanted) return false;
  if (operator === 'starts with') return (value as string).startsWith(wanted as string);

  const order =
    typeof value === 'string'
      ? Buffer.compare(Buffer.from(value), Buffer.from(wanted as string))
      : Number(value) - Number(wanted);
  switch (operator) {
    case '==':
      return order === 0;
    case '!=':
      return order !== 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
  }
}

const names = ['a', 'b', 'list', 'é', '"', '\\', 'true', ') || true', '$'];
const texts = ['', 'a', 'ab', 'é', '\u{1f600}', '\uffff', '"', '\\', '\n', '") || (true', '%40'];
const numbers = [0, -0, 1, -1, 1.5, 10, 1e21, 1e308, 5e-324, 9_007_199_254_740_991];

function randomJson(random: Random, depth: number): Json {
  const kind = random.integer(0, depth > 0 ? 6 : 3);
  if (kind === 0) return null;
  if (kind === 1) return random.boolean(0.5);
  if (kind === 2) return random.pick(numbers);
  if (kind === 3) return random.pick(texts);
  if (kind === 4) {
    const length = random.pick([0, 1, 3, 100, 101]);
    return Array.from({ length }, () => randomJson(random, length > 3 ? 0 : depth - 1));
  }
  return Object.fromEntries(
    Array.from({ length: 3 }, () => [random.pick(names), randomJson(random, depth - 1)]),
  );
}

function randomPath(random: Random, stars: boolean): string {
  const member = () => `.${JSON.stringify(random.pick(names))}`;
  const before = Array.from({ length: random.integer(0, 2) }, member).join('');
  const star = stars && random.boolean(0.4) ? `[*]${random.boolean(0.5) ? member() : ''}` : '';
  return `$.data${before}${star}`;
}

function randomFilter(random: Random, depth: number): string {
  const kind = depth > 0 ? random.integer(0, 5) : random.integer(3, 5);
  const sub = () => randomFilter(random, depth - 1);
  if (kind === 0) return `(${sub()} && ${sub()})`;
  if (kind === 1) return `${sub()} || ${sub()}`;
  if (kind === 2) return `!(${sub()})`;
  if (kind === 3) return `exists(${randomPath(random, true)})`;
  const path = randomPath(random, true);
  if (random.boolean(0.2)) return `${path} starts with ${JSON.stringify(random.pick(texts))}`;
  if (random.boolean(0.3)) {
    return `${path} ${random.pick(['==', '!='])} ${random.pick(['true', 'false', 'null'])}`;
  }
  const operator = random.pick(['==', '!=', '<', '<=', '>', '>=']);
  const literal = random.boolean(0.5) ? random.pick(numbers) : random.pick(texts);
  return `${path} ${operator} ${JSON.stringify(literal)}`;
}

describe('the filters of endpoints', () => {
  let test: TestDatabase;
  let database: Database;
  let account: string;
  let woken: Wakeup[] = [];

  before(async () => {
    test = await createTestDatabase();
    database = await test.open({ wake: (wakeups) => void woken.push(...wakeups) });
  });

  after(() => test.drop());

  beforeEach(async () => {
    await test.query(
      'truncate pending_delivery, delivery, event, publish_key, endpoint_secret, endpoint',
    );
    account = await insertAccount(test);
    woken = [];
  });

  const filtered = async (text: string, changes = '') => {
    await test.query('update account set has_filters = true where id = $1', [account]);
    const filter = parseFilter(text);
    if (isProblem(filter)) throw new Error(filter.detail);
    const quoted = (value: string) => `'${value.replaceAll("'", "''")}'`;
    return insertEndpoint(
      test,
      account,
      `filter = ${quoted(text)}, filter_path = ${quoted(toJsonPath(filter))}, filter_changed_at = now()${changes}`,
    );
  };

  const publish = (data: Record<string, unknown>, changes: object = {}) =>
    database.transact((tx) =>
      publishEvent(tx, account, { type: eventType, subject: 'order:1', data, ...changes }),
    );

  const receivers = async () =>
    (
      await test.query<{ endpoint_id: string }>(
        'select endpoint_id from pending_delivery order by 1',
      )
    ).map(({ endpoint_id }) => endpoint_id);

  it('H294: PostgreSQL and the documented rules agree on random filters and bodies', async () => {
    const { seed, random } = seededRandom();
    const cases = Array.from({ length: isLongRun ? 20_000 : 1_000 }, () => {
      const data: Json = random.boolean(0.9)
        ? { a: randomJson(random, 3), list: randomJson(random, 3), é: randomJson(random, 2) }
        : randomJson(random, 1);
      for (;;) {
        const text = randomFilter(random, 2);
        const filter = parseFilter(text);
        if (!isProblem(filter)) return { text, filter, event: { data } };
      }
    });

    const rows = await test.query<{ matches: boolean | null }>(
      `select j::jsonb @@ p::jsonpath as matches
         from unnest($1::text[], $2::text[]) with ordinality t (j, p, place) order by place`,
      [
        cases.map(({ event }) => JSON.stringify(event)),
        cases.map(({ filter }) => toJsonPath(filter)),
      ],
    );

    const expected = cases.map(({ filter, event }) => matches(filter, event));
    for (const [place, { text, event }] of cases.entries()) {
      const message = `SEED=${seed}: ${text} on ${JSON.stringify(event)}`;
      expect(rows[place]?.matches, message).to.equal(expected[place]);
    }
    // Both answers occur, so that the comparison says something.
    expect(expected.filter(Boolean).length).to.be.within(
      cases.length / 20,
      (cases.length * 19) / 20,
    );
  });

  it('H294: an event reaches the endpoints without a filter and those whose filter it matches', async () => {
    const all = await insertEndpoint(test, account);
    const large = await filtered('$.data.total >= 10000');
    await filtered('$.data.total < 10000');
    await filtered('$.data.missing == 1');
    await filtered('$.data.total >= 1', `, event_types = '{other.type}'`);
    await filtered('$.data.total >= 1', ', active = false');

    await publish({ total: 12_000 });
    expect(await receivers()).to.deep.equal([all, large].sort());
    expect(woken).to.deep.equal([{ kind: 'due' }]);
  });

  it('H294: a filter reads arrays of at most 100 items', async () => {
    const endpoint = await filtered('$.data.list[*].n == 1');
    const list = (length: number) => Array.from({ length }, (_, n) => (n === 0 ? { n: 1 } : {}));
    await publish({ list: list(101) });
    expect(await receivers()).to.deep.equal([]);
    await publish({ list: list(100) });
    expect(await receivers()).to.deep.equal([endpoint]);
  });

  it('H294: a filter sees the envelope', async () => {
    const one = await filtered(`$.type == "${eventType}" && $.subject starts with "order:"`);
    await filtered('$.subject starts with "offer:"');
    await publish({});
    expect(await receivers()).to.deep.equal([one]);
  });

  it('H295: an event for one endpoint alone, such as a test event, ignores the filter', async () => {
    const endpointId = await filtered('$.data.total >= 10000');
    await publish({ total: 1 }, { endpointId, test: true });
    expect(await receivers()).to.deep.equal([endpointId]);
  });

  it('H294: every body that the interface accepts can be filtered', async () => {
    const endpoint = await filtered(
      '$.data.n == 1.7976931348623157e308 && $.data.s == "\\uffff\u{1f600}"',
    );
    const nested = (depth: number): Record<string, unknown> =>
      depth === 0 ? {} : { 'é\u{1f600}': nested(depth - 1) };
    await publish({
      n: Number.MAX_VALUE,
      least: 5e-324,
      s: '\uffff\u{1f600}',
      '': [[], -0],
      deep: nested(62),
    });
    expect(await receivers()).to.deep.equal([endpoint]);
  });

  it('a filtered endpoint counts in the size of a group whether it matched or not', async () => {
    await insertEndpoint(test, account);
    for (let count = 0; count < 5; count += 1) await filtered('$.data.n == 0');

    const now = new Date();
    const prepared = Array.from({ length: 10 }, (_, n) =>
      prepareEvent(preparationAt(now, 'https://x.example'), account, {
        type: eventType,
        subject: 's',
        data: { n },
      }),
    );
    // The first statement of a process finds out that the account has filters.
    const first = await storeEvents(database.read, prepared, { acceptUnlisted: true });
    expect(first.results).to.deep.equal(Array(10).fill('unresolved'));
    expect(first).to.include({ stored: 0, pendingDeliveries: 0, fanOut: 0 });

    const group = await storeEvents(database.read, prepared, { acceptUnlisted: true });
    expect(group).to.include({ stored: 10, pendingDeliveries: 15, fanOut: 15 + 10 * 10 * 5 });
    expect(group.named).to.deep.equal({ [`${account} ${eventType}`]: 515 });

    const unknown = (type: string) => ({ name: `${account} ${type}`, perEvent: undefined });
    const room = new GroupRoom();
    expect(room.fits(unknown(eventType), account)).to.equal(true);
    room.add(unknown(eventType), account);
    for (const type of [eventType, 'another.type'])
      expect(room.fits(unknown(type), account), `another one of ${type}`).to.equal(false);
    const other = new GroupRoom();
    other.add(unknown(eventType), 'acc_without');
    expect(other.fits(unknown(eventType), 'acc_without'), 'without filters').to.equal(true);

    const [lone] = prepared;
    await test.query('truncate pending_delivery, event');
    const single = await storeEvents(database.read, [lone!], { acceptUnlisted: true });
    expect(single).to.include({ pendingDeliveries: 6, fanOut: 56 });
  });

  it('a process that learns of filters sends the first event again by itself', async () => {
    await insertEndpoint(test, account);
    const sizes: number[] = [];
    const sql: typeof database.read.sql = (statement, values) => {
      if (statement.name.startsWith('event_publish'))
        sizes.push(String(values[0]).split(',').length);
      return database.read.sql(statement, values);
    };
    const publisher = publisherOf({ read: { ...database.read, sql } });
    const publish = async (count: number) => {
      const data = sampleOf(eventType, {});
      const requests = Array.from({ length: count }, () => ({
        accountId: account,
        type: eventType,
        subject: 's',
        data,
      }));
      const results = await publisher.publish(requests);
      expect(results.filter((result) => result instanceof Error)).to.deep.equal([]);
    };

    await publish(1);
    await filtered('$.data.n == 0');
    await publish(50);
    expect(sizes).to.deep.equal([1, 50, 1, 49]);
  });

  it('H294: setting a filter keeps what is pending, and says in the audit log only that it changed', async () => {
    const endpoint = await insertEndpoint(test, account);
    await publish({ total: 1 });
    const set = (filter: string | null) =>
      database.transact((tx) => setEndpointOptions(tx, account, endpoint, { filter }), {
        actor: { ...commandActor, account },
      });
    await set('$.data.total > 1');
    await publish({ total: 1 });
    expect(await receivers()).to.deep.equal([endpoint]);
    const [entry] = await test.query<{ changes: unknown }>(
      `select changes from audit_entry where resource_id = $1`,
      [endpoint],
    );
    expect(entry?.changes).to.deep.equal([{ field: 'filter' }]);

    const refusal = await refusalOf(set('$.data.total > $.data.n'));
    expect(refusal.errors).to.deep.equal([
      {
        code: 'invalid_value',
        detail: 'Character 16: A path is compared with a text, a number, true, false or null only.',
        param: 'filter',
      },
    ]);

    await set(null);
    await publish({ total: 1 });
    expect(await receivers()).to.have.lengthOf(2);
  });

  it('H297: tries a filter on the newest 100 events of the types of the endpoint, newest first', async () => {
    const endpoint = await insertEndpoint(test, account, 'active = false');
    const ids: string[] = [];
    for (let total = 0; total < 102; total += 1) ids.push((await publish({ total })).id);
    await publish({ total: 200 }, { type: 'offer.sent' });
    await publish({ total: 200 }, { endpointId: endpoint, test: true });
    await test.query(`update event set account_id = $1 where id = $2`, [
      await insertAccount(test),
      ids[50],
    ]);

    const tried = await tryFilter(database.read, account, endpoint, '$.data.total >= 100');
    // Ids of one millisecond are in no order.
    const kept = ids
      .filter((_id, place) => place !== 50)
      .sort()
      .reverse();
    expect(tried.map(({ id }) => id)).to.deep.equal(kept.slice(0, 100));
    const matching = tried.filter((event) => event.matches).map(({ id }) => id);
    expect(matching).to.have.members(ids.slice(100));

    const refused = tryFilter(database.read, account, endpoint, '$.data.total >=');
    expect((await refusalOf(refused)).errors[0]?.detail).to.match(/^Character 16: /);
    const other = await insertAccount(test);
    const foreign = tryFilter(database.read, other, endpoint, '$.data.total >= 1');
    expect((await refusalOf(foreign)).code).to.equal('not_found');
  });
});
