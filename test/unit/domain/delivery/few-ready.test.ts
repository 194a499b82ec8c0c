import { expect } from 'chai';
import { smallestId } from '../../../../src/domain/id.js';
import { FewReady } from '../../../../src/domain/delivery/claiming.js';

const now = Date.parse('2026-11-23T12:00:00Z');
const capacity = { slots: 200, perEndpoint: 2, inFlight: new Map<string, number>() };

describe('a claim of all that is ready', () => {
  it('takes at most 32, and never more than any account has room for', () => {
    const most = (more: object) => new FewReady().limits({ ...capacity, ...more })?.most;
    expect(most({})).to.equal(32);
    expect(most({ slots: 20 })).to.equal(20);
    expect(most({ perAccount: 10 })).to.equal(10);
    const accounts = new Map([
      ['acc_1', 40],
      ['acc_2', 7],
    ]);
    expect(most({ perAccount: 50, accounts })).to.equal(7);
    expect(most({ perAccount: 50, accounts: new Map([['acc_1', 0]]) })).to.equal(undefined);
    expect(most({ slots: 3 })).to.equal(undefined);
  });

  it('reads events of the day before the last try and the day after it', () => {
    const fewReady = new FewReady();
    expect(fewReady.limits(capacity)?.events).to.deep.equal(['', '']);
    fewReady.tried(false, now);
    const days = ['2026-11-22T12:00:00Z', '2026-11-24T12:00:00Z'];
    const ids = days.map((day) => smallestId('evt', new Date(day)));
    expect(fewReady.limits(capacity)?.events).to.deep.equal(ids);
  });

  it('is tried again after 4 claims when more was ready, then after 8, at most 64', () => {
    const fewReady = new FewReady();
    const walks: number[] = [];
    for (let turn = 0; turn < 6; turn += 1) {
      fewReady.tried(true, now);
      let count = 0;
      while (!fewReady.limits(capacity)) count += 1;
      walks.push(count);
    }

    expect(walks).to.deep.equal([4, 8, 16, 32, 64, 64]);
    fewReady.tried(false, now);
    expect(fewReady.limits(capacity)).not.to.equal(undefined);
    fewReady.tried(true, now);

    let count = 0;
    while (!fewReady.limits(capacity)) count += 1;
    expect(count).to.equal(4);
  });
});
