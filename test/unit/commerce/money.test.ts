import { expect } from 'chai';
import { publishDate } from 'currency-codes';
import { currencyIssues, toDecimal } from '../../../src/domain/commerce/money.js';

describe('a currency', () => {
  const now = new Date('2026-11-21T12:00:00.000Z');

  it('must be an upper-case ISO 4217 code of a real currency', () => {
    for (const code of ['EUR', 'JPY', 'KWD', 'CLF', 'XOF']) {
      expect(currencyIssues('currency', code, now), code).to.deep.equal([]);
    }
    for (const code of ['', 'eur', 'EU', 'EURO', 'ZZZ', 'DEM', 'BTC', 'XXX', 'XTS', 'XAU', 'ЕUR']) {
      const issues = currencyIssues('currency', code, now);
      expect(
        issues.map(({ param }) => param),
        code,
      ).to.deep.equal(['currency']);
    }
  });

  it('is accepted for new sales only while it is in use by ISO 4217', () => {
    const takes = (code: string, at: string) =>
      currencyIssues('currency', code, new Date(at)).length === 0;
    const changes = [
      ['XCG', '2025-03-31', true],
      ['ANG', '2025-03-31', false],
      ['CUC', '2021-01-01', false],
      ['BGN', '2026-01-01', false],
    ] as const;
    for (const [code, day, after] of changes) {
      const begins = Date.parse(day);
      expect(takes(code, new Date(begins - 1).toISOString()), code).to.equal(!after);
      expect(takes(code, day), code).to.equal(after);
    }

    for (const year of [1999, 2026, 2126]) {
      expect(takes('EUR', `${year}-06-01`)).to.equal(true);
      for (const code of ['XAD', 'DEM']) expect(takes(code, `${year}-06-01`)).to.equal(false);
    }
  });

  it('says when the currency of a refused sale was withdrawn', () => {
    expect(currencyIssues('currency', 'BGN', now)).to.deep.equal([
      {
        code: 'invalid_value',
        detail: 'BGN was withdrawn on 2026-01-01 (ISO 4217).',
        param: 'currency',
      },
    ]);
  });

  it('stays valid for a sale that was offered before', () => {
    for (const code of ['ANG', 'BGN', 'CUC', 'XCG', 'EUR']) {
      expect(currencyIssues('currency', code, 'offered before'), code).to.deep.equal([]);
      expect(toDecimal(code, 1_234), code).to.equal('12.34');
    }
    expect(currencyIssues('currency', 'XXX', 'offered before')).to.have.length(1);
  });

  it('follows the list of currency-codes and what changed after it was published', () => {
    // A newer list: look through the amendments of ISO 4217 since then.
    expect(publishDate).to.equal('2024-06-25');
  });

  it('has its own number of decimals, and formatting rounds no digit', () => {
    expect(toDecimal('EUR', 1_234)).to.equal('12.34');
    expect(toDecimal('JPY', 1_234)).to.equal('1234');
    expect(toDecimal('KWD', 5)).to.equal('0.005');
    expect(toDecimal('CLF', -12)).to.equal('-0.0012');
    expect(toDecimal('EUR', Number.MAX_SAFE_INTEGER)).to.equal('90071992547409.91');
  });
});
