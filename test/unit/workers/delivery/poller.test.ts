import { expect } from 'chai';
import type { Promoted } from '../../../../src/domain/delivery/sql/promote.js';
import { Poller } from '../../../../workers/delivery/poller.js';
import { eventually } from '../../../support/eventually.js';

const nothing: Promoted = {
  ...{ live: 0, replays: 0, isolated: 0, interrupted: 0 },
  ...{ deadLettered: [], full: false },
};

/** A dispatcher that finds something each time it looks. */
class FakeDispatcher {
  polls = 0;
  readonly free = 1_000;
  readonly #onPoll: () => void;

  constructor(onPoll: () => void) {
    this.#onPoll = onPoll;
  }

  poll(): Promise<number> {
    this.polls += 1;
    this.#onPoll();
    return Promise.resolve(1);
  }
}

describe('the poller', () => {
  let done: string[];
  let waits: number[];
  let promotes: () => Promoted;
  let ambiguous: number;
  let refuses: boolean;

  beforeEach(() => {
    done = [];
    waits = [];
    ambiguous = 0;
    refuses = false;
  });

  /** Polls without waiting, until `until` holds. */
  const polling = async (until: () => void) => {
    const poller = new Poller({
      releaseAmbiguous: () => {
        if (ambiguous > 0) done.push('release');
        return refuses ? Promise.reject(new Error('no')) : Promise.resolve(ambiguous);
      },
      promote: () => {
        done.push('promote');
        return Promise.resolve(promotes());
      },
      deleteLeases: () => Promise.resolve(),
      cancel: () => {
        done.push('cancel');
        return Promise.resolve(0);
      },
      live: new FakeDispatcher(() => done.push('poll')),
      replay: undefined,
      isolation: { poll: () => void done.push('isolation') },
      wake: () => undefined,
      onFind: (find, count) => void done.push(`${find} ${count}`),
      onDeadLettered: () => undefined,
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
    await poller.stop();
  };
  const count = (what: string) => done.filter((each) => each === what).length;

  it('has everybody look while it makes a long backlog ready, and goes on at once', async () => {
    promotes = () =>
      count('promote') <= 50 ? { ...nothing, live: 1_000, full: true } : { ...nothing };
    await polling(() => expect(count('promote')).to.be.greaterThan(50));
    const before = done.slice(0, done.indexOf('cancel'));
    expect(before.filter((each) => each === 'promote')).to.have.length(10);
    expect(before.indexOf('poll'), 'after the first thousand').to.equal(1);
    expect(before).to.include('isolation');
    expect(waits.slice(0, 3)).to.deep.equal([1_000, 0, 0]);
  });

  it('gives back ambiguous claims before leases are ended, and counts them', async () => {
    promotes = () => ({ ...nothing });
    ambiguous = 2;
    await polling(() => expect(count('promote')).to.be.greaterThan(0));
    expect(done.slice(0, 3)).to.deep.equal(['release', 'ambiguous 2', 'promote']);
  });

  it('ends no leases in a round that could not, but does in the next one all the same', async () => {
    promotes = () => ({ ...nothing });
    refuses = true;
    await polling(() => expect(count('promote')).to.be.greaterThan(1));
    const rounds = done.filter((each) => each === 'promote' || each.startsWith('Error'));
    const [first, second] = [['Error: no'], ['Error: no', 'promote']];
    expect(rounds.slice(0, 6)).to.deep.equal([...first, ...second, ...first, ...second]);
  });

  it('does not call missed what it has made ready itself', async () => {
    promotes = () => ({ ...nothing, live: count('promote') < 4 ? 1 : 0 });
    await polling(() => expect(count('promote')).to.be.greaterThan(4));
    const before = done.slice(0, done.indexOf('missed 1'));
    expect(before.filter((each) => each === 'promote')).to.have.length(4);
  });
});
