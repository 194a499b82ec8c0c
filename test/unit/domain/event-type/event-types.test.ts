import { expect } from 'chai';
import {
  type CatalogueEntry,
  checkSubscription,
} from '../../../../src/domain/event-type/event-types.js';
import { setImmediate } from 'node:timers/promises';
import type { SchemasOfType } from '../../../../src/domain/event-type/definitions.js';
import { EventSchemas, SizedLru } from '../../../../src/domain/event-type/event-schemas.js';

const catalogue: CatalogueEntry[] = [
  { id: 'cart.order.completed', acceptsNewSubscriptions: true, listed: true },
  { id: 'offer.sent', acceptsNewSubscriptions: true, listed: true },
  { id: 'order.completed', acceptsNewSubscriptions: false, listed: true },
  { id: 'order.created', acceptsNewSubscriptions: false, listed: true },
  { id: 'cart.gone', acceptsNewSubscriptions: true, listed: false },
];

describe('checkSubscription', () => {
  it('H28: names both kinds of refusal, not-offered first, in the order asked for', () => {
    const wanted = ['foo.bar', 'order.created', 'cart.gone', 'order.completed', 'foo.bar'];
    expect(checkSubscription([], wanted, catalogue).errors).to.deep.equal([
      {
        code: 'event_type_not_offered',
        detail: 'No longer offered for new subscriptions: order.created, order.completed',
        param: 'event_types',
      },
      {
        code: 'unknown_event_type',
        detail: 'Unknown event type: foo.bar, cart.gone',
        param: 'event_types',
      },
    ]);
  });

  it('H29, A33: keeps subscribed types, offered or not, listed or not', () => {
    const current = ['order.completed', 'cart.gone', 'never.heard.of'];
    const { types, errors } = checkSubscription(current, [...current, 'offer.sent'], catalogue);
    expect(errors).to.deep.equal([]);
    expect(types).to.deep.equal([...current, 'offer.sent']);
  });

  it('A32: refuses to add back a removed type that is not offered', () => {
    const { errors } = checkSubscription(['offer.sent'], ['order.completed'], catalogue);
    expect(errors.map(({ code }) => code)).to.deep.equal(['event_type_not_offered']);
  });

  it('H6: collapses duplicates to the first occurrence and keeps the order', () => {
    const wanted = ['offer.sent', 'cart.order.completed', 'offer.sent'];
    const { types, errors } = checkSubscription([], wanted, catalogue);
    expect({ types, errors }).to.deep.equal({
      types: ['offer.sent', 'cart.order.completed'],
      errors: [],
    });
  });

  it('refuses an empty list', () => {
    expect(checkSubscription(['offer.sent'], [], catalogue).errors).to.deep.equal([
      { code: 'too_few_items', detail: 'Must have at least 1 item.', param: 'event_types' },
    ]);
  });

  it('H92: refuses text that cannot be stored before it asks the catalogue', () => {
    for (const type of ['a\0b', 'a\ud800']) {
      const [issue, ...rest] = checkSubscription([], ['foo.bar', type], catalogue).errors;
      expect(rest).to.deep.equal([]);
      expect(issue).to.include({ code: 'invalid_value', param: 'event_types' });
    }
  });
});

