import { expect } from 'chai';
import { setImmediate as turn } from 'node:timers/promises';
import type { EndedAttempt } from '../../../../src/domain/delivery/attempt.js';
import type { RecordResult } from '../../../../src/domain/delivery/recording.js';
import { processClock } from '../../../../workers/clock.js';
import { ResultWriter, type ResultWriterOptions } from '../../../../workers/delivery/results.js';
import { claimOf, endedOf } from '../../../support/engine.js';
import { eventually } from '../../../support/eventually.js';
import { VirtualTime } from '../../../simulation/virtual-time.js';

const none: RecordResult = { recorded: [], disabled: [] };
const away = new Error('Connection terminated unexpectedly');
const refused = new Error('value out of range');
const slowly = () => turn(none);
const soon = () => performance.now() + 60_000;

describe('the result writer', () => {
  let recorded: EndedAttempt[];
  let dropped: EndedAttempt[];
  let batches: number[];

  beforeEach(() => {
    recorded = [];
    dropped = [];
    batches = [];
  });

  function resultWriter(
    recordResults: ResultWriterOptions['recordResults'] = () => Promise.resolve(none),
  ): ResultWriter {
    return new ResultWriter({
      recordResults: (ended) => {
        batches.push(ended.length);
        return recordResults(ended);
      },
      onRecorded: (ended) => void recorded.push(...ended),
      onError: () => undefined,
      onDropped: (ended) => void dropped.push(...ended),
    });
  }

  function add(to: ResultWriter, count: number, until = soon()): void {
    for (let index = 0; index < count; index += 1)
      to.add(endedOf(claimOf(`c${index}`, 'e')), until);
  }

  it('records attempts that end together in one transaction', async () => {
    const one = resultWriter();
    add(one, 50);
    await eventually(() => expect(recorded).to.have.length(50), 'all are settled');
    expect(batches).to.deep.equal([50]);
    expect(one.backlog).to.equal(0);
  });

  it('never makes a batch larger than 200', async () => {
    const one = resultWriter(slowly);
    add(one, 1_000);
    await eventually(() => expect(recorded).to.have.length(1_000), 'all are settled');
    expect(Math.max(...batches)).to.equal(200);
  });

  it('repeats a transaction until it succeeds', async () => {
    let failures = 2;
    const one = resultWriter(() => (failures-- > 0 ? Promise.reject(away) : Promise.resolve(none)));
    add(one, 5);
    expect(one.backlog).to.equal(5);
    await eventually(() => expect(recorded).to.have.length(5), 'all are settled');
    expect(batches).to.deep.equal([5, 5, 5]);
    expect(dropped).to.deep.equal([]);
  });

  it('keeps results whose lease has ended, and records them in the end', async () => {
    let failures = 4;
    const one = resultWriter(() => (failures-- > 0 ? Promise.reject(away) : Promise.resolve(none)));
    add(one, 2, performance.now() + 30);
    await eventually(() => expect(recorded).to.have.length(2), 'all are settled');
    expect(dropped).to.deep.equal([]);
  });

  it('names the leases of results that wait, but not that of an invalid row', async () => {
    let refuses = true;
    const one = resultWriter((ended) =>
      refuses && ended.some(({ claim }) => claim.pendingDeliveryId === 'c1')
        ? Promise.reject(refused)
        : Promise.resolve(none),
    );

    add(one, 2);
    expect([...one.tokens()]).to.deep.equal([1, 1]);
    await eventually(() => expect(batches).to.deep.equal([2, 1, 1]), 'it is found');
    expect([...one.tokens()], 'it may be the database').to.deep.equal([1]);
    one.add(endedOf(claimOf('c2', 'e')), soon());
    await eventually(() => expect(recorded).to.have.length(2), 'the others are settled');
    expect([...one.tokens()]).to.deep.equal([]);
    expect(one.backlog).to.equal(1);
    refuses = false;
    await one.close();
    expect(recorded).to.have.length(3);
  });

  it('keeps all rows while PostgreSQL refuses every one, for example without a partition', async () => {
    let refuses = true;
    const one = resultWriter(() => (refuses ? Promise.reject(refused) : Promise.resolve(none)));
    add(one, 20, performance.now());
    await eventually(() => expect(one.recordingCapacity).to.be.at.most(10), 'claims wait');
    expect([...one.tokens()], 'no row is at fault').to.have.length(20);
    refuses = false;
    await eventually(() => expect(recorded).to.have.length(20), 'all are settled');
    expect(dropped).to.deep.equal([]);
    expect(one.recordingCapacity).to.equal(800);
  });

  it('allows claims for a few batches, and for a probe when recording fails', async () => {
    let fails = true;
    const one = resultWriter(() => (fails ? Promise.reject(away) : slowly()));
    add(one, 100);
    expect(one.recordingCapacity).to.equal(700);
    await eventually(() => expect(batches).to.deep.equal([100]), 'it tries');

    await eventually(
      () => expect(one.recordingCapacity).to.equal(10),
      'a second batch may be the probe',
    );

    add(one, 10);
    await eventually(() => expect(one.recordingCapacity).to.equal(0), 'the probe is under way');
    fails = false;
    await eventually(() => expect(recorded).to.have.length(110), 'all are settled');
    expect(one.recordingCapacity).to.equal(800);
  });

  it('allows no claim while its transactions hang, until one ends', async () => {
    let now = 0;
    const ends: (() => void)[] = [];
    const one = new ResultWriter({
      recordResults: () => new Promise((resolve) => ends.push(() => resolve(none))),
      onRecorded: (ended) => void recorded.push(...ended),
      onError: () => undefined,
      onDropped: (ended) => void dropped.push(...ended),
      clock: { ...processClock, now: () => now },
    });

    add(one, 5);
    await eventually(() => expect(ends).to.have.length(1), 'the first hangs');
    add(one, 5);
    await eventually(() => expect(ends).to.have.length(2), 'the second hangs');
    expect(one.recordingCapacity).to.equal(790);
    now = 1_001;
    expect(one.recordingCapacity).to.equal(0);
    ends[0]?.();
    await eventually(() => expect(one.recordingCapacity).to.equal(795), 'it goes on');
    ends[1]?.();
    await one.close();
  });

  it('records the other rows of a batch with an invalid row', async () => {
    const one = resultWriter((ended) =>
      ended.some(({ claim }) => claim.pendingDeliveryId === 'c3')
        ? Promise.reject(refused)
        : Promise.resolve(none),
    );
    add(one, 8, performance.now() + 500);
    await eventually(() => expect(recorded).to.have.length(7), 'the others are settled');
    one.add(endedOf(claimOf('c8', 'e')), soon());
    await eventually(() => expect(dropped).to.have.length(1), 'one is dropped');
    expect(dropped[0]!.claim.pendingDeliveryId).to.equal('c3');
    expect(recorded).to.have.length(8);
  });

  it('continues when invalid rows come one after another, among valid ones', async () => {
    const one = resultWriter((ended) =>
      ended.some(({ claim }) => claim.pendingDeliveryId.startsWith('bad'))
        ? Promise.reject(refused)
        : Promise.resolve(none),
    );

    const bad = (count: number) => {
      for (let index = 0; index < count; index += 1) {
        one.add(endedOf(claimOf(`bad${index}`, 'e')), soon());
      }
    };

    bad(8);

    await eventually(
      () => expect(one.recordingCapacity).to.be.at.most(10),
      'it takes the rows for good',
    );

    add(one, 9);
    bad(1);
    await eventually(() => expect(recorded).to.have.length(9), 'the others are settled');
    await eventually(() => expect(one.recordingCapacity).to.equal(791), 'claims go on');
    await one.close();
  });

  it('records everything before it closes', async () => {
    const one = resultWriter(slowly);
    add(one, 1_000);
    await one.close();
    expect(recorded).to.have.length(1_000);
  });
});

