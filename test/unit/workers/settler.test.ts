import { expect } from 'chai';
import { setImmediate as turn } from 'node:timers/promises';
import type { EndedAttempt } from '../../../src/domain/delivery/attempt.js';
import type { SettleResult } from '../../../src/domain/delivery/settle.js';
import { Settler, type SettlerOptions } from '../../../workers/settler.js';
import { claimOf, endedOf } from '../../support/claims.js';
import { eventually } from '../../support/eventually.js';

const none: SettleResult = { settled: [], disabled: [] };
const away = new Error('away');
const refused = new Error('value out of range');
const slowly = () => turn(none);
const soon = () => performance.now() + 60_000;

describe('settler', () => {
  let settled: EndedAttempt[];
  let dropped: EndedAttempt[];
  let batches: number[];

  beforeEach(() => {
    settled = [];
    dropped = [];
    batches = [];
  });

  function settler(settle: SettlerOptions['settle'] = () => Promise.resolve(none)): Settler {
    return new Settler({
      settle: (ended) => {
        batches.push(ended.length);
        return settle(ended);
      },
      mayRecover: (error) => error === away,
      onSettled: (ended) => void settled.push(...ended),
      onError: () => undefined,
      onDropped: (ended) => void dropped.push(...ended),
    });
  }

  function add(to: Settler, count: number, until = soon()): void {
    for (let index = 0; index < count; index += 1)
      to.add(endedOf(claimOf(`c${index}`, 'e')), until);
  }

  it('settles what ends together in one transaction', async () => {
    const one = settler();
    add(one, 50);
    await eventually(() => expect(settled).to.have.length(50), 'all are settled');
    expect(batches).to.deep.equal([50]);
    expect(one.backlog).to.equal(0);
  });

  it('never makes a batch larger than 200', async () => {
    const one = settler(slowly);
    add(one, 1_000);
    await eventually(() => expect(settled).to.have.length(1_000), 'all are settled');
    expect(Math.max(...batches)).to.equal(200);
  });

  it('repeats a transaction until it succeeds', async () => {
    let failures = 2;
    const one = settler(() => (failures-- > 0 ? Promise.reject(away) : Promise.resolve(none)));
    add(one, 5);
    expect(one.backlog).to.equal(5);
    await eventually(() => expect(settled).to.have.length(5), 'all are settled');
    expect(batches).to.deep.equal([5, 5, 5]);
    expect(dropped).to.deep.equal([]);
  });

  it('drops what is not recorded when its lease ends, and says so', async () => {
    const one = settler(() => Promise.reject(away));
    add(one, 2, performance.now() + 30);
    await eventually(() => expect(dropped).to.have.length(2), 'they are dropped');
    expect(one.backlog).to.equal(0);
    expect(settled).to.deep.equal([]);
  });

  it('does not let one impossible row keep the others from being recorded', async () => {
    const one = settler((ended) =>
      ended.some(({ claim }) => claim.chainId === 'c3')
        ? Promise.reject(refused)
        : Promise.resolve(none),
    );
    add(one, 8, performance.now() + 500);
    await eventually(() => expect(dropped).to.have.length(1), 'one is dropped');
    expect(dropped[0]!.claim.chainId).to.equal('c3');
    expect(settled).to.have.length(7);
  });

  it('settles everything before it closes', async () => {
    const one = settler(slowly);
    add(one, 1_000);
    await one.close();
    expect(settled).to.have.length(1_000);
  });
});
