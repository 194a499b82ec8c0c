import { expect } from 'chai';
import type { DomainError } from '../../../../src/domain/errors.js';
import type { PublishRequest } from '../../../../src/domain/event/prepare-event.js';
import type { Published } from '../../../../src/domain/event/store-events.js';
import type { Statement } from '../../../../src/domain/transaction/tx.js';
import { Publishing } from '../../../support/publisher.js';
import { sampleOf } from '../../../support/random.js';
import { statementsOf } from '../../../support/statements.js';

const type = 'invoice.issued';

describe('the schema of an event', () => {
  let publishing: Publishing;
  let warned: [string, number][];

  before(async () => {
    publishing = await Publishing.create();
  });
  after(() => publishing.test.drop());

  beforeEach(async () => {
    await publishing.reset();
    await publishing.test.query(`update event_type set validation = 'enforce', revision = ''`);
    warned = [];
    publishing.publisher = publishing.publisherOf({
      mismatched: (id, issues) => void warned.push([id, issues.length]),
    });
  });

  /** Publishes exactly `data`. */
  const send = async (data: object, changes: Partial<PublishRequest> = {}) => {
    const request = { ...publishing.request({ type, ...changes }), data: { ...data } };
    const [result] = await publishing.publisher.publish([request]);
    return result as Published | DomainError;
  };

  const publishAtomically = async (datas: readonly object[]) => {
    const requests = datas.map((data) => ({ ...publishing.request({ type }), data: { ...data } }));
    return publishing.publisher.publishAtomically(publishing.database.transact, requests);
  };

  const codeOf = (result: unknown) => (result as Partial<DomainError>).errors?.[0]?.code;

  it('H138: refuses data that breaks its schema, and names each path', async () => {
    const result = await send({ a: 1 });
    expect(result).to.have.property('code', 'validation_failed');

    const { errors } = result as DomainError;
    const missing = ['invoice', 'order', 'payment', 'currency', 'totals', 'buyer'];
    expect(errors).to.deep.equal(
      missing.map((name) => ({
        code: 'schema_mismatch',
        detail: 'Is required.',
        param: `data.${name}`,
      })),
    );

    const nested = sampleOf(type, { buyer: { email: 1, name: null, country: 'x' } });
    expect(await send(nested)).to.have.deep.property('errors', [
      { code: 'schema_mismatch', detail: 'Must be string.', param: 'data.buyer.email' },
      {
        code: 'schema_mismatch',
        detail: 'Must match pattern "^[A-Z]{2}$".',
        param: 'data.buyer.country',
      },
    ]);

    expect(await publishing.stored(`type = '${type}'`)).to.deep.equal([]);
  });

  it('H138: accepts data with a member that the schema does not name', async () => {
    expect(await send(sampleOf(type, { added: 1 }))).to.have.property('created', true);
  });

  it('H138: accepts any data of a type without a schema, but only as v1', async () => {
    const other = { type: 'payment.dispute.opened' };
    expect(await send({ a: 1 }, other)).to.have.property('created', true);
    expect(codeOf(await send({ a: 1 }, { ...other, version: 'v2' }))).to.equal(
      'unknown_event_version',
    );
    expect(codeOf(await send({}, { type: 'no.such', version: 'v2' }))).to.equal(
      'unknown_event_type',
    );
  });

  it('H138: an atomic call publishes nothing if data of one event breaks its schema', async () => {
    const results = await publishAtomically([sampleOf(type), { a: 1 }]);
    expect(results.map(codeOf)).to.deep.equal(['not_published', 'schema_mismatch']);
    expect(await publishAtomically([sampleOf(type)])).to.have.nested.property('[0].created', true);
  });

  it('H139: publishes atomically although the schemas of many types changed', async () => {
    await publishing.test.query(`update event_type set revision = 'next'`);
    const types = [
      'payment.dispute.opened',
      'payment.dispute.won',
      'payment.dispute.lost',
      'payment.dispute.counter_fee.created',
      'payouts.transfer.completed',
    ];
    const requests = types.map((type) => ({ ...publishing.request({ type }), data: {} }));
    const { transact } = publishing.database;
    const results = await publishing.publisher.publishAtomically(transact, requests);
    for (const result of results) expect(result).to.have.property('created', true);
  });

  it('H139: publishes and counts data that breaks the schema of a type that only warns', async () => {
    await publishing.test.query(
      `update event_type set validation = 'warn', revision = 'w' where id = '${type}'`,
    );
    expect(await send({ a: 1 })).to.have.property('created', true);
    expect(await send(sampleOf(type))).to.have.property('created', true);
    expect(await publishAtomically([{ a: 1 }])).to.have.nested.property('[0].created', true);
    expect(warned).to.deep.equal([
      [type, 6],
      [type, 6],
    ]);
  });

  it('H139: counts each mismatched event once, although its schemas change meanwhile', async () => {
    const warnOnly = (revision: string) =>
      publishing.test.query(`update event_type set validation = 'warn', revision = '${revision}'`);
    await warnOnly('w1');
    expect(await send({ a: 1 })).to.have.property('created', true);
    await warnOnly('w2');
    expect(await send({ a: 1 })).to.have.property('created', true);
    expect(warned).to.have.lengthOf(2);

    await warnOnly('w3');
    expect(await publishAtomically([{ a: 1 }])).to.have.nested.property('[0].created', true);
    expect(warned).to.have.lengthOf(3);
  });

  it('H139: counts no mismatch of an event that is refused or was published before', async () => {
    await publishing.test.query(`update event_type set validation = 'warn', revision = 'w'`);

    const unknown = { ...publishing.request({ type: 'no.such' }), data: {} };
    const breaking = { ...publishing.request({ type, key: 'k' }), data: { a: 1 } };
    const { transact } = publishing.database;
    const results = await publishing.publisher.publishAtomically(transact, [breaking, unknown]);
    expect(results.map(codeOf)).to.deep.equal(['not_published', 'unknown_event_type']);
    expect(warned).to.have.lengthOf(0);

    expect(await send({ a: 1 }, { key: 'k' })).to.have.property('created', true);
    expect(await send({ a: 1 }, { key: 'k' })).to.have.property('created', false);

    const [again] = await publishing.publisher.publishAtomically(transact, [breaking]);
    expect(again).to.have.property('created', false);
    expect(warned).to.have.lengthOf(1);
  });

  it('H139: publishing needs one statement, whose answer says whether the schemas changed', async () => {
    await send(sampleOf(type));
    const sent = await statementsOf(() => send(sampleOf(type)));
    expect(sent).to.have.lengthOf(1);
    await publishing.test.query(`update event_type set revision = 'next' where id = '${type}'`);
    const after = await statementsOf(() => send(sampleOf(type), { key: 'k' }));
    expect(after).to.have.lengthOf(3);
    expect(await publishing.stored(`type = '${type}'`)).to.have.lengthOf(3);
    expect(await statementsOf(() => send(sampleOf(type)))).to.have.lengthOf(1);
  });

  it('H139: reads the schemas before it refuses an event, at most once a second', async () => {
    await send(sampleOf(type));
    expect(await statementsOf(() => send({ a: 1 }))).to.have.lengthOf(1);
    expect(await statementsOf(() => send({ a: 1 }))).to.have.lengthOf(0);
  });

  /** A publisher whose process finds that each statement took 1.2 s. */
  const slowly = () => {
    const { read: fast } = publishing.database;
    let nowMs = 0;
    const read = {
      rules: fast.rules,
      sql: async <Row>(statement: Statement, values: readonly unknown[]) => {
        const rows = await fast.sql<Row>(statement, values);
        nowMs += 1_200;
        return rows;
      },
    };

    publishing.publisher = publishing.publisherOf({
      read,
      keyWait: read,
      monotonicMs: () => nowMs,
      mismatched: (id, issues) => void warned.push([id, issues.length]),
    });
  };

  it('H139: decides about data that breaks its schema, however slowly PostgreSQL answers', async () => {
    slowly();
    expect(await send({ a: 1 })).to.have.property('code', 'validation_failed');
    const again = await statementsOf(() => send({ a: 1 }));
    expect(again, 'what was read a moment ago').to.have.lengthOf(0);

    await publishing.test.query(`update event_type set validation = 'warn', revision = 'w'`);
    slowly();
    expect(await send({ a: 1 })).to.have.property('created', true);
    expect(warned).to.deep.equal([[type, 6]]);
  });

  it('H139: publishes data of many types that only warn atomically, however slowly PostgreSQL answers', async () => {
    await publishing.test.query(`update event_type set validation = 'warn', revision = 'w'`);
    slowly();
    const types = ['invoice.issued', 'offer.created', 'offer.sent', 'cart.checkout.created'];
    const requests = types.map((type) => ({
      ...publishing.request({ type }),
      data: { a: 1 },
    }));
    const { transact } = publishing.database;
    const results = await publishing.publisher.publishAtomically(transact, requests);
    for (const result of results) expect(result).to.have.property('created', true);
    expect(warned.map(([id]) => id)).to.deep.equal(types);
  });

  it('H139: decides about an event although the process stalls after it has read the schemas', async () => {
    let nowMs = 0;
    publishing.publisher = publishing.publisherOf({ monotonicMs: () => (nowMs += 2_000) });
    expect(await send({ a: 1 })).to.have.property('code', 'validation_failed');
    const results = await publishAtomically([{ a: 1 }, sampleOf(type)]);
    expect(results.map(codeOf)).to.deep.equal(['schema_mismatch', 'not_published']);
  });

  it('H139: an event with outdated schemas fails no other event or key', async () => {
    await publishing.test.query(`update event_type set revision = 'next' where id = '${type}'`);
    const results = await publishing.many(20, (place) => ({
      ...(place % 2 === 0 ? { type } : {}),
      ...(place % 4 < 2 ? { key: `k${Math.floor(place / 8)}` } : {}),
    }));
    const refused = results.filter((result) => result instanceof Error);
    // Two types under one key are two contents.
    expect(refused.filter((result) => codeOf(result) !== 'event_key_conflict')).to.deep.equal([]);
    const plain = results.filter((_each, place) => place % 4 >= 2);
    for (const result of plain) expect(result).to.have.property('created', true);
  });
});
