import { expect } from 'chai';
import { recordWindow } from '../../../../workers/delivery/record-window.js';
import { claimOf, endedOf } from '../../../support/claims.js';

describe('the window of the result writer', () => {
  const claim = claimOf('pdl_1', 'whs_1');
  const windowOf = (changes: object) =>
    recordWindow([{ ended: endedOf({ ...claim, ...changes }) }]);

  it('gathers results for 10 ms', () => {
    expect(windowOf({})).to.equal(10);
    expect(windowOf({ replayedFrom: 'whd_1', attempt: 2 })).to.equal(10);
  });

  it('gathers results of recoveries, for which no client waits', () => {
    const ended = endedOf({ ...claim, replayedFrom: 'whd_1' });
    expect(recordWindow([{ ended: { ...ended, recovered: true } }])).to.equal(10);
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
