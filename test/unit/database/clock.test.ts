import { expect } from 'chai';
import { DatabaseClock } from '../../../src/database/clock.js';
import { Random } from '../../../tools/seed/random.js';

describe('DatabaseClock', () => {
  /** A process and a PostgreSQL whose clocks differ; a round trip takes `outMs`, then `backMs`. */
  function made({ outMs = 2, backMs = 2 } = {}) {
    const state = { monotonic: 5_000, wall: 77_000, server: 1_800_000_000_000, asked: 0 };
    const pass = (ms: number) => {
      state.monotonic += ms;
      state.wall += ms;
      // It drifts by 50 ppm.
      state.server += ms * (1 + 5e-5);
    };

    const ask = (out = outMs, back = backMs) => {
      pass(out);
      const clockMs = state.server;
      pass(back);
      return Promise.resolve({ clockMs });
    };

    const sql = async <Row>() => {
      state.asked += 1;
      return [await ask()] as Row[];
    };

    const clock = new DatabaseClock(
      { sql },
      { monotonic: () => state.monotonic, wall: () => state.wall },
    );
    return { state, pass, ask, clock };
  }

  it('asks PostgreSQL once, and again when no answer is younger than a minute', async () => {
    const { state, pass, ask, clock } = made();
    await Promise.all([clock.now(), clock.now()]);
    pass(59_000);
    await clock.now();
    expect(state.asked).to.equal(1);
    await clock.corrected(() => ask());
    pass(59_000);
    await clock.now();
    expect(state.asked).to.equal(1);
    pass(2_000);
    await clock.now();
    expect(state.asked).to.equal(2);
  });

  it('asks again after the machine was suspended, while its monotonic clock stood still', async () => {
    const { state, clock } = made();
    await clock.now();
    state.wall += 3_600_000;
    state.server += 3_600_000;
    expect((await clock.now()).getTime()).to.be.closeTo(state.server, 3);
  });

  it('is wrong by at most half the last round trip, and never goes back', async () => {
    const random = new Random(4711);
    const { state, pass, ask, clock } = made();
    let last = 0;
    for (let turn = 0; turn < 5_000; turn += 1) {
      const out = random.integer(0, 40);
      const back = random.integer(0, 40);
      await clock.corrected(() => ask(out, back));
      pass(random.integer(0, 100));

      const now = (await clock.now()).getTime();
      expect(now, `turn ${turn}`).to.be.at.least(last);

      // A reading is cut to whole milliseconds; one that was held may be as far ahead as before.
      expect(now, `turn ${turn}`).to.be.within(
        state.server - (out + back) / 2 - 1,
        state.server + 40,
      );

      last = now;
    }
  });

  it('stays as exact as its fastest answer when others are slow', async () => {
    const { state, pass, ask, clock } = made();
    for (const [out, back] of [
      [1, 1],
      [5_000, 1],
      [1, 5_000],
      [40, 1],
    ] as const) {
      await clock.corrected(() => ask(out, back));
      pass(10);
      expect((await clock.now()).getTime()).to.be.closeTo(state.server, 3);
    }
  });

  it('follows PostgreSQL when its clock went back by more than a second, as after a failover', async () => {
    const { state, ask, clock } = made();
    const before = (await clock.now()).getTime();
    state.server -= 500;
    await clock.corrected(() => ask());
    expect((await clock.now()).getTime()).to.equal(before);
    state.server -= 3_600_000;
    await clock.corrected(() => ask());
    expect((await clock.now()).getTime()).to.be.closeTo(state.server, 3);
  });
});
