import { expect } from 'chai';
import { type Health, assessHealth } from '../../../../src/domain/delivery/health.js';
import { testRules } from '../../../support/database.js';
import { outcomes } from '../../../support/engine.js';

const policy = testRules().retry;
const hour = 3_600_000;
const start = new Date('2026-11-20T12:00:00.000Z');
const after = (hours: number) => new Date(start.getTime() + hours * hour);
const healthy: Health = { failingSince: null, failureCount: 0, warnings: 0 };

describe('assessHealth', () => {
  it('H69: begins a run of failures with the first failure and ends it with a 2xx', () => {
    const failing = assessHealth(healthy, [{ outcome: outcomes.down, endedAt: start }], policy);
    expect(failing).to.deep.equal({
      health: { failingSince: start, failureCount: 1, warnings: 0 },
    });
    const again = assessHealth(
      failing.health,
      [{ outcome: outcomes.ok, endedAt: after(1) }],
      policy,
    );
    expect(again).to.deep.equal({ health: healthy });
  });

  it('H69: disables an endpoint when the run lasts 120 h and has 10 failures', () => {
    const run = { failingSince: start, failureCount: 9, warnings: 2 };
    const verdict = assessHealth(run, [{ outcome: outcomes.timeout, endedAt: after(120) }], policy);
    expect(verdict.disable).to.deep.equal({
      reason: 'consecutive_failures',
      last: outcomes.timeout,
    });
  });

  it('H69: does not disable an endpoint for a long run of few failures or a short run of many', () => {
    const few = { failingSince: start, failureCount: 8, warnings: 0 };
    expect(
      assessHealth(few, [{ outcome: outcomes.down, endedAt: after(500) }], policy).disable,
    ).to.equal(undefined);
    const many = { failingSince: start, failureCount: 5_000, warnings: 0 };
    const before = new Date(after(120).getTime() - 1);
    expect(
      assessHealth(many, [{ outcome: outcomes.down, endedAt: before }], policy).disable,
    ).to.equal(undefined);
  });

  it('H71: disables an endpoint at once at 410, and ignores later attempts', () => {
    const samples = [
      { outcome: outcomes.gone, endedAt: start },
      { outcome: outcomes.ok, endedAt: after(1) },
    ];
    expect(assessHealth(healthy, samples, policy)).to.deep.equal({
      health: { failingSince: start, failureCount: 1, warnings: 0 },
      disable: { reason: 'receiver_gone', last: outcomes.gone },
    });
  });

  it('H150: warns once at a quarter and once at three quarters of the time', () => {
    const down = (hours: number) => [{ outcome: outcomes.down, endedAt: after(hours) }];
    const run = (warnings: number): Health => ({ failingSince: start, failureCount: 3, warnings });
    expect(assessHealth(run(0), down(29.9), policy)).not.to.have.property('warn');
    const first = assessHealth(run(0), down(30), policy);
    expect(first.warn).to.equal(outcomes.down);
    expect(first.health.warnings).to.equal(1);
    expect(assessHealth(run(1), down(89.9), policy)).not.to.have.property('warn');
    expect(assessHealth(run(1), down(90), policy).warn).to.equal(outcomes.down);
    expect(assessHealth(run(2), down(119), policy)).not.to.have.property('warn');
    const late = assessHealth(run(0), down(100), policy);
    expect(late.warn, 'one warning for both').to.equal(outcomes.down);
    expect(late.health.warnings).to.equal(2);
  });

  it('H150: does not warn in a batch that disables the endpoint or ends the run', () => {
    const run: Health = { failingSince: start, failureCount: 9, warnings: 0 };
    const down = { outcome: outcomes.down, endedAt: after(120) };
    expect(assessHealth(run, [down], policy)).not.to.have.property('warn');
    const failed = { outcome: outcomes.down, endedAt: after(40) };
    const ok = { outcome: outcomes.ok, endedAt: after(41) };
    expect(assessHealth(run, [failed, ok], policy)).to.deep.equal({ health: healthy });
    const warned = { ...run, warnings: 1 };
    expect(assessHealth(warned, [failed, ok], policy)).to.have.property('recovered');
  });

  it('H150: reports the end of a run only if it caused a warning', () => {
    const ok = [{ outcome: outcomes.ok, endedAt: after(41) }];
    const warned: Health = { failingSince: start, failureCount: 9, warnings: 1 };
    expect(assessHealth(warned, ok, policy)).to.deep.equal({ health: healthy, recovered: warned });
    const unnoticed: Health = { failingSince: start, failureCount: 9, warnings: 0 };
    expect(assessHealth(unnoticed, ok, policy)).to.deep.equal({ health: healthy });
    const gone = { outcome: outcomes.gone, endedAt: after(42) };
    const both = assessHealth(warned, [...ok, gone], policy);
    expect(both.recovered).to.deep.equal(warned);
    expect(both.disable?.reason).to.equal('receiver_gone');
  });
});
