import { expect } from 'chai';
import { type Health, assessHealth } from '../../../../src/domain/delivery/rules/health.js';
import { testRules } from '../../../support/database.js';
import { outcomes } from '../../../support/engine.js';

const policy = testRules().retry;
const hour = 3_600_000;
const start = new Date('2026-11-20T12:00:00.000Z');
const after = (hours: number) => new Date(start.getTime() + hours * hour);
const healthy: Health = { failingSince: null, failureCount: 0 };

describe('judge', () => {
  it('H69: begins a run with the first failure and ends it with a 2xx', () => {
    const failing = assessHealth(healthy, [{ outcome: outcomes.down, endedAt: start }], policy);
    expect(failing).to.deep.equal({ health: { failingSince: start, failureCount: 1 } });
    const again = assessHealth(
      failing.health,
      [{ outcome: outcomes.ok, endedAt: after(1) }],
      policy,
    );
    expect(again).to.deep.equal({ health: healthy });
  });

  it('H69: disables when the run lasts 120 h and has 10 failures', () => {
    const run = { failingSince: start, failureCount: 9 };
    const verdict = assessHealth(run, [{ outcome: outcomes.timeout, endedAt: after(120) }], policy);
    expect(verdict.disable).to.deep.equal({
      reason: 'consecutive_failures',
      last: outcomes.timeout,
    });
  });

  it('H69: neither a long run of few failures nor a short run of many disables', () => {
    const few = { failingSince: start, failureCount: 8 };
    expect(
      assessHealth(few, [{ outcome: outcomes.down, endedAt: after(500) }], policy).disable,
    ).to.equal(undefined);
    const many = { failingSince: start, failureCount: 5_000 };
    const before = new Date(after(120).getTime() - 1);
    expect(
      assessHealth(many, [{ outcome: outcomes.down, endedAt: before }], policy).disable,
    ).to.equal(undefined);
  });

  it('H71: disables at once at 410, and evidence after it does not count', () => {
    const samples = [
      { outcome: outcomes.gone, endedAt: start },
      { outcome: outcomes.ok, endedAt: after(1) },
    ];
    expect(assessHealth(healthy, samples, policy)).to.deep.equal({
      health: { failingSince: start, failureCount: 1 },
      disable: { reason: 'receiver_gone', last: outcomes.gone },
    });
  });
});
