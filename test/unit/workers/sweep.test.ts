import { expect } from 'chai';
import type { Promoted } from '../../../src/domain/delivery/promote.js';
import { Sweep } from '../../../workers/sweep.js';
import { eventually } from '../../support/eventually.js';

const nothing: Promoted = {
  ...{ live: 0, replays: 0, alone: 0, interrupted: 0 },
  ...{ parked: [], full: false },
};

/** A dispatcher that finds something each time it looks. */
class Finds {
  looks = 0;
  readonly free = 1_000;
  readonly #onLook: () => void;

  constructor(onLook: () => void) {
    this.#onLook = onLook;
  }

  look(): Promise<number> {
    this.looks += 1;
    this.#onLook();
    return Promise.resolve(1);
  }
}

describe('the sweep', () => {
  let done: string[];
  let waits: number[];
  let promotes: () => Promoted;
  let unheard: number;
  let refuses: boolean;

  beforeEach(() => {
    done = [];
    waits = [];
    unheard = 0;
    refuses = false;
  });

  /** Sweeps without waiting, until `until` holds. */
  const sweeping = async (until: () => void) => {
    const sweep = new Sweep({
      releaseUnheard: () => {
        if (unheard > 0) done.push('release');
        return refuses ? Promise.reject(new Error('no')) : Promise.resolve(unheard);
      },
      promote: () => {
        done.push('promote');
        return Promise.resolve(promotes());
      },
      forgetLeases: () => Promise.resolve(),
      cancel: () => {
        done.push('cancel');
        return Promise.resolve({ cancelled: 0, next: '' });
      },
      payCancellations: () => {
        done.push('pay');
        return Promise.resolve(0);
      },
      live: new Finds(() => done.push('look')),
      replay: undefined,
      solitude: { look: () => void done.push('solitude') },
      wake: () => undefined,
      onFind: (find, count) => void done.push(`${find} ${count}`),
      onParked: () => undefined,
      onError: (error) => void done.push(String(error)),
      clock: {
        now: () => performance.now(),
        after: (ms, work) => {
          waits.push(ms);
          const turn = setImmediate(work);
          return () => clearImmediate(turn);
        },
      },
      random: () => 0.5,
    });
    await eventually(until, 'it has come so far');
    await sweep.stop();
  };
  const count = (what: string) => done.filter((each) => each === what).length;

  it('has everybody look while it makes a long backlog ready, and goes on at once', async () => {
    promotes = () =>
      count('promote') <= 50 ? { ...nothing, live: 1_000, full: true } : { ...nothing };
    await sweeping(() => expect(count('promote')).to.be.greaterThan(50));
    const before = done.slice(0, done.indexOf('pay'));
    expect(before.filter((each) => each === 'promote')).to.have.length(10);
    expect(before.indexOf('look'), 'after the first thousand').to.equal(1);
    expect(before).to.include('solitude');
    expect(waits.slice(0, 3)).to.deep.equal([1_000, 0, 0]);
  });

  it('gives back what nobody heard of before leases are ended, and counts it', async () => {
    promotes = () => ({ ...nothing });
    unheard = 2;
    await sweeping(() => expect(count('promote')).to.be.greaterThan(0));
    expect(done.slice(0, 3)).to.deep.equal(['release', 'unheard 2', 'promote']);
  });

  it('ends no leases in a round that could not, but does in the next one all the same', async () => {
    promotes = () => ({ ...nothing });
    refuses = true;
    await sweeping(() => expect(count('promote')).to.be.greaterThan(1));
    const rounds = done.filter((each) => each === 'promote' || each.startsWith('Error'));
    const [first, second] = [['Error: no'], ['Error: no', 'promote']];
    expect(rounds.slice(0, 6)).to.deep.equal([...first, ...second, ...first, ...second]);
  });

  it('does not call missed what it has made ready itself', async () => {
    promotes = () => ({ ...nothing, live: count('promote') < 4 ? 1 : 0 });
    await sweeping(() => expect(count('promote')).to.be.greaterThan(4));
    const before = done.slice(0, done.indexOf('missed 1'));
    expect(before.filter((each) => each === 'promote')).to.have.length(4);
  });
});
