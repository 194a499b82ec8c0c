import { expect } from 'chai';
import type { Promoted } from '../../../../src/domain/delivery/promote.js';
import type { Waiting } from '../../../../src/domain/service/poll.js';
import { Poller } from '../../../../workers/delivery/poller.js';
import { eventually } from '../../../support/eventually.js';

const nothing: Promoted = {
  live: 0,
  replays: 0,
  isolated: 0,
  interrupted: 0,
  deadLettered: [],
  full: false,
  nowMs: 0,
};

const none: Waiting = {
  live: false,
  replay: false,
  recovery: false,
  isolated: false,
  cancellations: false,
  notices: false,
  checkouts: false,
  recoveries: false,
  subjects: false,
};

/** A lane that claims one delivery with each poll. */
class FakeLane {
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
  let unconfirmed: number;
  let waiting: Waiting;
  let unreadable: boolean;

  /** What it reported as waiting. */
  let others: Set<string>;
  let refuses: boolean;

  beforeEach(() => {
    done = [];
    waits = [];
    unconfirmed = 0;
    waiting = { ...none, live: true, isolated: true, cancellations: true };
    others = new Set();
    unreadable = false;
    refuses = false;
  });

  /** Polls without waiting, until `until` holds. */
  const polling = async (until: () => void) => {
    const poller = new Poller({
      claimManager: {
        releaseUnconfirmed: () => {
          if (unconfirmed > 0) done.push('release');
          return refuses ? Promise.reject(new Error('no')) : Promise.resolve(unconfirmed);
        },
        promote: () => {
          done.push('promote');
          return Promise.resolve(promotes());
        },
        poll: () => {
          if (unreadable) return Promise.reject(new Error('locked'));
          done.push('promote');
          return Promise.resolve({ ...promotes(), waiting });
        },
        deleteLeases: () => Promise.resolve(),
      },
      cancel: (backlog) => {
        done.push(backlog ? 'cancel' : 'cancel stale');
        return Promise.resolve(0);
      },
      advanceSubjects: () => {
        done.push('advance');
        return Promise.resolve(1);
      },
      onWaiting: (found) => {
        for (const [name, waits] of Object.entries(found)) if (waits) others.add(name);
      },
      live: new FakeLane(() => done.push('poll')),
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

  const count = (what: string) => done.filter((step) => step === what).length;

  it('polls the lanes after the first thousand of a long backlog, and continues immediately', async () => {
    promotes = () =>
      count('promote') <= 50 ? { ...nothing, live: 1_000, full: true } : { ...nothing };
    await polling(() => expect(count('promote')).to.be.greaterThan(50));
    const before = done.slice(0, done.indexOf('cancel'));
    expect(before.filter((step) => step === 'promote')).to.have.length(10);
    expect(before.indexOf('poll'), 'after the first thousand').to.equal(1);
    expect(before).to.include('isolation');
    expect(waits.slice(0, 3)).to.deep.equal([1_000, 0, 0]);
  });

  it('releases unconfirmed claims before it ends leases, and counts them', async () => {
    promotes = () => ({ ...nothing });
    unconfirmed = 2;
    await polling(() => expect(count('promote')).to.be.greaterThan(0));
    expect(done.slice(0, 3)).to.deep.equal(['release', 'ambiguous 2', 'promote']);
  });

  it('ends no leases in a round that could not release unconfirmed claims, but does so in the next', async () => {
    promotes = () => ({ ...nothing });
    refuses = true;
    await polling(() => expect(count('promote')).to.be.greaterThan(1));
    const rounds = done.filter((step) => step === 'promote' || step.startsWith('Error'));
    const first = ['Error: no'];
    const second = ['Error: no', 'promote'];
    expect(rounds.slice(0, 6)).to.deep.equal([...first, ...second, ...first, ...second]);
  });

  it('runs one statement and polls no lane while nothing waits', async () => {
    promotes = () => ({ ...nothing });
    waiting = none;
    await polling(() => expect(count('promote')).to.be.greaterThan(2));
    expect(new Set(done)).to.deep.equal(new Set(['promote', 'cancel stale']));
    expect(others.size).to.equal(0);
  });

  it('polls a lane for deliveries that it has just made ready itself', async () => {
    promotes = () => ({ ...nothing, live: 1, isolated: 1 });
    waiting = none;
    await polling(() => expect(count('isolation')).to.be.greaterThan(0));
    expect(count('poll')).to.be.greaterThan(0);
  });

  it('promotes and polls everything when one table cannot be read', async () => {
    promotes = () => ({ ...nothing });
    waiting = none;
    unreadable = true;
    await polling(() => expect(count('cancel')).to.be.greaterThan(0));
    expect(done).to.include.members(['Error: locked', 'promote', 'poll', 'isolation']);
    expect(others).to.include('notices');
  });

  it('reports what else waits, and everything when it could not read it', async () => {
    promotes = () => ({ ...nothing });
    waiting = { ...none, notices: true };
    await polling(() => expect(count('promote')).to.be.greaterThan(0));
    expect([...others]).to.deep.equal(['notices']);
    refuses = true;
    await polling(() => expect(others.size).to.equal(9));
    expect(others).to.include('checkouts');
  });

  it('H287: advances subjects only while deliveries wait for their turn, and then polls', async () => {
    promotes = () => ({ ...nothing });
    waiting = none;
    await polling(() => expect(count('promote')).to.be.greaterThan(2));
    expect(done).not.to.include('advance');

    done = [];
    waiting = { ...none, subjects: true };
    await polling(() => expect(count('advance')).to.be.greaterThan(1));
    expect(done[done.indexOf('advance') + 1]).to.equal('poll');
  });

  it('does not count deliveries as missed that it has made ready itself', async () => {
    promotes = () => ({ ...nothing, live: count('promote') < 4 ? 1 : 0 });
    await polling(() => expect(count('promote')).to.be.greaterThan(4));
    const before = done.slice(0, done.indexOf('missed 1'));
    expect(before.filter((step) => step === 'promote')).to.have.length(4);
  });
});
