import { expect } from 'chai';
import { Coalescer } from '../../../src/queue/coalesce.js';
import { eventually } from '../../support/eventually.js';

interface Ring {
  readonly now: boolean;
  readonly seconds: readonly number[];
}

describe('coalescer', () => {
  const start = 1_800_000_000_000;
  const base = start / 1_000;
  let sends: Ring[];
  let failures: unknown[];

  beforeEach(() => {
    sends = [];
    failures = [];
  });

  function coalescer(send: () => Promise<void> = () => Promise.resolve()): Coalescer {
    return new Coalescer({
      sender: {
        send(now, seconds) {
          sends.push({ now, seconds });
          return send();
        },
      },
      onFailure: (error) => void failures.push(error),
      clock: () => start,
    });
  }

  const inSeconds = (seconds: number) => ({
    kind: 'due' as const,
    at: new Date(start + seconds * 1_000),
  });

  it('sends one signal for many wake-ups', async () => {
    const one = coalescer();
    for (let index = 0; index < 1_000; index += 1) one.add({ kind: 'due' });
    await eventually(() => expect(sends).to.not.be.empty, 'it sends');
    expect(sends).to.deep.equal([{ now: true, seconds: [base + 1] }]);
  });

  it('only keeps what a commit has signalled', async () => {
    const one = coalescer();
    for (let index = 0; index < 10; index += 1) one.add({ kind: 'due', signalled: true });
    await one.close();
    expect(sends).to.deep.equal([{ now: false, seconds: [base + 1] }]);
  });

  it('keeps one for the next second, once, beside those for now', async () => {
    const one = coalescer();
    one.add({ kind: 'due' });
    await eventually(() => expect(sends).to.have.length(1), 'it sends');
    one.add({ kind: 'due' });
    await one.close();
    expect(sends.map(({ now, seconds }) => [now, seconds])).to.deep.equal([
      [true, [base + 1]],
      [true, []],
    ]);
  });

  it('sends once for each future second, rounded up, and immediately for past ones', async () => {
    const one = coalescer();
    for (const seconds of [1.2, 1.9, 2, 3.1, -5]) one.add(inSeconds(seconds));
    await one.close();
    expect(sends).to.deep.equal([{ now: true, seconds: [base + 2, base + 4, base + 1] }]);
  });

  it('does not send twice for the same second', async () => {
    const one = coalescer();
    one.add(inSeconds(10));
    await eventually(() => expect(sends).to.have.length(1), 'it sends');
    one.add(inSeconds(10));
    one.add(inSeconds(11));
    await one.close();
    expect(sends.map(({ seconds }) => seconds.length)).to.deep.equal([1, 1]);
  });

  it('leaves what is more than an hour ahead to the poller', async () => {
    const one = coalescer();
    one.add(inSeconds(3_700));
    await one.close();
    expect(sends).to.deep.equal([]);
  });

  it('sends one batch at a time and collects the next meanwhile', async () => {
    let answer: () => void = () => undefined;
    const one = coalescer(() => new Promise((resolve) => (answer = resolve)));
    one.add({ kind: 'due' });
    await eventually(() => expect(sends).to.have.length(1), 'it sends');
    for (let index = 0; index < 100; index += 1) one.add({ kind: 'due' });
    expect(sends).to.have.length(1);
    answer();
    await eventually(() => expect(sends).to.have.length(2), 'it sends again');
    answer();
    await one.close();
    expect(sends).to.have.length(2);
  });

  it('reports a failed send, drops its wake-ups, and sends the next', async () => {
    let fails = true;
    const one = coalescer(() => (fails ? Promise.reject(new Error('away')) : Promise.resolve()));
    one.add(inSeconds(10));
    await eventually(() => expect(failures).to.have.length(1), 'the failure is reported');
    fails = false;
    one.add(inSeconds(10));
    await one.close();
    expect(sends).to.have.length(2);
    expect(failures).to.have.length(1);
  });
});
