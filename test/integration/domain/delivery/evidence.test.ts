import { expect } from 'chai';
import type { Database } from '../../../../src/database/database.js';
import { engineServerSettings } from '../../../../src/domain/delivery/claim.js';
import { getDelivery } from '../../../../src/domain/delivery/deliveries.js';
import { evidenceOf } from '../../../../src/domain/delivery/evidence.js';
import { evidenceOfDeliveries } from '../../../../src/domain/delivery/evidence-of-deliveries.js';
import type { AttemptTrace, Outcome } from '../../../../src/domain/delivery/outcome.js';
import type { EndedAttempt } from '../../../../src/domain/delivery/attempt.js';
import { recordBatch } from '../../../../src/domain/delivery/recording.js';
import { publishEvent } from '../../../../src/domain/event/publish.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import {
  claimAll,
  emptyEngine,
  end,
  endLeases,
  eventType,
  insertAccount,
  insertEndpoint,
  outcomes,
} from '../../../support/engine.js';

const request = {
  url: 'https://shop.example/hook?token=secret',
  headers: { 'webhook-id': 'evt_1', 'webhook-signature': 'v1,secret' },
};
const timings = { lookupMs: 1, connectMs: 2, tlsMs: 3, firstByteMs: 4, totalMs: 11 };

const traceOf = (body: Buffer, lines = ''): AttemptTrace => ({
  phase: 'end',
  timings,
  sendMs: 0,
  address: '203.0.113.7',
  tlsVersion: 'TLSv1.3',
  detail: null,
  bodyLeftOpen: false,
  response: { head: `HTTP/1.1 500 "No" \\\r\n${lines}`, body, truncated: false },
});

describe('storing the evidence of attempts', () => {
  let test: TestDatabase;
  let database: Database;
  let account: string;

  before(async () => {
    test = await createTestDatabase();
    database = await test.open({ serverSettings: engineServerSettings });
  });

  after(() => test.drop());

  beforeEach(async () => {
    await emptyEngine(test);
    await test.query('truncate delivery_evidence');
    account = await insertAccount(test);
    await insertEndpoint(test, account);
  });

  const publish = (count: number) =>
    database.transact(async (tx) => {
      for (let index = 0; index < count; index += 1)
        await publishEvent(tx, account, { type: eventType, subject: 's', data: { index } });
    });

  /** Claims everything and ends it with these outcomes, in turn. */
  const claimAndEnd = async (...ends: readonly [Outcome, AttemptTrace | undefined][]) => {
    const claims = await claimAll(database.read);
    return claims.map((claim, index): EndedAttempt => {
      const [outcome, trace] = ends[index % ends.length]!;
      const ended = end(claim, outcome);
      const attempt = { outcome, durationMs: 12, ...(trace && { trace }) };
      return { ...ended, evidence: evidenceOf(request, attempt) };
    });
  };

  const shown = async ({ deliveryId }: EndedAttempt) => {
    const delivery = await getDelivery(database.read, account, deliveryId);
    return (await evidenceOfDeliveries(database.read, [delivery])).get(deliveryId);
  };

  const count = async () => (await test.query('select from delivery_evidence')).length;

  it('H129: stores evidence with the record of a failure, and reads it unchanged', async () => {
    await publish(1);

    const lines = 'Server: "quoted" \\ {a,b} \xe9\r\nSet-Cookie: secret\r\n';
    const trace = traceOf(Buffer.from('{"error":"ü"}'), lines);
    const [ended] = await claimAndEnd([outcomes.down, trace]);
    await recordBatch(database, [ended!]);

    expect(await shown(ended!)).to.deep.equal({
      url: 'https://shop.example/hook?token=***',
      requestHeaders: [['webhook-id', 'evt_1']],
      responseHeaders: [['server', '"quoted" \\ {a,b} é']],
      responseBody: { encoding: 'text', content: '{"error":"ü"}', truncated: false },
      timings,
      address: '203.0.113.7',
      tlsVersion: 'TLSv1.3',
      failure: 'The receiver responded with status 500.',
      warning: null,
    });

    const text = JSON.stringify(await test.query('select * from delivery_evidence'));
    expect(text).not.to.include('secret');
  });

  it('H129: stores evidence only for those attempts of a batch that have some', async () => {
    await publish(4);

    const trace = traceOf(Buffer.from([0, 255]));
    const ended = await claimAndEnd(
      [outcomes.ok, undefined],
      [outcomes.ok, trace],
      [outcomes.down, trace],
      [outcomes.blocked, undefined],
    );

    const first = await recordBatch(database, ended.slice(0, 2));
    expect(first.recorded).to.have.length(2);

    const rest = await recordBatch(database, ended.slice(2));
    expect(rest.recorded).to.have.length(2);

    const evidence = await Promise.all(ended.map(shown));
    expect(evidence.map((stored) => stored?.responseBody?.content)).to.deep.equal([
      undefined,
      '00ff',
      '00ff',
      undefined,
    ]);

    expect(evidence.map((stored) => stored?.failure)).to.deep.equal([
      undefined,
      null,
      'The receiver responded with status 500.',
      'The service may not connect to an address of this host. Nothing was sent.',
    ]);

    expect(evidence[3]).to.deep.include({ address: null, responseHeaders: null });
  });

  it('H129: stores no evidence of an attempt whose pending delivery another process has claimed since', async () => {
    await publish(3);
    const trace = traceOf(Buffer.from('late'));
    const late = await claimAndEnd([outcomes.ok, trace], [outcomes.down, trace]);
    await endLeases(test);
    await test.query('update pending_delivery set lease_token = lease_token + 1');
    expect((await recordBatch(database, late)).recorded).to.deep.equal([]);
    expect((await recordBatch(database, late.slice(0, 1))).recorded).to.deep.equal([]);
    expect(await count()).to.equal(0);
  });

  it('H129: stores evidence with a success that ends a run of failures', async () => {
    await publish(1);
    const [failed] = await claimAndEnd([outcomes.down, traceOf(Buffer.from('no'))]);
    await recordBatch(database, [failed!]);
    await test.query('update pending_delivery set ready = true, due_at = now()');
    const [good] = await claimAndEnd([outcomes.ok, traceOf(Buffer.from('yes'))]);
    expect((await recordBatch(database, [good!])).recorded).to.have.length(1);
    const { responseBody, failure } = (await shown(good!))!;
    expect(responseBody?.content).to.equal('yes');
    expect(failure).to.equal(null);
    expect(await count()).to.equal(2);
  });
});
