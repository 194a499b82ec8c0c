import { expect } from 'chai';
import {
  draftOf,
  issuesOf,
  rangeOf,
  startPath,
  durationOf,
  isMoving,
  shareRead,
} from '../../../dashboard/src/pages/recoveries/recovery-rules.js';

const draft = draftOf({ endpoint: 'whs_1' });

describe('recoveries of the dashboard', () => {
  it('the form starts with the endpoint and kind of the link', () => {
    expect(startPath('whs_1')).to.equal('/dashboard/recoveries/new?endpoint=whs_1');
    expect(draft).to.include({ endpoint: 'whs_1', what: 'both', rate: '50' });
    expect(draftOf({ what: 'missed' })).to.include({ endpoint: '', what: 'missed' });
    expect(draftOf({ what: 'all' }).what).to.equal('both');
  });

  it('sends only the values that someone chose', () => {
    expect(rangeOf(draft)).to.deep.equal({ endpoint: 'whs_1', what: 'both', ratePerSecond: 50 });
    const chosen = { ...draft, since: '2026-11-20T10:00', eventTypes: ['b', 'a'] };
    expect(rangeOf(chosen)).to.deep.include({
      since: new Date(2026, 10, 20, 10).toISOString(),
      eventTypes: ['a', 'b'],
    });
  });

  it('sends nothing without an endpoint, or with an invalid rate or time', () => {
    expect(rangeOf({ ...draft, endpoint: '' })).to.equal(undefined);
    for (const rate of ['', '0', '501', '1.5', '1e2', 'x']) {
      expect(issuesOf({ ...draft, rate }), rate).to.deep.equal({ rate: true });
      expect(rangeOf({ ...draft, rate }), rate).to.equal(undefined);
    }
    expect(issuesOf({ ...draft, since: 'then', until: 'now' })).to.deep.equal({
      since: true,
      until: true,
    });
  });

  it('shows the share of the range that has been read', () => {
    const at = (minute: number) => new Date(Date.UTC(2026, 10, 23, 12, minute)).toISOString();
    const running = { status: 'running', since: at(0), until: at(40), position: at(10) } as const;
    expect(shareRead(running)).to.equal(0.25);
    expect(shareRead({ ...running, status: 'completed' })).to.equal(1);
    expect(shareRead({ ...running, until: at(0) })).to.equal(0);
    expect(shareRead({ ...running, position: at(50) })).to.equal(1);
  });

  it('lets a recovery change while it runs, and while its deliveries are waiting', () => {
    const still = { status: 'completed', waiting: 0, retrying: 0 } as const;
    expect(isMoving(still)).to.equal(false);
    expect(isMoving({ ...still, retrying: 1 })).to.equal(true);
    expect(isMoving({ ...still, waiting: 1 })).to.equal(true);
    expect(isMoving({ ...still, status: 'running' })).to.equal(true);
  });

  it('shows a duration in the unit that a person would choose', () => {
    expect([0, 119, 120, 7_199, 7_200].map(durationOf)).to.deep.equal([
      { unit: 'second', count: 0 },
      { unit: 'second', count: 119 },
      { unit: 'minute', count: 2 },
      { unit: 'minute', count: 120 },
      { unit: 'hour', count: 2 },
    ]);
  });
});