describe('the schemas that a process keeps', () => {
  const schemas = () =>
    new EventSchemas({
      read: { sql: () => Promise.resolve([]) },
      monotonicMs: () => 0,
      mismatched: () => undefined,
    });

  /** A type as PostgreSQL returns it, which tells how often its schema was read. */
  const typeOf = (revision: string) => {
    const reads = { count: 0 };
    const version = {
      version: 'v1',
      example: {},
      get schema() {
        reads.count += 1;
        return { type: 'object', required: ['a'] };
      },
    };

    const found: SchemasOfType = {
      id: 'shop.sold',
      validation: 'enforce',
      revision,
      versions: [version],
    };
    return { found, reads };
  };

  it('compiles schemas once for each revision, however often they are read', async () => {
    const kept = schemas();
    expect(
      await kept.compare({ schemas: typeOf('r1').found, beganAt: 0 }, 'v1', { a: 1 }),
    ).to.deep.equal([]);
    for (let times = 0; times < 3; times += 1) {
      const again = typeOf('r1');
      expect(await kept.compare({ schemas: again.found, beganAt: 0 }, 'v1', {})).to.have.lengthOf(
        1,
      );
      expect(again.reads.count).to.equal(0);
    }
    const changed = typeOf('r2');
    expect(await kept.compare({ schemas: changed.found, beganAt: 0 }, 'v1', {})).to.have.lengthOf(
      1,
    );
    expect(changed.reads.count).to.be.above(0);
  });

  it('H139: reads schemas again for an event that came a second after a slow read began', async () => {
    let now = 0;
    const answers: ((rows: SchemasOfType[]) => void)[] = [];
    const sql = <Row>() =>
      new Promise<Row[]>((resolve) => answers.push(resolve as (typeof answers)[number]));
    const kept = new EventSchemas({
      read: { sql },
      monotonicMs: () => now,
      mismatched: () => undefined,
    });

    const { found: before } = typeOf('r1');
    const [version] = before.versions;
    const after = { ...before, revision: 'r2', versions: [{ ...version!, schema: {} }] };

    const first = kept.load(['shop.sold']);

    now = 999;

    const shares = kept.load(['shop.sold']);
    expect(answers).to.have.lengthOf(1);
    now = 1_000;

    const came = kept.load(['shop.sold']);
    expect(answers).to.have.lengthOf(2);

    answers[1]?.([after]);
    await came;
    expect(kept.validate('shop.sold', 'v1', {}).issues).to.deep.equal([]);

    // What was read earlier replaces nothing, even if it comes later.
    answers[0]?.([before]);
    await Promise.all([first, shares]);
    expect(kept.validate('shop.sold', 'v1', {})).to.deep.include({ revision: 'r2', issues: [] });

    const next = kept.load(['shop.sold']);
    expect(answers).to.have.lengthOf(3);
    answers[2]?.([after]);
    await next;
  });

  it('H139: keeps newer schemas when a test event has read older ones', async () => {
    let now = 0;
    const { found: before } = typeOf('r1');
    const after = { ...before, revision: 'r2', versions: [{ ...before.versions[0]!, schema: {} }] };
    const kept = new EventSchemas({
      read: { sql: <Row>() => Promise.resolve([after] as Row[]) },
      monotonicMs: () => now,
      mismatched: () => undefined,
    });

    const beganAt = kept.now();

    now = 10;
    await kept.load(['shop.sold']);
    expect(await kept.compare({ schemas: before, beganAt }, 'v1', {})).to.deep.equal([]);
    expect(kept.validate('shop.sold', 'v1', {})).to.deep.include({ revision: 'r2', issues: [] });
  });

  it('H251: gives each of several heavy events a turn of the event loop, in their order', async () => {
    const kept = schemas();
    let turn = 0;
    const order: number[] = [];
    const turns: number[] = [];
    const counted = (async () => {
      for (; order.length < 5; turn += 1) await setImmediate();
    })();
    const callers = Array.from({ length: 5 }, async (_, at) => {
      while (kept.isTurnOver) await kept.turn();
      order.push(at);
      turns.push(turn);
      kept.spend(10_000_000);
    });

    await Promise.all([counted, ...callers]);
    expect(order).to.deep.equal([0, 1, 2, 3, 4]);
    expect(new Set(turns).size).to.equal(5);
  });
});

describe('SizedLru', () => {
  const classes = [
    { upTo: 10, maxWeight: 30 },
    { upTo: Infinity, maxWeight: 200 },
  ];

  it('keeps small values while large ones displace each other', () => {
    const kept = new SizedLru<number>(classes);
    for (const key of ['a', 'b', 'c']) kept.set(key, 1, 10);
    for (let count = 0; count < 5; count += 1) kept.set(`large${count}`, count, 100);
    expect(['a', 'b', 'c'].map((key) => kept.get(key))).to.deep.equal([1, 1, 1]);
    expect([2, 3, 4].map((count) => kept.get(`large${count}`))).to.deep.equal([undefined, 3, 4]);
  });

  it('keeps the most recently used small values', () => {
    const kept = new SizedLru<number>(classes);
    for (const key of ['a', 'b', 'c']) kept.set(key, 1, 10);
    kept.get('a');
    kept.set('d', 1, 10);
    expect(['a', 'b', 'c', 'd'].map((key) => kept.get(key))).to.deep.equal([1, undefined, 1, 1]);
  });

  it('keeps one value per key, whatever the weight of the previous value', () => {
    const kept = new SizedLru<string>(classes);
    kept.set('a', 'small', 1);
    kept.set('a', 'large', 100);
    expect(kept.get('a')).to.equal('large');
    kept.set('a', 'small again', 1);
    expect(kept.get('a')).to.equal('small again');
  });
});
