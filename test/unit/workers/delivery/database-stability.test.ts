import { expect } from 'chai';
import { DatabaseStability } from '../../../../workers/delivery/lease-times.js';

describe('the leases that a poll may end', () => {
  let now: number;
  let one: DatabaseStability;

  beforeEach(() => {
    now = 0;
    const clock = { now: () => now, after: () => () => undefined };
    one = new DatabaseStability({ graceMs: 4_000, stallMs: 2_000, clock });
  });

  /** Lets time pass in a process that polls once a second. PostgreSQL's clock is that of the process. */
  const pass = (ms: number) => {
    for (const end = now + ms; now < end;) {
      now += 1_000;
      one.heartbeat();
      one.answered(now);
      one.ended(now);
    }
  };

  it('are none until the database has answered for the time of grace', () => {
    pass(4_000);
    expect(one.endedBy).to.equal(-Infinity);
    pass(1_000);
    expect(one.endedBy).to.equal(5_000);
  });

  it('are none until the database answers, however long the process has run', () => {
    for (; now < 10_000; now += 1_000) one.heartbeat();
    expect(one.endedBy).to.equal(-Infinity);
    pass(4_000);
    expect(one.endedBy).to.equal(-Infinity);
    pass(1_000);
    expect(one.endedBy).to.equal(15_000);
  });

  it('are none for a while when the database fails', () => {
    pass(10_000);
    one.failed();
    expect(one.endedBy).to.equal(-Infinity);
    pass(4_000);
    expect(one.endedBy).to.equal(-Infinity);
    pass(1_000);
    expect(one.endedBy).to.equal(15_000);
  });

  it('are none for a while when the process was stalled', () => {
    pass(10_000);
    now += 60_000;
    expect(one.endedBy).to.equal(-Infinity);
    pass(5_000);
    expect(one.endedBy).to.equal(75_000);
  });

  it('are those that had ended when the database last answered', () => {
    pass(10_000);
    now += 1_500;
    expect(one.endedBy).to.equal(10_000);
  });

  it('are none for a while when the database paused and then answered', () => {
    pass(10_000);
    const sentAt = now;
    // The process goes on meanwhile.
    for (let second = 0; second < 3; second += 1) {
      now += 1_000;
      one.heartbeat();
    }
    one.answered(now);
    one.ended(sentAt);
    expect(one.endedBy).to.equal(-Infinity);
    pass(5_000);
    expect(one.endedBy).to.equal(18_000);
  });
});
