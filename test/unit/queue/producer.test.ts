import { expect } from 'chai';
import { Coalescer } from '../../../src/queue/producer.js';
import { eventually } from '../../support/eventually.js';

describe('coalescer', () => {
  const start = 1_800_000_000_000;
  const base = start / 1_000;
  let signals = 0;
  let scheduled: (readonly number[])[];
  let failures: unknown[];

  beforeEach(() => {
    signals = 0;
    scheduled = [];
    failures = [];
  });

  const atOnce = () => Promise.resolve();

  function coalescer({ signal = atOnce, schedule = atOnce } = {}): Coalescer {
    return new Coalescer({
      signal() {
        signals += 1;
        return signal();
      },
      schedule(seconds) {
        scheduled.push(seconds);
        return schedule();
      },
      onFailure: (error) => void failures.push(error),
      clock: () => start,
    });
  }

  const inSeconds = (seconds: number) => ({
    kind: 'due' as const,
    at: new Date(start + seconds * 1_000),
  });

  it('sends one signal for many wake-ups, and keeps one for the next second', async () => {
    const one = coalescer();
    for (let index = 0; index < 1_000; index += 1) one.add({ kind: 'due' });
    await eventually(() => expect(scheduled).to.not.be.empty, 'it sends');
    expect([signals, scheduled]).to.deep.equal([1, [[base + 1]]]);
    await one.close();
    expect([signals, scheduled]).to.deep.equal([1, [[base + 1]]]);
  });

  it('schedules only the next second for what the commit itself signalled', async () => {
    const one = coalescer();
    for (let index = 0; index < 10; index += 1) one.add({ kind: 'due', signalled: true });
    await one.close();
    expect([signals, scheduled]).to.deep.equal([0, [[base + 1]]]);
  });

  it('schedules the next second once, however many signals it sends now', async () => {
    const one = coalescer();
    one.add({ kind: 'due' });
    await eventually(() => expect(signals).to.equal(1), 'it sends');
    one.add({ kind: 'due' });
    await one.close();
    expect([signals, scheduled]).to.deep.equal([2, [[base + 1]]]);
  });

  it('sends once for each future second, rounded up, and immediately for past ones', async () => {
    const one = coalescer();
    for (const seconds of [1.2, 1.9, 2, 3.1, -5]) one.add(inSeconds(seconds));
    await one.close();
    expect([signals, scheduled]).to.deep.equal([1, [[base + 2, base + 4, base + 1]]]);
  });

  it('does not send twice for the same second', async () => {
    const one = coalescer();
    one.add(inSeconds(10));
    await eventually(() => expect(scheduled).to.have.length(1), 'it sends');
    one.add(inSeconds(10));
    one.add(inSeconds(11));
    await one.close();
    expect(scheduled).to.deep.equal([[base + 10], [base + 11]]);
  });

  it('leaves what is more than an hour ahead to the poller', async () => {
    const one = coalescer();
    one.add(inSeconds(3_700));
    await one.close();
    expect([signals, scheduled]).to.deep.equal([0, []]);
  });

  it('sends one signal at a time and collects the next meanwhile', async () => {
    let answer: () => void = () => undefined;
    const one = coalescer({ signal: () => new Promise((resolve) => (answer = resolve)) });
    one.add({ kind: 'due' });
    await eventually(() => expect(signals).to.equal(1), 'it sends');
    for (let index = 0; index < 100; index += 1) one.add({ kind: 'due' });
    await eventually(() => expect(scheduled).to.have.length(1), 'the next second is kept');
    expect(signals).to.equal(1);
    answer();
    await eventually(() => expect(signals).to.equal(2), 'it sends again');
    answer();
    await one.close();
    expect(signals).to.equal(2);
  });

  it('signals even while the queue is not responding', async () => {
    let answer: () => void = () => undefined;
    const one = coalescer({ schedule: () => new Promise((resolve) => (answer = resolve)) });
    one.add({ kind: 'due' });
    await eventually(() => expect(scheduled).to.have.length(1), 'it keeps one');
    one.add({ kind: 'due' });
    await eventually(() => expect(signals).to.equal(2), 'it signals again');
    answer();
    await one.close();
  });

  it('reports a failed send, drops its wake-ups, and sends the next', async () => {
    let fails = true;
    const schedule = () => (fails ? Promise.reject(new Error('away')) : Promise.resolve());
    const one = coalescer({ schedule });
    one.add(inSeconds(10));
    await eventually(() => expect(failures).to.have.length(1), 'the failure is reported');
    fails = false;
    one.add(inSeconds(10));
    await one.close();
    expect(scheduled).to.deep.equal([[base + 10], [base + 10]]);
    expect(failures).to.have.length(1);
  });
});
