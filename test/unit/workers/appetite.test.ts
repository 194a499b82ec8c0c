import { expect } from 'chai';
import { Appetite } from '../../../workers/appetite.js';
import { Limits } from '../../../workers/limits.js';
import { claimOf } from '../../support/claims.js';

describe('appetite', () => {
  const limits = new Limits(1_000, 1_000);
  let unsettled = 0;
  const appetite = () => new Appetite({ limits, unsettled: () => unsettled, ahead: false });

  /** Claims whose bodies have so many bytes each. */
  const claims = (count: number, bytes: number) =>
    Array.from({ length: count }, (_each, index) => {
      const claim = claimOf(`chn_${index}`, 'one');
      return { ...claim, event: { ...claim.event, body: Buffer.alloc(bytes) } };
    });

  beforeEach(() => {
    unsettled = 0;
  });

  it('is for 200 chains as long as nothing is known of their bodies, then for 400', () => {
    const one = appetite();
    expect(one.room).to.equal(200);
    one.claimed(5, []);
    expect(one.room).to.equal(200);
    one.claimed(5, claims(10, 1_024));
    expect(one.room).to.equal(400);
  });

  it('is for 48 MiB of bodies like those that came last, and for one however long it is', () => {
    const one = appetite();
    one.claimed(5, claims(3, 262_144));
    expect(one.room).to.equal(192);
    one.claimed(5, claims(1, 60 * 1_048_576));
    expect(one.room).to.equal(1);
    for (let time = 0; time < 9; time += 1) one.claimed(5, claims(1, 2));
    expect(one.room).to.equal(400);
  });

  it('counts a body once that many claims share', () => {
    const one = appetite();
    const [first] = claims(1, 262_144);
    one.claimed(5, [...Array.from({ length: 300 }, () => first!)]);
    expect(one.room).to.equal(400);
  });

  it('is halved by each claim that fails or is late, and comes back twofold', () => {
    const one = appetite();
    one.overate();
    expect(one.room).to.equal(100);
    one.overate();
    expect(one.room).to.equal(50);
    one.claimed(5, claims(50, 1_024));
    expect(one.room).to.equal(100);
    for (let time = 0; time < 9; time += 1) one.overate();
    expect(one.room).to.equal(1);
  });

  it('is gone while four times the slots are not recorded', () => {
    unsettled = 4_000;
    expect(appetite().room).to.equal(0);
  });
});
