import { expect } from 'chai';
import { stopTimeouts } from '../../../src/process/lifecycle.js';

/** What WEBHOOKS_TIMEOUT may be. */
const timeouts = [1_000, 15_000, 25_000, 45_000, 60_000];

describe('the limits of a stop', () => {
  for (const timeoutMs of timeouts) {
    it(`leaves time for an attempt of ${timeoutMs} ms and its record, and each limit contains the one before`, () => {
      const { drainMs, processMs, launcherMs } = stopTimeouts(timeoutMs);
      expect(drainMs).to.be.greaterThan(timeoutMs);
      // The result writer gives up after five seconds.
      expect(processMs).to.be.at.least(drainMs + 10_000);
      expect(launcherMs).to.be.greaterThan(processMs);
    });
  }

  it('includes the time in which a stopping API still takes requests', () => {
    expect(stopTimeouts(15_000, 5_000).processMs).to.equal(35_000);
    expect(stopTimeouts(15_000, 5_000).launcherMs).to.be.greaterThan(35_000);
  });

  it('gives a stop at least 30 seconds, even if attempts are short', () => {
    expect(stopTimeouts(1_000).processMs).to.equal(30_000);
    expect(stopTimeouts(15_000).processMs).to.equal(30_000);
  });
});
