import { expect } from 'chai';
import type { EndedAttempt } from '../../../../src/domain/delivery/attempt.js';
import { ResultWriter } from '../../../../workers/delivery/results.js';
import { VirtualTime } from '../../../simulation/virtual-time.js';
import { claimOf, endedOf } from '../../../support/engine.js';

describe('the window of the result writer', () => {
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
      mayRecover: () => true,
      onRecorded: () => undefined,
      onError: () => undefined,
      onDropped: () => undefined,
    });
  });

  const addAt = (ms: number, ...ended: EndedAttempt[]) =>
    time.after(ms, () => {
      for (const each of ended) writer.add(each, 60_000);
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

  it('ends for all once a client waits for one: the first attempt of a replay', async () => {
    addAt(10, endedOf(claim));
    addAt(20, awaited);
    addAt(30, endedOf(claim));
    expect(await batchesWithin100ms()).to.eql([
      { at: 20, count: 2 },
      { at: 55, count: 1 },
    ]);
  });

  it('does not end for a recovery, for which no client waits', async () => {
    addAt(10, { ...awaited, recovered: true });
    expect(await batchesWithin100ms()).to.eql([{ at: 35, count: 1 }]);
  });

  it('ends at 200 results', async () => {
    addAt(10, ...Array.from({ length: 201 }, () => endedOf(claim)));
    expect(await batchesWithin100ms()).to.eql([
      { at: 10, count: 200 },
      { at: 35, count: 1 },
    ]);
  });
});