describe('when the result writer records', () => {
  const claim = claimOf('pdl_1', 'whs_1');
  const awaited = endedOf({ ...claim, replayedFrom: 'whd_1' });
  let time: VirtualTime;
  let batches: { readonly at: number; readonly count: number }[];
  let writer: ResultWriter;

  beforeEach(() => {
    time = new VirtualTime();
    batches = [];

    writer = new ResultWriter({
      clock: time.clockOf({ dead: false, stalledUntil: 0 }),
      recordResults: (ended) => {
        batches.push({ at: time.now, count: ended.length });
        return Promise.resolve({ recorded: [], disabled: [] });
      },
      onRecorded: () => undefined,
      onError: () => undefined,
      onDropped: () => undefined,
    });
  });

  const addAt = (ms: number, ...ended: EndedAttempt[]) =>
    time.after(ms, () => {
      for (const attempt of ended) writer.add(attempt, 60_000);
    });

  async function batchesWithin100ms() {
    time.after(100, () => undefined);
    await time.run(() => time.now >= 100);
    return batches;
  }

  it('gathers results for 25 ms from the first', async () => {
    addAt(10, endedOf(claim));
    addAt(20, endedOf({ ...claim, replayedFrom: 'whd_1', attempt: 2 }));
    addAt(50, endedOf(claim));
    expect(await batchesWithin100ms()).to.eql([
      { at: 35, count: 2 },
      { at: 75, count: 1 },
    ]);
  });

  it('records all results at once when a client waits for one, the first attempt of a replay', async () => {
    addAt(10, endedOf(claim));
    addAt(20, awaited);
    addAt(30, endedOf(claim));
    expect(await batchesWithin100ms()).to.eql([
      { at: 20, count: 2 },
      { at: 55, count: 1 },
    ]);
  });

  it('H287: records at once what the next delivery of a subject waits for', async () => {
    addAt(10, endedOf({ ...claim, subjectKey: 'cart:1' }));
    addAt(20, endedOf(claim));
    expect(await batchesWithin100ms()).to.eql([
      { at: 10, count: 1 },
      { at: 45, count: 1 },
    ]);
  });

  it('does not record the result of a recovery at once, because no client waits for it', async () => {
    addAt(10, { ...awaited, recovered: true });
    expect(await batchesWithin100ms()).to.eql([{ at: 35, count: 1 }]);
  });

  it('records at once when 200 results have gathered', async () => {
    addAt(10, ...Array.from({ length: 201 }, () => endedOf(claim)));
    expect(await batchesWithin100ms()).to.eql([
      { at: 10, count: 200 },
      { at: 35, count: 1 },
    ]);
  });
});
