import { expect } from 'chai';
import { expiryIssues, expiryOf, offerIssues } from '../../../src/domain/offer/offer-input.js';

const now = new Date('2026-11-21T12:00:00.000Z');
const after = (ms: number) => new Date(now.getTime() + ms);
const dayMs = 86_400_000;

describe('the input of an offer', () => {
  it('is validated field by field; absent fields are not reported', () => {
    expect(offerIssues({}, now)).to.deep.equal([]);
    const codes = offerIssues({ title: '', currency: 'x', message: 'y'.repeat(2_001) }, now);
    expect(codes.map(({ code, param }) => `${param}: ${code}`)).to.deep.equal([
      'title: invalid_value',
      'message: too_long',
      'currency: invalid_value',
    ]);
  });

  it('has a title that cannot leave its line in the subject of a mail', () => {
    for (const title of ['a\nb', 'a\rb', 'a\u2028b', 'a\u0085b', 'a\tb', 'a\u007fb']) {
      expect(offerIssues({ title }, now), JSON.stringify(title)).to.have.length(1);
    }
    expect(offerIssues({ title: '🖼'.repeat(250) }, now)).to.deep.equal([]);
    expect(offerIssues({ title: '🖼'.repeat(251) }, now)).to.have.length(1);
  });

  it('expires after 30 days by default; an expiry given as a day is the end of that day', () => {
    expect(expiryOf({}, now)).to.deep.equal(after(30 * dayMs));
    expect(expiryOf({ expiresAt: '2026-12-01' }, now).toISOString()).to.equal(
      '2026-12-01T23:59:59.999Z',
    );
  });

  it('must expire in the future, at most 365 days ahead', () => {
    for (const [ms, issues] of [
      [0, 1],
      [-1, 1],
      [1, 0],
      [365 * dayMs, 0],
      [365 * dayMs + 1, 1],
    ] as const) {
      expect(expiryIssues('expires_at', after(ms), now), String(ms)).to.have.length(issues);
    }
  });
});
