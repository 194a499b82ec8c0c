import { expect } from 'chai';
import { UnconfirmedClaims } from '../../../../workers/delivery/claims.js';

describe('claims that a process did not hear of', () => {
  let now: number;
  let tokens: number;
  let requested: (readonly number[])[];

  /** Pending deliveries that the database holds by token. */
  let claimedByToken: Map<number, number>;
  let away: boolean;
  let internalError: Error | undefined;
  let ambiguous: UnconfirmedClaims;
  const lost = new Error('the connection broke');

  beforeEach(() => {
    now = 0;
    tokens = 0;
    requested = [];
    away = false;
    internalError = undefined;
    claimedByToken = new Map();

    ambiguous = new UnconfirmedClaims({
      release: (wanted) => {
        if (away) return Promise.reject(lost);
        if (internalError) return Promise.reject(internalError);
        requested.push(wanted);
        const found = wanted.filter((token) => claimedByToken.has(token));
        const released = found.map((token) => ({
          token,
          pendingDeliveries: claimedByToken.get(token) ?? 0,
        }));
        for (const token of found) claimedByToken.delete(token);
        return Promise.resolve(released);
      },
      mayHaveClaimed: (error) => error === lost,
      leaseMs: 30_000,
      clock: { now: () => now, after: () => () => undefined },
      makeToken: () => ++tokens,
    });
  });

  const lose = (error: Error = lost) =>
    ambiguous.claim(() => Promise.reject(error)).catch((caught: unknown) => caught);

  it('are given back, once', async () => {
    expect(await lose()).to.equal(lost);
    claimedByToken.set(1, 3);
    expect(await ambiguous.release()).to.equal(3);
    expect(await ambiguous.release()).to.equal(0);
    expect(requested).to.deep.equal([[1]]);
  });

  it('are looked for again for as long as the statement may still be carried out', async () => {
    await lose();
    expect(await ambiguous.release()).to.equal(0);
    now = 29_999;
    claimedByToken.set(1, 2);
    expect(await ambiguous.release()).to.equal(2);
    await lose();
    await ambiguous.release();
    now += 30_000;
    await ambiguous.release();
    await ambiguous.release();
    expect(requested).to.deep.equal([[1], [1], [2], [2]]);
  });

  it('are looked for as soon as the database answers, however long that takes', async () => {
    await lose();
    claimedByToken.set(1, 2);
    away = true;
    now = 3_600_000;
    expect(await ambiguous.release().catch((error: unknown) => error)).to.equal(lost);
    away = false;
    expect(await ambiguous.release()).to.equal(2);
  });

  it('are looked for again when the database pauses, then executes their claims after a release', async () => {
    await lose();
    away = true;
    now = 60_000;
    expect(await ambiguous.release().catch((error: unknown) => error)).to.equal(lost);
    away = false;
    now = 120_000;
    expect(await ambiguous.release()).to.equal(0);
    claimedByToken.set(1, 2);
    expect(await ambiguous.release()).to.equal(2);
  });

  it('are none where a claim came back, or was refused', async () => {
    expect(await ambiguous.claim((token) => Promise.resolve(token))).to.equal(1);
    await lose(new Error('a fault of ours'));
    await ambiguous.release();
    expect(requested).to.deep.equal([]);
  });

  it('are remembered within bounds: of very many the first', async () => {
    for (let count = 0; count < 1_500; count += 1) await lose();
    await ambiguous.release();
    expect(requested[0]).to.have.length(1_000).and.to.include(1);
  });

  it('are forgotten at the end of their leases when they cannot be given back at all', async () => {
    await lose();
    const refused = new Error('a fault of ours');
    internalError = refused;
    expect(await ambiguous.release().catch((error: unknown) => error)).to.equal(refused);
    now = 30_000;
    expect(await ambiguous.release().catch((error: unknown) => error)).to.equal(refused);
    internalError = undefined;
    expect(await ambiguous.release()).to.equal(0);
    expect(requested).to.deep.equal([]);
  });
});
