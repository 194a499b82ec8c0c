import { expect } from 'chai';
import {
  type Bucket,
  failingEndpoints,
  filterOf,
  scaleTop,
  totalsOf,
} from '../../../dashboard/src/pages/overview/statistics.js';
import { formatDayAndClock, formatShare, formatWait } from '../../../dashboard/src/texts/format.js';

const bucket = (changes: Partial<Bucket> = {}): Bucket => ({
  startsAt: '2026-11-23T11:00:00.000Z',
  success: 0,
  failed: 0,
  abandoned: 0,
  attempts: 0,
  latency: null,
  ...changes,
});

describe('the overview', () => {
  it('adds up attempts, and has no success rate without attempts', () => {
    const buckets = [
      bucket({ success: 7, failed: 2, attempts: 9 }),
      bucket({ abandoned: 1, attempts: 1 }),
    ];
    expect(totalsOf(buckets)).to.deep.equal({
      success: 7,
      failed: 2,
      abandoned: 1,
      successRate: 0.7,
    });
    expect(totalsOf([bucket()]).successRate).to.equal(undefined);
  });

  it('shows 100 % only if no attempt failed', () => {
    expect([1, 0.99999, 0.5, 0].map(formatShare)).to.deep.equal(['100%', '99.9%', '50%', '0%']);
  });

  it('shows waiting times in whole units', () => {
    expect([0, 0.9, 1, 59.9, 60, 3_599, 7_200, 86_400].map(formatWait)).to.deep.equal([
      '0 seconds',
      '0 seconds',
      '1 second',
      '59 seconds',
      '1 minute',
      '59 minutes',
      '2 hours',
      '1 day',
    ]);
  });

  it('links a column to its attempts', () => {
    const since = '2026-11-23T11:00:00.000Z';
    expect(filterOf(bucket(), 'hour')).to.deep.equal({ since, until: '2026-11-23T12:00:00.000Z' });
    expect(filterOf(bucket(), 'day').until).to.equal('2026-11-24T11:00:00.000Z');
  });

  it('ends a scale at a round whole number close to the maximum', () => {
    expect([0, 0.5, 1, 1.1, 3, 7, 10, 11, 24, 51, 1_234].map(scaleTop)).to.deep.equal([
      1, 1, 1, 2, 3, 8, 10, 12, 25, 60, 1_500,
    ]);
  });

  it('labels the hours of today and of other days in one form', () => {
    const today = new Date().setHours(7, 0, 0, 0);
    const lastYear = new Date(2025, 10, 24, 7).getTime();
    for (const hour of [today, lastYear]) {
      expect(formatDayAndClock(hour)).to.match(/^[A-Z][a-z]+ \d+, 7:00\sAM$/);
    }
  });

  it('adds up failed and abandoned attempts of an endpoint, in the order of the service', () => {
    const failures = (id: string | null, failed: number, abandoned: number) => ({
      failed,
      abandoned,
      endpoint: id === null ? null : { id, url: `https://${id}.example` },
    });
    expect(
      failingEndpoints([failures('b', 120, 7), failures(null, 9, 0), failures('a', 0, 2)]),
    ).to.deep.equal([
      { id: 'b', url: 'https://b.example', count: 127, status: 'failed' },
      { id: 'a', url: 'https://a.example', count: 2, status: 'abandoned' },
    ]);
  });
});
