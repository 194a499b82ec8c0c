import { expect } from 'chai';
import { GiveBacks } from '../../../workers/give-backs.js';

describe('claims that are given back', () => {
  const away = new Error('away');
  const fault = new Error('a fault of ours');
  let errors: unknown[];
  let failures: Error[];
  let given: number;
  let giveBacks: GiveBacks;

  beforeEach(() => {
    [errors, failures, given] = [[], [], 0];
    giveBacks = new GiveBacks({
      mayRecover: (error) => error === away,
      onError: (error) => void errors.push(error),
    });
  });

  const work = () => {
    const failure = failures.shift();
    if (failure) return Promise.reject(failure);
    given += 1;
    return Promise.resolve();
  };

  it('are offered until the database takes them, and hold their leases meanwhile', async () => {
    failures = [away, away];
    await giveBacks.add([{ token: 1 }, { token: 2 }], work);
    expect(errors).to.deep.equal([away]);
    expect([...giveBacks.tokens()]).to.deep.equal([1, 2]);
    expect(await giveBacks.retry().catch((error: unknown) => error)).to.equal(away);
    expect([...giveBacks.tokens()]).to.deep.equal([1, 2]);
    await giveBacks.retry();
    await giveBacks.retry();
    expect(given).to.equal(1);
    expect([...giveBacks.tokens()]).to.deep.equal([]);
  });

  it('are left to the end of their leases where trying again is of no use', async () => {
    failures = [fault];
    const refused = await giveBacks.add([{ token: 1 }], work).catch((error: unknown) => error);
    expect(refused).to.equal(fault);
    failures = [away, fault];
    await giveBacks.add([{ token: 1 }], work);
    await giveBacks.retry();
    expect(errors).to.deep.equal([away, fault]);
    expect([...giveBacks.tokens()]).to.deep.equal([]);
  });

  it('are offered once where two ask for it at the same time', async () => {
    failures = [away];
    await giveBacks.add([{ token: 1 }], work);
    await Promise.all([giveBacks.retry(), giveBacks.retry()]);
    expect(given).to.equal(1);
  });

  it('do not wait behind one that the database does not take', async () => {
    await giveBacks.add([{ token: 1 }], () => Promise.reject(away));
    failures = [away];
    await giveBacks.add([{ token: 2 }], work);
    for (let round = 0; round < 2; round += 1) await giveBacks.retry().catch(() => undefined);
    expect(given).to.equal(1);
    expect([...giveBacks.tokens()]).to.deep.equal([1]);
  });
});
