import { expect } from 'chai';
import { DatabaseStability } from '../../../../workers/delivery/database-stability.js';

describe('the stability of the database', () => {
  let now: number;
  let one: DatabaseStability;

  beforeEach(() => {
    now = 0;
    const clock = { now: () => now, after: () => () => undefined };
    one = new DatabaseStability({ graceMs: 4_000, stallMs: 2_000, clock });
  });

  /** Lets time pass as a process does that looks once a second. */
  const pass = (ms: number) => {
    for (const end = now + ms; now < end;) {
      now += 1_000;
      one.heartbeat();
    }
  };

  it('begins when the database has answered for the time of grace', () => {
    pass(3_000);
    expect(one.isStable).to.equal(false);
    pass(1_000);
    expect(one.isStable).to.equal(true);
  });

  it('starts again when the database fails', () => {
    pass(10_000);
    one.failed();
    expect(one.isStable).to.equal(false);
    pass(4_000);
    expect(one.isStable).to.equal(true);
  });

  it('starts again when the process was stalled', () => {
    pass(10_000);
    now += 60_000;
    expect(one.isStable).to.equal(false);
    pass(4_000);
    expect(one.isStable).to.equal(true);
  });
});
