import { expect } from 'chai';
import { publishDate } from 'currency-codes';
import { currencyIssues, toDecimal } from '../../../../src/domain/commerce/money.js';
import fc from 'fast-check';
import { prorate, Totals } from '../../../../src/domain/commerce/line-items.js';
import { entityOf } from '../../../../src/domain/transaction/typeorm.js';

describe('a currency', () => {
  const now = new Date('2026-11-21T12:00:00.000Z');

  it('accepts only the upper-case ISO 4217 code of a real currency', () => {
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

  it('accepts a currency for new sales only while ISO 4217 has it in use', () => {
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

  it('accepts a withdrawn currency for a sale that was offered before', () => {
    for (const code of ['ANG', 'BGN', 'CUC', 'XCG', 'EUR']) {
      expect(currencyIssues('currency', code, 'offered before'), code).to.deep.equal([]);
      expect(toDecimal(code, 1_234), code).to.equal('12.34');
    }
    expect(currencyIssues('currency', 'XXX', 'offered before')).to.have.length(1);
  });

  it('follows the list of currency-codes and what changed after its publication', () => {
    // A newer list: look through the amendments of ISO 4217 since then.
    expect(publishDate).to.equal('2024-06-25');
  });

  it('each currency has its own number of decimals, and formatting rounds no digit', () => {
    expect(toDecimal('EUR', 1_234)).to.equal('12.34');
    expect(toDecimal('JPY', 1_234)).to.equal('1234');
    expect(toDecimal('KWD', 5)).to.equal('0.005');
    expect(toDecimal('CLF', -12)).to.equal('-0.0012');
    expect(toDecimal('EUR', Number.MAX_SAFE_INTEGER)).to.equal('90071992547409.91');
  });
});

function totals(subtotal: number, discount: number, shipping: number, tax: number): Totals {
  return entityOf(Totals, {
    currency: 'EUR',
    subtotalMinorUnits: subtotal,
    discountMinorUnits: discount,
    shippingMinorUnits: shipping,
    taxMinorUnits: tax,
    totalMinorUnits: subtotal - discount + shipping + tax,
  });
}

const parts = [
  'subtotalMinorUnits',
  'discountMinorUnits',
  'shippingMinorUnits',
  'taxMinorUnits',
  'totalMinorUnits',
] as const;

const without = (left: Totals, share: Totals): Totals =>
  Object.assign(
    entityOf(Totals, left),
    Object.fromEntries(parts.map((part) => [part, left[part] - share[part]])),
  );

/** Up to 2^50, so that products need more than a double holds. */
const amount = fc.oneof(fc.nat(20), fc.nat(100_000), fc.nat(2 ** 50));
const bill = fc
  .tuple(amount, amount, amount, amount)
  .map(([subtotal, discount, shipping, tax]) =>
    totals(subtotal, Math.min(subtotal, discount), shipping, tax),
  )
  .filter(({ totalMinorUnits }) => totalMinorUnits > 0);

describe('prorate', () => {
  it('parts add up, never exceed what is left, and leave nothing in the end', () => {
    fc.assert(
      fc.property(bill, fc.array(fc.double({ min: 0, max: 1, noNaN: true })), (all, fractions) => {
        let left = all;

        for (const fraction of [...fractions, 1]) {
          if (left.totalMinorUnits === 0) return;

          const wanted = Math.max(1, Math.floor(left.totalMinorUnits * fraction));
          const share = prorate(left, Math.min(wanted, left.totalMinorUnits));
          const { subtotalMinorUnits, discountMinorUnits, shippingMinorUnits } = share;
          expect(share.totalMinorUnits).to.equal(
            subtotalMinorUnits - discountMinorUnits + shippingMinorUnits + share.taxMinorUnits,
          );

          const rest = without(left, share);

          for (const part of parts) {
            expect(share[part], part).to.be.at.least(0);
            expect(rest[part], part).to.be.at.least(0);
          }

          left = rest;
        }

        for (const part of parts) expect(left[part], part).to.equal(0);
      }),
      { numRuns: 300 },
    );
  });

  it('prorates in proportion, to the unit', () => {
    expect(prorate(totals(1_000, 0, 0, 190), 595)).to.deep.equal(totals(500, 0, 0, 95));
    expect(prorate(totals(1_000, 500, 490, 10), 100)).to.deep.equal(totals(100, 50, 49, 1));
    expect(prorate(totals(1, 0, 1, 1), 1)).to.deep.equal(totals(1, 0, 0, 0));
  });

  it('prorates a discount that leaves little or nothing of the items', () => {
    expect(prorate(totals(1_000, 1_000, 700, 0), 350)).to.deep.equal(totals(500, 500, 350, 0));
    expect(prorate(totals(50, 50, 7, 0), 3)).to.deep.equal(totals(21, 21, 3, 0));
    expect(prorate(totals(1_000, 999, 500, 0), 251)).to.deep.equal(totals(501, 500, 250, 0));
  });

  it('differs from the exact proportion by less than two units, in every part', () => {
    fc.assert(
      fc.property(bill, fc.double({ min: 0, max: 1, noNaN: true }), (all, fraction) => {
        const wanted = Math.max(1, Math.floor(all.totalMinorUnits * fraction));
        const share = prorate(all, wanted);
        const total = BigInt(all.totalMinorUnits);
        for (const part of parts) {
          const difference =
            BigInt(share[part]) * total - BigInt(all[part]) * BigInt(share.totalMinorUnits);
          const distance = difference < 0n ? -difference : difference;
          expect(distance < 2n * total, `${part} of ${JSON.stringify(share)}`).to.equal(true);
        }
      }),
      { numRuns: 300 },
    );
  });
});
