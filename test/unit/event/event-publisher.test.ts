import { expect } from 'chai';
import { ByteBudget } from '../../../src/domain/event/event-publisher.js';

const none = { total: 0, perAccount: 0 };

describe('ByteBudget', () => {
  it('refuses bytes beyond the limit of an account, or beyond the total', () => {
    const budget = new ByteBudget({ total: 10, perAccount: 6, reserve: none });
    expect(budget.reserve('a', 6)).to.equal(true);
    expect(budget.reserve('a', 1)).to.equal(false);
    expect(budget.reserve('b', 5)).to.equal(false);
    expect(budget.reserve('b', 4)).to.equal(true);
    expect(budget.total).to.equal(10);
    budget.release('a', 6);
    expect(budget.reserve('b', 3)).to.equal(false);
    expect(budget.reserve('c', 6)).to.equal(true);
  });

  it('keeps a reserve for accounts that have few bytes waiting', () => {
    const budget = new ByteBudget({
      total: 10,
      perAccount: 6,
      reserve: { total: 4, perAccount: 2 },
    });

    for (const account of ['a', 'b']) expect(budget.reserve(account, 5)).to.equal(true);
    expect(budget.reserve('a', 1)).to.equal(false);
    expect(budget.reserve('c', 3)).to.equal(false);
    expect(budget.reserve('c', 2)).to.equal(true);
    expect(budget.reserve('c', 1)).to.equal(false);
    expect(budget.reserve('d', 2)).to.equal(true);
    expect(budget.reserve('e', 1)).to.equal(false);
    budget.release('a', 5);
    expect(budget.reserve('c', 2)).to.equal(false);
    expect(budget.reserve('a', 2)).to.equal(true);
  });
});
