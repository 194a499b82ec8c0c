import { expect } from 'chai';
import { FairQueue } from '../../../src/pdf/fair-queue.js';

describe('a fair queue', () => {
  const queueOf = (perAccount: number, total: number) =>
    new FairQueue<string>({ perAccount, total });
  const drain = (queue: FairQueue<string>) => {
    const taken: string[] = [];
    for (let item = queue.next(); item !== undefined; item = queue.next()) taken.push(item);
    return taken;
  };

  it('lets accounts take turns, and serves each in the order it came', () => {
    const queue = queueOf(9, 9);
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.add(item[0] ?? '', item);
    expect(queue.next()).to.equal('a1');
    queue.add('a', 'a4');
    expect(drain(queue)).to.deep.equal(['b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
    expect(queue.next()).to.equal(undefined);
  });

  it('has a bounded number of places for an account', () => {
    const queue = queueOf(2, 9);
    expect(queue.add('a', 'a1')).to.equal(undefined);
    expect(queue.add('a', 'a2')).to.equal(undefined);
    expect(queue.add('a', 'a3')).to.equal('a3');
    expect(queue.add('b', 'b1')).to.equal(undefined);
    expect(drain(queue)).to.deep.equal(['a1', 'b1', 'a2']);
  });

  it('gives the last place of the account with most to one with fewer, when all are taken', () => {
    const queue = queueOf(3, 4);
    for (const item of ['a1', 'a2', 'a3', 'b1']) queue.add(item[0] ?? '', item);
    expect(queue.add('c', 'c1')).to.equal('a3');
    expect(queue.add('c', 'c2'), 'as many as the others').to.equal('c2');
    expect(queue.add('a', 'a4')).to.equal('a4');
    expect(drain(queue)).to.deep.equal(['a1', 'b1', 'c1', 'a2']);
  });
});
