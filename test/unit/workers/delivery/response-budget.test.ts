import { expect } from 'chai';
import { ResponseBudget } from '../../../../workers/delivery/sender.js';

describe('the budget of responses', () => {
  const at = new Date('2026-11-23T10:59:59Z');

  function spent(endpoint: string): ResponseBudget {
    const budget = new ResponseBudget();
    for (let kept = 0; kept < 100; kept += 1) {
      expect(budget.allows(endpoint, at)).to.equal(true);
      budget.count(endpoint, at);
    }
    return budget;
  }

  it('keeps a hundred responses of an endpoint in an hour', () => {
    expect(spent('whs_1').allows('whs_1', at)).to.equal(false);
  });

  it('begins again with the next hour, and counts endpoints by themselves', () => {
    const budget = spent('whs_1');
    expect(budget.allows('whs_2', at)).to.equal(true);
    expect(budget.allows('whs_1', new Date(at.getTime() + 1_000))).to.equal(true);
  });
});
