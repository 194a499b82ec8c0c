import { expect } from 'chai';
import { FlushTimer, recordWindow } from '../../../../workers/delivery/record-window.js';
import { VirtualTime } from '../../../simulation/virtual-time.js';
import { claimOf, endedOf } from '../../../support/claims.js';

describe('the window of the result writer', () => {
  const claim = claimOf('pdl_1', 'whs_1');
  const windowOf = (changes: object) =>
    recordWindow([{ ended: endedOf({ ...claim, ...changes }) }]);

  it('gathers results for 10 ms', () => {
    expect(windowOf({})).to.equal(10);
    expect(windowOf({ replayedFrom: 'whd_1', attempt: 2 })).to.equal(10);
  });

  it('gathers results of recoveries for longer, unless another waits with them', () => {
    const recovered = {
      ended: { ...endedOf({ ...claim, replayedFrom: 'whd_1' }), recovered: true },
    };
    expect(recordWindow([recovered])).to.equal(25);
    expect(recordWindow([recovered, { ended: endedOf(claim) }])).to.equal(10);
  });

  it('is none for all, once a client waits for one of them', () => {
    const ended = endedOf(claim);
    const awaited = endedOf({ ...claim, replayedFrom: 'whd_1' });
    expect(recordWindow([{ ended }, { ended: awaited }])).to.equal(0);
  });

  it('is none for the first attempt of a replay, for which a client waits', () => {
    expect(windowOf({ replayedFrom: 'whd_1' })).to.equal(0);
  });
});

describe('the timer of the result writer', () => {
  let time: VirtualTime;
  let flushedAt: number[];
  let timer: FlushTimer;

  beforeEach(() => {
    [time, flushedAt] = [new VirtualTime(), []];
    const flush = () => {
      timer.stop();
      flushedAt.push(time.now);
    };
    timer = new FlushTimer(time.clockOf({ dead: false, stalledUntil: 0 }), flush);
  });
  const runFor100ms = () => {
    time.after(100, () => undefined);
    return time.run(() => time.now >= 100);
  };

  it('flushes earlier for a result that waits less, and never later', async () => {
    timer.startWithin(25);
    timer.startWithin(10);
    timer.startWithin(25);
    await runFor100ms();
    expect(flushedAt).to.deep.equal([10]);
  });

  it('starts again after it has flushed', async () => {
    timer.startWithin(10);
    time.after(20, () => timer.startWithin(25));
    await runFor100ms();
    expect(flushedAt).to.deep.equal([10, 45]);
  });
});
