import { expect } from 'chai';
import { timestampOf } from '../../../../src/domain/values/id.js';
import {
  creditAfter,
  decideStep,
  type StepEndpoint,
} from '../../../../src/domain/recovery/run-step.js';

const now = new Date('2026-11-20T12:00:00Z');
const ago = (ms: number) => new Date(now.getTime() - ms);
const hour = 3_600_000;
const recovery = { until: ago(hour), ratePerSecond: 20, creditedAt: ago(hour) };
const healthy: StepEndpoint = {
  deleted: false,
  active: true,
  cancelling: false,
  failing: false,
  accountFull: false,
  pending: 0,
  waiting: 0,
};
const decide = (changes: Partial<typeof recovery> = {}, endpoint: Partial<StepEndpoint> = {}) =>
  decideStep({ ...recovery, ...changes }, { ...healthy, ...endpoint }, now);

describe('the next step of a recovery', () => {
  it('adds at most what a second of its rate allows', () => {
    expect(decide()).to.deep.include({ kind: 'add', room: 20, last: true, waitsFor: null });
    expect(decide({ creditedAt: ago(250) })).to.deep.include({ kind: 'add', room: 5 });
    expect(decide({ ratePerSecond: 200 })).to.deep.include({ room: 200 });
  });

  it('waits until its rate allows the next delivery', () => {
    expect(decide({ ratePerSecond: 2, creditedAt: ago(100) })).to.deep.equal({
      kind: 'wait',
      forMs: 400,
      waitsFor: null,
    });
  });

  it('saves up at most a second of its rate', () => {
    expect(creditAfter(recovery, 20, now)).to.deep.equal(now);
    expect(creditAfter(recovery, 5, now)).to.deep.equal(ago(750));
    expect(creditAfter({ ...recovery, creditedAt: ago(250) }, 5, now)).to.deep.equal(now);
    expect(creditAfter(recovery, 0, now)).to.deep.equal(recovery.creditedAt);
  });

  it('keeps at most two seconds of its rate in the lane', () => {
    expect(decide({}, { waiting: 35 })).to.deep.include({ kind: 'add', room: 5 });
    expect(decide({}, { waiting: 40 })).to.deep.include({ kind: 'wait' });
  });

  it('adds nothing while the endpoint has a thousand pending deliveries', () => {
    expect(decide({}, { pending: 1_000 })).to.deep.include({
      kind: 'wait',
      waitsFor: 'endpoint_backlog',
    });
  });

  it('H164: adds nothing while the account has reached its limit', () => {
    expect(decide({}, { accountFull: true })).to.deep.equal({
      kind: 'wait',
      forMs: 1_000,
      waitsFor: 'account_full',
    });
  });

  it('sends a failing endpoint one event a minute', () => {
    const failing = { failing: true };
    const waits = { kind: 'wait', waitsFor: 'endpoint_failing' };
    expect(decide({ creditedAt: ago(60_000) }, failing)).to.deep.include({ kind: 'add', room: 1 });
    expect(decide({ creditedAt: ago(59_999) }, failing)).to.deep.include(waits);
    expect(decide({}, { ...failing, pending: 100 })).to.deep.include(waits);
  });

  it('stops when its endpoint is deleted, and pauses when that is inactive', () => {
    const deleted = { kind: 'cancel', reason: 'endpoint_deleted' };
    expect(decideStep(recovery, undefined, now)).to.deep.equal(deleted);
    expect(decide({}, { deleted: true, active: false })).to.deep.equal(deleted);
    expect(decide({}, { active: false })).to.deep.equal({
      kind: 'pause',
      reason: 'endpoint_inactive',
    });
    expect(decide({}, { cancelling: true })).to.deep.include({ waitsFor: 'cancellations' });
  });

  it('reads events of the last minute later, when all are committed', () => {
    const step = decide({ until: now });
    if (step.kind !== 'add') throw new Error(step.kind);
    expect(timestampOf(step.before)).to.deep.equal(ago(60_000));
    expect(step.last).to.equal(false);
  });
});
