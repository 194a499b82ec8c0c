import { expect } from 'chai';
import { ClaimReleases } from '../../../../workers/delivery/claims.js';

describe('claims that are given back', () => {
  const away = new Error('away');
  const failure = new Error('a fault of ours');
  let errors: unknown[];
  let failures: Error[];
  let released: number;
  let releases: ClaimReleases;

  beforeEach(() => {
    errors = [];
    failures = [];
    released = 0;
    releases = new ClaimReleases({
      mayRecover: (error) => error === away,
      onError: (error) => void errors.push(error),
    });
  });

  const work = () => {
    const failure = failures.shift();
    if (failure) return Promise.reject(failure);
    released += 1;
    return Promise.resolve();
  };

  it('are offered until the database takes them, and hold their leases meanwhile', async () => {
    failures = [away, away];
    await releases.add([{ token: 1 }, { token: 2 }], work);
    expect(errors).to.deep.equal([away]);
    expect([...releases.tokens()]).to.deep.equal([1, 2]);
    expect(await releases.retry().catch((error: unknown) => error)).to.equal(away);
    expect([...releases.tokens()]).to.deep.equal([1, 2]);
    await releases.retry();
    await releases.retry();
    expect(released).to.equal(1);
    expect([...releases.tokens()]).to.deep.equal([]);
  });

  it('are left to the end of their leases where trying again is of no use', async () => {
    failures = [failure];
    const refused = await releases.add([{ token: 1 }], work).catch((error: unknown) => error);
    expect(refused).to.equal(failure);
    failures = [away, failure];
    await releases.add([{ token: 1 }], work);
    await releases.retry();
    expect(errors).to.deep.equal([away, failure]);
    expect([...releases.tokens()]).to.deep.equal([]);
  });

  it('are offered once where two ask for it at the same time', async () => {
    failures = [away];
    await releases.add([{ token: 1 }], work);
    await Promise.all([releases.retry(), releases.retry()]);
    expect(released).to.equal(1);
  });

  it('do not wait behind one that the database does not take', async () => {
    await releases.add([{ token: 1 }], () => Promise.reject(away));
    failures = [away];
    await releases.add([{ token: 2 }], work);
    for (let round = 0; round < 2; round += 1) await releases.retry().catch(() => undefined);
    expect(released).to.equal(1);
    expect([...releases.tokens()]).to.deep.equal([1]);
  });
});
