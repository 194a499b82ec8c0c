import { expect } from 'chai';
import {
  distrustFanOuts,
  type FanOut,
  FanOuts,
  GroupRoom,
  learnFanOuts,
} from '../../../src/domain/event/fan-out.js';

const fanOut = (each?: number, name = 'acc_1 type'): FanOut => ({ name, each });
const times = (count: number, one: FanOut) => Array<FanOut>(count).fill(one);

describe('GroupRoom', () => {
  /** How many of `events` fit, one after the other. */
  const fitting = (events: readonly FanOut[]) => {
    const room = new GroupRoom();
    const end = events.findIndex((each) => {
      if (!room.has(each)) return true;
      room.add(each);
      return false;
    });
    return end === -1 ? events.length : end;
  };

  it('has room for 10,000 pending deliveries', () => {
    expect(fitting(times(50, fanOut(1_000)))).to.equal(10);
    expect(fitting(times(50, fanOut(9_999)))).to.equal(1);
    expect(fitting([...times(9, fanOut(1_000)), ...times(50, fanOut(100))])).to.equal(19);
    expect(fitting(times(300, fanOut(0)))).to.equal(300);
  });

  it('has room for 250 events that make few', () => {
    expect(fitting(times(250, fanOut(40)))).to.equal(250);
  });

  it('has room for ten events of an account and type that it does not know', () => {
    const others = Array.from({ length: 240 }, (_, place) =>
      fanOut(undefined, `acc_${place} type`),
    );
    expect(fitting(times(50, fanOut()))).to.equal(10);
    expect(fitting([...times(10, fanOut()), ...others])).to.equal(250);
    expect(fitting([...times(10, fanOut(1_000, 'acc_2 type')), ...others])).to.equal(10);
  });
});

describe('the fan-outs of accounts and types', () => {
  it('are remembered', () => {
    const all = new FanOuts();
    const one = all.of({ accountId: 'acc_1', type: 'a.b' });
    expect(one).to.deep.equal({ name: 'acc_1 a.b', each: undefined });
    expect(all.of({ accountId: 'acc_1', type: 'a.b' })).to.equal(one);
    expect(all.of({ accountId: 'acc_1', type: 'a.c' })).not.to.equal(one);
    expect(all.of({ accountId: 'acc_2', type: 'a.b' })).not.to.equal(one);
  });

  it('are known from a group that names them', () => {
    const large = fanOut(1, 'a');
    const small = fanOut(undefined, 'b');
    const none = fanOut(5_000, 'c');
    const stored = [...times(2, large), small, none];
    learnFanOuts(stored, { pendingDeliveries: 2_003, named: { a: 2_000, b: 3 } });
    expect([large.each, small.each, none.each]).to.deep.equal([1_000, 3, 0]);
  });

  it('are known from a small total if each makes few at most', () => {
    const many = fanOut(undefined, 'a');
    const single = fanOut(undefined, 'b');
    const known = fanOut(2, 'c');
    learnFanOuts([...times(10, many), single, known], { pendingDeliveries: 400, named: null });
    expect([many.each, single.each, known.each]).to.deep.equal([40, undefined, 2]);
  });

  it('fall when endpoints are gone', () => {
    const large = fanOut(1_000);
    learnFanOuts([large], { pendingDeliveries: 300, named: null });
    expect(large.each).to.equal(300);
    learnFanOuts(times(2, large), { pendingDeliveries: 2, named: null });
    expect(large.each).to.equal(1);
  });

  it('are doubted after a timeout: first those that made few, then each event goes alone', () => {
    const few = fanOut(1, 'a');
    const large = fanOut(undefined, 'b');
    const group = [...times(3, few), large];
    distrustFanOuts(group);
    expect([few.each, large.each]).to.deep.equal([undefined, 10_000]);
    distrustFanOuts(group);
    expect([few.each, large.each]).to.deep.equal([10_000, 10_000]);
  });
});
