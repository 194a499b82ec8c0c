import { expect } from 'chai';
import { nextStep } from '../../../../src/domain/delivery/attempt.js';
import type { Outcome } from '../../../../src/domain/delivery/outcome.js';
import { testRules } from '../../../support/database.js';

const policy = testRules().retry;
const even = () => 0.5;
/** The claim of attempt number `attempt`. */
const at = (attempt: number, maxAttempts: number, retrySchedule: string | null = null) => ({
  attempt,
  maxAttempts,
  retrySchedule,
});
const down: Outcome = { kind: 'rejected', status: 500 };

describe('nextStep', () => {
  it('H64: ends the delivery with any 2xx', () => {
    for (const status of [200, 204, 299]) {
      expect(nextStep({ kind: 'accepted', status }, at(1, 10), policy, even)).to.deep.equal({
        kind: 'done',
      });
    }
  });

  it('H64: retries after 3xx, 4xx, 5xx, silence and refused targets alike', () => {
    const failures: Outcome[] = [
      { kind: 'rejected', status: 301 },
      { kind: 'rejected', status: 404 },
      down,
      { kind: 'unreachable', reason: 'timeout' },
      { kind: 'refused', reason: 'blocked_destination' },
    ];
    for (const failure of failures) {
      expect(nextStep(failure, at(1, 10), policy, even)).to.deep.equal({
        kind: 'retry',
        afterMs: 5_000,
      });
    }
  });

  it('H63: follows the schedule and abandons the delivery after the last attempt', () => {
    const delays = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((attempt) =>
      nextStep(down, at(attempt, 10), policy, even),
    );
    expect(delays).to.deep.equal(policy.delaysMs.map((afterMs) => ({ kind: 'retry', afterMs })));
    expect(nextStep(down, at(10, 10), policy, even)).to.deep.equal({ kind: 'abandon' });
  });

  it('H304: takes the delays of the schedule that the endpoint has chosen, or those of the default one', () => {
    const delay = (schedule: string, attempt: number) =>
      nextStep(down, at(attempt, 10, schedule), policy, even);
    expect(delay('fast', 1)).to.deep.equal({ kind: 'retry', afterMs: 1_000 });
    expect(delay('fast', 2)).to.deep.equal({ kind: 'retry', afterMs: 2_000 });
    expect(delay('gone', 2)).to.deep.equal({ kind: 'retry', afterMs: 300_000 });
  });

  it('H62: makes one attempt of a test delivery', () => {
    expect(nextStep(down, at(1, 1), policy, even)).to.deep.equal({ kind: 'abandon' });
  });

  it('H63: keeps the jitter within a tenth', () => {
    expect(nextStep(down, at(1, 10), policy, () => 0)).to.deep.equal({
      kind: 'retry',
      afterMs: 4_500,
    });
    const most = nextStep(down, at(1, 10), policy, () => 0.999_999);
    expect(most).to.have.property('afterMs').that.is.within(5_499, 5_500);
  });

  it('H63: lets Retry-After postpone the next attempt by up to a day, and never advance it', () => {
    const asked = (delayMs: number) =>
      nextStep({ kind: 'rejected', status: 503, retryAfter: { delayMs } }, at(1, 10), policy, even);
    expect(asked(60_000)).to.deep.equal({ kind: 'retry', afterMs: 60_000 });
    expect(asked(0)).to.deep.equal({ kind: 'retry', afterMs: 5_000 });
    expect(asked(1e12)).to.deep.equal({ kind: 'retry', afterMs: 86_400_000 });
  });

  it('H71: abandons the delivery at 410', () => {
    expect(nextStep({ kind: 'rejected', status: 410 }, at(1, 10), policy, even)).to.deep.equal({
      kind: 'abandon',
    });
  });

  it('repeats the last delay when the schedule has become shorter than the attempts of a delivery', () => {
    const short = { ...policy, delaysMs: [1_000, 2_000] };
    expect(nextStep(down, at(7, 10), short, even)).to.deep.equal({ kind: 'retry', afterMs: 2_000 });
  });
});
