import { expect } from 'chai';
import { currencyIssues, toDecimal } from '../../../src/domain/commerce/money.js';

describe('a currency', () => {
  it('is a code of ISO 4217 that money has, in upper case', () => {
    for (const code of ['EUR', 'JPY', 'KWD', 'CLF', 'XOF']) {
      expect(currencyIssues('currency', code), code).to.deep.equal([]);
    }
    for (const code of ['', 'eur', 'EU', 'EURO', 'ZZZ', 'DEM', 'BTC', 'XXX', 'XTS', 'XAU', 'ЕUR']) {
      const issues = currencyIssues('currency', code);
      expect(
        issues.map(({ param }) => param),
        code,
      ).to.deep.equal(['currency']);
    }
  });

  it('has decimals of its own, and no digit of an amount is rounded', () => {
    expect(toDecimal('EUR', 1_234)).to.equal('12.34');
    expect(toDecimal('JPY', 1_234)).to.equal('1234');
    expect(toDecimal('KWD', 5)).to.equal('0.005');
    expect(toDecimal('CLF', -12)).to.equal('-0.0012');
    expect(toDecimal('EUR', Number.MAX_SAFE_INTEGER)).to.equal('90071992547409.91');
  });
});
