import { expect } from 'chai';
import { withSemaphore, KeyedSemaphore } from '../../../src/database/limits.js';
import { type Transact, SemaphoreRejected } from '../../../src/domain/transaction/tx.js';
import { isUnavailable } from '../../../src/domain/transaction/unavailable.js';

const options = { maxConcurrent: 2, waiting: 3, maxWaitMs: 500 };

/** Lets everything run that can. */
const runPending = () => new Promise((resolve) => setImmediate(resolve));
const refusalOf = (acquired: Promise<unknown>) =>
  acquired.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('the keyed semaphore', () => {
  it('admits two holders of one key, and those of another key besides', async () => {
    const semaphore = new KeyedSemaphore(options);
    const seen: string[] = [];
    for (const who of ['a1', 'a2', 'a3', 'b1']) {
      void semaphore.acquire(who.slice(0, 1)).then(() => seen.push(who));
    }
    await runPending();
    expect(seen).to.deep.equal(['a1', 'a2', 'b1']);
    expect(semaphore.waiting).to.equal(1);
  });

  it('admits waiters in order, one for each slot that is released', async () => {
    const semaphore = new KeyedSemaphore(options);
    const first = await semaphore.acquire('a');
    const second = await semaphore.acquire('a');
    const seen: string[] = [];
    const ends: (() => void)[] = [];

    for (const who of ['third', 'fourth', 'fifth']) {
      void semaphore.acquire('a').then((end) => {
        seen.push(who);
        ends.push(end);
      });
    }

    first();

    const late = semaphore.acquire('a').then(() => seen.push('late'));
    await runPending();
    expect(seen).to.deep.equal(['third']);
    second();
    await runPending();
    expect(seen).to.deep.equal(['third', 'fourth']);
    for (const end of ends.splice(0)) end();
    await late;
    expect(seen).to.deep.equal(['third', 'fourth', 'fifth', 'late']);
    expect(semaphore.waiting).to.equal(0);
  });

  it('rejects at once when too many wait, with an error that may be retried', async () => {
    const semaphore = new KeyedSemaphore(options);
    const end = await semaphore.acquire('a');
    void semaphore.acquire('a');
    const waits = [semaphore.acquire('a'), semaphore.acquire('a'), semaphore.acquire('a')];
    const refusal = await refusalOf(semaphore.acquire('a'));
    expect(refusal).to.be.instanceOf(SemaphoreRejected);
    expect(isUnavailable(refusal)).to.equal(true);
    end();
    await waits[0];
    void semaphore.acquire('a');
    await runPending();
    expect(semaphore.waiting).to.equal(3);
  });

  it('rejects a waiter whose slot does not become free in time, and does not lose the slot', async () => {
    const semaphore = new KeyedSemaphore({ ...options, maxConcurrent: 1, maxWaitMs: 5 });
    const end = await semaphore.acquire('a');
    const refusal = await refusalOf(semaphore.acquire('a'));
    expect(refusal).to.be.instanceOf(SemaphoreRejected);
    expect(String(refusal)).to.contain('5 ms waiting for a slot of a.');
    expect(semaphore.waiting).to.equal(0);
    end();
    await semaphore.acquire('a');
  });

  it('releases a slot when its transaction ends, whether it commits or fails', async () => {
    const semaphore = new KeyedSemaphore({ ...options, maxConcurrent: 1 });
    const transact: Transact = (work) => work({} as never);
    const turned = withSemaphore(transact, semaphore);
    const failure = new Error('refused');
    const refused = await refusalOf(turned(() => Promise.reject(failure), { semaphoreKey: 'a' }));
    expect(refused).to.equal(failure);
    expect(await turned(() => Promise.resolve('done'), { semaphoreKey: 'a' })).to.equal('done');
    const held = await semaphore.acquire('a');
    const free = await turned(() => Promise.resolve('no turn'));
    expect(free).to.equal('no turn');
    held();
  });
});
