import { expect } from 'chai';
import { UnheardClaims } from '../../../workers/unheard-claims.js';

describe('claims that a process did not hear of', () => {
  let now: number;
  let tokens: number;
  let asked: (readonly number[])[];
  /** Chains that the database holds by token. */
  let held: Map<number, number>;
  let away: boolean;
  let fault: Error | undefined;
  let unheard: UnheardClaims;
  const lost = new Error('the connection broke');

  beforeEach(() => {
    [now, tokens, asked, away, fault] = [0, 0, [], false, undefined];
    held = new Map();
    unheard = new UnheardClaims({
      release: (wanted) => {
        if (away) return Promise.reject(lost);
        if (fault) return Promise.reject(fault);
        asked.push(wanted);
        const found = wanted.filter((token) => held.has(token));
        const released = found.map((token) => ({ token, chains: held.get(token) ?? 0 }));
        for (const token of found) held.delete(token);
        return Promise.resolve(released);
      },
      mayHaveClaimed: (error) => error === lost,
      leaseMs: 30_000,
      clock: { now: () => now, after: () => () => undefined },
      makeToken: () => ++tokens,
    });
  });

  const lose = (error: Error = lost) =>
    unheard.claim(() => Promise.reject(error)).catch((caught: unknown) => caught);

  it('are given back, once', async () => {
    expect(await lose()).to.equal(lost);
    held.set(1, 3);
    expect(await unheard.release()).to.equal(3);
    expect(await unheard.release()).to.equal(0);
    expect(asked).to.deep.equal([[1]]);
  });

  it('are looked for again for as long as the statement may still be carried out', async () => {
    await lose();
    expect(await unheard.release()).to.equal(0);
    now = 29_999;
    held.set(1, 2);
    expect(await unheard.release()).to.equal(2);
    await lose();
    now += 30_000;
    await unheard.release();
    await unheard.release();
    expect(asked).to.deep.equal([[1], [1], [2]]);
  });

  it('are looked for as soon as the database answers, however long that takes', async () => {
    await lose();
    held.set(1, 2);
    [away, now] = [true, 3_600_000];
    expect(await unheard.release().catch((error: unknown) => error)).to.equal(lost);
    away = false;
    expect(await unheard.release()).to.equal(2);
  });

  it('are none where a claim came back, or was refused', async () => {
    expect(await unheard.claim((token) => Promise.resolve(token))).to.equal(1);
    await lose(new Error('a fault of ours'));
    await unheard.release();
    expect(asked).to.deep.equal([]);
  });

  it('are remembered within bounds: of very many the first', async () => {
    for (let count = 0; count < 1_500; count += 1) await lose();
    await unheard.release();
    expect(asked[0]).to.have.length(1_000).and.to.include(1);
  });

  it('are forgotten at the end of their leases when they cannot be given back at all', async () => {
    await lose();
    const refused = new Error('a fault of ours');
    fault = refused;
    expect(await unheard.release().catch((error: unknown) => error)).to.equal(refused);
    now = 30_000;
    expect(await unheard.release().catch((error: unknown) => error)).to.equal(refused);
    fault = undefined;
    expect(await unheard.release()).to.equal(0);
    expect(asked).to.deep.equal([]);
  });
});
