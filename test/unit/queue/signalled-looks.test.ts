import { expect } from 'chai';
import { lookPauseMs, SignalledLooks } from '../../../src/queue/signalled-looks.js';
import { eventually } from '../../support/eventually.js';

describe('looks at signals', () => {
  let looks: ((found: boolean) => void)[];
  let signalled: SignalledLooks;

  beforeEach(() => {
    looks = [];
    signalled = new SignalledLooks(() => new Promise((resolve) => looks.push(resolve)));
  });

  it('are one at a time, and one more for all signals during a look', async () => {
    for (let sent = 0; sent < 100; sent += 1) signalled.signal();
    await eventually(() => expect(looks).to.have.length(1), 'the first look');
    signalled.signal();
    looks[0]?.(true);
    await eventually(() => expect(looks).to.have.length(2), 'the second look');
    looks[1]?.(true);
    await signalled.close();
    expect(looks).to.have.length(2);
  });

  it('wait only after two in a row found nothing, at most 80 ms', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 7, 1_000].map(lookPauseMs)).to.deep.equal([
      0, 0, 5, 10, 20, 40, 80, 80, 80,
    ]);
  });

  it('find the rows of a signal that came during a pause', async () => {
    for (let empty = 0; empty < 3; empty += 1) {
      signalled.signal();
      await eventually(() => expect(looks).to.have.length(empty + 1), 'a look');
      looks[empty]?.(false);
    }
    signalled.signal();
    await eventually(() => expect(looks).to.have.length(4), 'the look after the pause');
    looks[3]?.(true);
    await signalled.close();
  });

  it('end with the process: a close ends the pause, waits for the look, and hears no more', async () => {
    signalled.signal();
    await eventually(() => expect(looks).to.have.length(1), 'the look');
    const closed = signalled.close();
    signalled.signal();
    looks[0]?.(true);
    await closed;
    expect(looks).to.have.length(1);
  });
});
