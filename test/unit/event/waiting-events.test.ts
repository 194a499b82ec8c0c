import { expect } from 'chai';
import { WaitingEvents } from '../../../src/domain/event/waiting-events.js';

describe('WaitingEvents', () => {
  const limits = { events: 250, bytes: 1_000, fits: () => true };
  const waitingOf = (texts: string, bytes = 1) => {
    const waiting = new WaitingEvents<{ accountId: string; bytes: number; text: string }>();
    for (const text of texts.split(' ')) waiting.add({ accountId: text[0] ?? '', bytes, text });
    return waiting;
  };
  const textOf = (group: readonly { text: string }[]) => group.map(({ text }) => text).join(' ');

  it('gives accounts turns, and keeps the order within each', () => {
    const waiting = waitingOf('a1 a2 a3 b1 c1 c2');
    const group = waiting.take(limits, () => true);
    expect(textOf(group)).to.equal('a1 b1 c1 a2 c2 a3');
    expect(waiting.take(limits, () => true)).to.deep.equal([]);
  });

  it('goes on with the account whose turn is next', () => {
    const waiting = waitingOf('a1 a2 a3 a4 b1 b2 c1');
    const four = () => textOf(waiting.take({ ...limits, events: 4 }, () => true));
    expect(four()).to.equal('a1 b1 c1 a2');
    waiting.add({ accountId: 'd', bytes: 1, text: 'd1' });
    expect(four()).to.equal('b2 a3 d1 a4');
  });

  it('ends a group before the event that would exceed its bytes, which begins the next one', () => {
    const waiting = waitingOf('a1 b1 a2', 600);
    const next = () => textOf(waiting.take(limits, () => true));
    expect([next(), next(), next(), next()]).to.deep.equal(['a1', 'b1', 'a2', '']);
  });

  it('takes an event that is larger than a group, alone', () => {
    expect(textOf(waitingOf('a1 a2', 5_000).take(limits, () => true))).to.equal('a1');
  });

  it('ends a group before an event that does not fit, which begins the next one', () => {
    const waiting = waitingOf('a1 b1 c1 a2');
    const fits = ({ text }: { text: string }) => text < 'b';
    const next = () => textOf(waiting.take({ ...limits, fits }, () => true));
    expect([next(), next(), next()]).to.deep.equal(['a1', 'b1', 'c1 a2']);
  });

  it('drops what is not admitted, and fills the group with others', () => {
    const waiting = waitingOf('a1 a2 a3 b1');
    const admit = ({ text }: { text: string }) => text !== 'a1';
    expect(textOf(waiting.take({ ...limits, events: 2 }, admit))).to.equal('b1 a2');
    expect(textOf(waiting.take(limits, admit))).to.equal('a3');
  });
});
