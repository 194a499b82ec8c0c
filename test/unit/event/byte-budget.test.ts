import { expect } from 'chai';
import { ByteBudget } from '../../../src/domain/event/byte-budget.js';

describe('ByteBudget', () => {
  it('refuses what exceeds the share of an account, or all of it', () => {
    const budget = new ByteBudget({ total: 10, perAccount: 6 });
    expect(budget.reserve('a', 6)).to.equal(true);
    expect(budget.reserve('a', 1)).to.equal(false);
    expect(budget.reserve('b', 5)).to.equal(false);
    expect(budget.reserve('b', 4)).to.equal(true);
    expect(budget.total).to.equal(10);
    budget.release('a', 6);
    expect(budget.reserve('b', 3)).to.equal(false);
    expect(budget.reserve('c', 6)).to.equal(true);
  });
});
