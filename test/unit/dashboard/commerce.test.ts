import { expect } from 'chai';
import { data } from 'currency-codes';
import { toDecimal as toDecimalOfService } from '../../../src/domain/commerce/money.js';
import {
  digitsOf,
  formatMoney,
  parseMoney,
  toDecimal,
  toEditable,
} from '../../../dashboard/src/pages/commerce/money.js';
import {
  filteredPath,
  pageNumber,
  readSaleFilter,
  saleVariables,
} from '../../../dashboard/src/pages/commerce/sale-paths.js';

/** Metals and units of account, in which nothing is sold. */
const nonCurrencies = /^X(?:AG|AU|B[A-D]|DR|P[DT]|SU|TS|UA|XX)$/;

describe('money in the dashboard', () => {
  it('uses the decimal places of ISO 4217 for every currency', () => {
    const currencies = data.filter(({ code }) => !nonCurrencies.test(code));
    expect(currencies.length).to.be.greaterThan(150);
    for (const { code, digits } of currencies) expect(digitsOf(code), code).to.equal(digits);
    // The service has currencies that the list does not.
    for (const { code } of [...currencies, { code: 'XCG' }]) {
      expect(toDecimal(123_456, code), code).to.equal(toDecimalOfService(code, 123_456));
    }
  });

  it('shows money exactly, without rounding', () => {
    expect(formatMoney(1_190, 'EUR')).to.equal('€11.90');
    expect(formatMoney(-5, 'EUR')).to.equal('-€0.05');
    expect(formatMoney(1_191, 'JPY')).to.equal('¥1,191');
    expect(toDecimal(1_191, 'KWD')).to.equal('1.191');
    expect(formatMoney(Number.MAX_SAFE_INTEGER, 'EUR')).to.equal('€90,071,992,547,409.91');
  });

  it('parses money into the minor units of its currency, or rejects it', () => {
    expect(parseMoney(' 19 ', 'EUR')).to.equal(1_900);
    expect(parseMoney('19.5', 'EUR')).to.equal(1_950);
    expect(parseMoney('19', 'JPY')).to.equal(19);
    expect(parseMoney('1.191', 'KWD')).to.equal(1_191);
    for (const wrong of ['', '0', '-1', '1.234', '1e3', '1,000.00', '1.', '.5', '9'.repeat(17)]) {
      expect(parseMoney(wrong, 'EUR'), wrong).to.equal(undefined);
    }
    expect(parseMoney('1.5', 'JPY')).to.equal(undefined);
  });

  it("parses money with the reader's decimal mark only, and never with separators of thousands", () => {
    expect(parseMoney('19,05', 'EUR', 'de')).to.equal(1_905);
    expect(parseMoney('19.05', 'EUR', 'de-CH')).to.equal(1_905);
    expect(parseMoney('1.190', 'KWD', 'en-GB')).to.equal(1_190);
    expect(parseMoney('1,190', 'KWD', 'de-AT')).to.equal(1_190);

    for (const [typed, reader] of [
      ['1,190', 'en'],
      ['19,05', 'en'],
      ['1,190.000', 'en'],
      ['1.190', 'de'],
      ['1.190,000', 'de'],
      ['1 190', 'de-AT'],
      ['1\u202f190', 'de'],
      ['1’190', 'de-CH'],
      ["1'190", 'de-CH'],
    ] as const) {
      expect(parseMoney(typed, 'KWD', reader), `${typed} in ${reader}`).to.equal(undefined);
    }
  });

  it('offers money for editing in the notation in which it is parsed', () => {
    for (const reader of ['en', 'en-IN', 'en-ZA', 'de', 'de-AT', 'de-CH', 'de-LI']) {
      for (const currency of ['EUR', 'JPY', 'KWD']) {
        const editable = toEditable(1_234_567, currency, reader);
        expect(parseMoney(editable, currency, reader), editable).to.equal(1_234_567);
      }
    }
  });
});

describe('the page of a numbered list', () => {
  it('reads the page from the URL, or takes the first', () => {
    expect(pageNumber('3')).to.equal(3);
    for (const wrong of [undefined, '', '0', '-1', '1.5', 'x', '99999999999']) {
      expect(pageNumber(wrong), wrong).to.equal(1);
    }
  });
});

describe('the filter of a list of sales', () => {
  it('reads the filter from the URL and writes it there', () => {
    const filter = {
      buyer: 'a+b@example.com',
      number: 'INV-000001',
      from: '2026-11-01',
      to: '2026-11-30',
    };

    const path = filteredPath('orders', filter);
    const { searchParams } = new URL(path, 'http://127.0.0.1');
    expect(readSaleFilter('orders', Object.fromEntries(searchParams))).to.deep.equal(filter);
    expect(filteredPath('orders', {})).to.equal('/dashboard/orders');

    expect(saleVariables(filter, 2)).to.deep.equal({
      page: 2,
      buyerEmail: 'a+b@example.com',
      number: 'INV-000001',
      createdFrom: '2026-11-01',
      createdTo: '2026-11-30',
    });
  });

  it('ignores empty values, and filters that the list does not have', () => {
    const query = { buyer: ' ', number: 'INV-000001', to: '', page: '2', other: 'x' };
    expect(readSaleFilter('refunds', query)).to.deep.equal({ number: 'INV-000001' });
    expect(readSaleFilter('payments', query)).to.deep.equal({});
    expect(saleVariables({}, 1)).to.deep.equal({ page: 1 });
  });
});
