import { expect } from 'chai';
import { type Clock, delay, processClock } from '../../../workers/clock.js';

describe('delay', () => {
  const calledOff: number[] = [];
  const standing: Clock = { now: () => 0, after: (ms) => () => void calledOff.push(ms) };

  it('ends when the signal aborts, and cancels its timer', async () => {
    const stopping = new AbortController();
    const paused = delay(standing, 60_000, stopping.signal);
    stopping.abort();
    await paused;
    expect(calledOff).to.deep.equal([60_000]);
  });

  it('ends at once when the signal has already aborted', async () => {
    await delay(standing, 1, AbortSignal.abort());
    expect(calledOff).to.deep.equal([60_000]);
  });

  it('lasts as long as the clock says', async () => {
    const begun = processClock.now();
    await delay(processClock, 20);
    expect(processClock.now() - begun).to.be.greaterThan(18);
  });
});
