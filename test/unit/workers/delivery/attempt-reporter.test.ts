import { expect } from 'chai';
import { LineLimit } from '../../../../workers/delivery/attempt-reporter.js';

describe('log lines about lasting problems', () => {
  let now: number;
  let lines: LineLimit;

  beforeEach(() => {
    now = 0;
    lines = new LineLimit({ now: () => now, after: () => () => undefined });
  });

  it('allows one line a minute for each name', () => {
    expect(lines.allows('whs_1')).to.equal(true);
    now = 40_000;
    expect(lines.allows('whs_2')).to.equal(true);
    expect(lines.allows('whs_1')).to.equal(false);
    now = 59_999;
    expect(lines.allows('whs_1')).to.equal(false);
    now = 60_000;
    expect(lines.allows('whs_1')).to.equal(true);
    expect(lines.allows('whs_2')).to.equal(false);
    now = 119_999;
    expect(lines.allows('whs_1')).to.equal(false);
    expect(lines.allows('whs_2')).to.equal(true);
  });

  it('allows lines about at most 1,000 names in a minute', () => {
    for (let count = 0; count < 1_000; count += 1)
      expect(lines.allows(`whs_${count}`)).to.equal(true);
    now = 30_000;
    expect(lines.allows('whs_1000')).to.equal(false);
    now = 60_000;
    expect(lines.allows('whs_1000')).to.equal(true);
  });
});
