import { expect } from 'chai';
import { setImmediate as turn } from 'node:timers/promises';
import type { EndedAttempt } from '../../../src/domain/delivery/attempt.js';
import type { SettleResult } from '../../../src/domain/delivery/settle.js';
import { processClock } from '../../../workers/clock.js';
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

  it('keeps what is not recorded when its lease has ended, and records it in the end', async () => {
    let failures = 4;
    const one = settler(() => (failures-- > 0 ? Promise.reject(away) : Promise.resolve(none)));
    add(one, 2, performance.now() + 30);
    await eventually(() => expect(settled).to.have.length(2), 'all are settled');
    expect(dropped).to.deep.equal([]);
  });

  it('names the leases of what it holds, but not of a row that is at fault', async () => {
    let refuses = true;
    const one = settler((ended) =>
      refuses && ended.some(({ claim }) => claim.chainId === 'c1')
        ? Promise.reject(refused)
        : Promise.resolve(none),
    );
    add(one, 2);
    expect([...one.tokens()]).to.deep.equal([1, 1]);
    await eventually(() => expect(batches).to.deep.equal([2, 1, 1]), 'it is found');
    expect([...one.tokens()], 'it may be the database').to.deep.equal([1]);
    one.add(endedOf(claimOf('c2', 'e')), soon());
    await eventually(() => expect(settled).to.have.length(2), 'the others are settled');
    expect([...one.tokens()]).to.deep.equal([]);
    expect(one.backlog).to.equal(1);
    refuses = false;
    await one.close();
    expect(settled).to.have.length(3);
  });

  it('holds on to rows that are all refused, as when no partition is there', async () => {
    let refuses = true;
    const one = settler(() => (refuses ? Promise.reject(refused) : Promise.resolve(none)));
    add(one, 20, performance.now());
    await eventually(() => expect(one.allowance).to.be.at.most(10), 'claims wait');
    expect([...one.tokens()], 'no row is at fault').to.have.length(20);
    refuses = false;
    await eventually(() => expect(settled).to.have.length(20), 'all are settled');
    expect(dropped).to.deep.equal([]);
    expect(one.allowance).to.equal(800);
  });

  it('lets a few batches wait, and a probe when recording fails', async () => {
    let fails = true;
    const one = settler(() => (fails ? Promise.reject(away) : slowly()));
    add(one, 100);
    expect(one.allowance).to.equal(700);
    await eventually(() => expect(batches).to.deep.equal([100]), 'it tries');
    await eventually(() => expect(one.allowance).to.equal(10), 'a second batch may be the probe');
    add(one, 10);
    await eventually(() => expect(one.allowance).to.equal(0), 'the probe is under way');
    fails = false;
    await eventually(() => expect(settled).to.have.length(110), 'all are settled');
    expect(one.allowance).to.equal(800);
  });

  it('lets none be claimed while its transactions hang, until one ends', async () => {
    let now = 0;
    const ends: (() => void)[] = [];
    const one = new Settler({
      settle: () => new Promise((resolve) => ends.push(() => resolve(none))),
      mayRecover: () => true,
      onSettled: (ended) => void settled.push(...ended),
      onError: () => undefined,
      onDropped: (ended) => void dropped.push(...ended),
      clock: { ...processClock, now: () => now },
    });
    add(one, 5);
    await eventually(() => expect(ends).to.have.length(1), 'the first hangs');
    add(one, 5);
    await eventually(() => expect(ends).to.have.length(2), 'the second hangs');
    expect(one.allowance).to.equal(790);
    now = 1_001;
    expect(one.allowance).to.equal(0);
    ends[0]?.();
    await eventually(() => expect(one.allowance).to.equal(795), 'it goes on');
    ends[1]?.();
    await one.close();
  });

  it('does not let one impossible row keep the others from being recorded', async () => {
    const one = settler((ended) =>
      ended.some(({ claim }) => claim.chainId === 'c3')
        ? Promise.reject(refused)
        : Promise.resolve(none),
    );
    add(one, 8, performance.now() + 500);
    await eventually(() => expect(settled).to.have.length(7), 'the others are settled');
    one.add(endedOf(claimOf('c8', 'e')), soon());
    await eventually(() => expect(dropped).to.have.length(1), 'one is dropped');
    expect(dropped[0]!.claim.chainId).to.equal('c3');
    expect(settled).to.have.length(8);
  });

  it('goes on when rows at fault come one after the other, and others with them', async () => {
    const one = settler((ended) =>
      ended.some(({ claim }) => claim.chainId.startsWith('bad'))
        ? Promise.reject(refused)
        : Promise.resolve(none),
    );
    const bad = (count: number) => {
      for (let index = 0; index < count; index += 1) {
        one.add(endedOf(claimOf(`bad${index}`, 'e')), soon());
      }
    };
    bad(8);
    await eventually(() => expect(one.allowance).to.be.at.most(10), 'it takes the rows for good');
    add(one, 9);
    bad(1);
    await eventually(() => expect(settled).to.have.length(9), 'the others are settled', 10_000);
    await eventually(() => expect(one.allowance).to.equal(791), 'claims go on', 10_000);
    await one.close();
  });

  it('settles everything before it closes', async () => {
    const one = settler(slowly);
    add(one, 1_000);
    await one.close();
    expect(settled).to.have.length(1_000);
  });
});
