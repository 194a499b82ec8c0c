import { expect } from 'chai';
import { smallestId, makeId, timestampOf } from '../../../src/domain/id.js';

describe('identifiers', () => {
  it('tell when they were made, to the millisecond', () => {
    for (const at of [
      '2026-11-20T12:00:00.001Z',
      '1970-01-01T00:00:00.000Z',
      '2099-01-01T00:00:00.999Z',
    ]) {
      expect(timestampOf(makeId('whd', new Date(at))).toISOString()).to.equal(at);
    }
  });

  it('sort by the time at which they were made', () => {
    const early = makeId('whd', new Date(1_000));
    const late = smallestId('whd', new Date(1_001));
    expect(early < late).to.equal(true);
  });
});
