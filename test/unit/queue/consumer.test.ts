import { expect } from 'chai';
import { pollPauseMs, SignalledPolls } from '../../../src/queue/consumer.js';
import { eventually } from '../../support/eventually.js';

describe('signalled polls', () => {
  let polls: ((found: boolean) => void)[];
  let signalled: SignalledPolls;

  beforeEach(() => {
    polls = [];
    signalled = new SignalledPolls(() => new Promise((resolve) => polls.push(resolve)));
  });

  it('runs one poll at a time, and one more for all signals during a poll', async () => {
    for (let sent = 0; sent < 100; sent += 1) signalled.signal();
    await eventually(() => expect(polls).to.have.length(1), 'the first poll');
    signalled.signal();
    polls[0]?.(true);
    await eventually(() => expect(polls).to.have.length(2), 'the second poll');
    polls[1]?.(true);
    await signalled.close();
    expect(polls).to.have.length(2);
  });

  it('begins polls at least 4 ms apart, however fast signals come', async () => {
    const began: number[] = [];
    const busy: SignalledPolls = new SignalledPolls(() => {
      busy.signal();
      return Promise.resolve(began.push(performance.now()) > 0);
    });
    busy.signal();
    await eventually(() => expect(began.length).to.be.at.least(10), 'ten polls');
    await busy.close();
    const apart = began.slice(1).map((at, place) => at - (began[place] ?? 0));
    // Timers round down, and may be a millisecond early.
    expect(Math.min(...apart)).to.be.at.least(2);
  });

  it('pauses only after two polls in a row found nothing, for at most 80 ms', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 7, 1_000].map(pollPauseMs)).to.deep.equal([
      0, 0, 5, 10, 20, 40, 80, 80, 80,
    ]);
  });

  it('finds the rows of a signal that came during a pause', async () => {
    for (let empty = 0; empty < 3; empty += 1) {
      signalled.signal();
      await eventually(() => expect(polls).to.have.length(empty + 1), 'a poll');
      polls[empty]?.(false);
    }
    signalled.signal();
    await eventually(() => expect(polls).to.have.length(4), 'the poll after the pause');
    polls[3]?.(true);
    await signalled.close();
  });

  it('close ends the pause, waits for the poll and ignores later signals', async () => {
    signalled.signal();
    await eventually(() => expect(polls).to.have.length(1), 'the poll');
    const closed = signalled.close();
    signalled.signal();
    polls[0]?.(true);
    await closed;
    expect(polls).to.have.length(1);
  });
});
