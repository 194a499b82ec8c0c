import { EventEmitter } from 'node:events';
import type { TLSSocket } from 'node:tls';
import { expect } from 'chai';
import { ConnectionRace } from '../../../src/outbound/ssrf-guard.js';
import type { ResolvedAddress } from '../../../src/outbound/resolve.js';
import { eventually } from '../../support/eventually.js';

/** A socket that connects and fails when the test says so. */
class FakeSocket extends EventEmitter {
  destroyed = false;

  constructor(readonly address: string) {
    super();
  }

  destroy(): this {
    this.destroyed = true;
    return this;
  }
}

function resolved(...addresses: readonly string[]): ResolvedAddress[] {
  return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
}

describe('a race of connections', () => {
  let attempts: FakeSocket[];
  let ends: (TLSSocket | Error)[];
  let race: ConnectionRace;

  beforeEach(() => {
    attempts = [];
    ends = [];
    race = new ConnectionRace(
      (address) => {
        const attempt = new FakeSocket(address);
        attempts.push(attempt);
        return attempt as unknown as TLSSocket;
      },
      (end) => ends.push(end),
    );
  });

  afterEach(() => race.cancel());

  const attempted = () => attempts.map(({ address }) => address);
  const began = (count: number) =>
    eventually(() => expect(attempts).to.have.length(count), `${count} attempts began`);

  it('H257: lets the first attempt win after the second failed beside it', async () => {
    race.add(resolved('192.0.2.1', '2001:db8::1'), true);
    await began(2);
    attempts[1]?.emit('error', new Error('refused'));
    expect(ends).to.deep.equal([]);
    attempts[0]?.emit('connect');
    expect(ends).to.deep.equal([attempts[0]]);
    expect(attempts[0]?.destroyed).to.equal(false);
  });

  it('H257: ends the other attempts when one connects', async () => {
    race.add(resolved('192.0.2.1', '192.0.2.2', '192.0.2.3'), true);
    await began(2);
    attempts[1]?.emit('connect');
    attempts[0]?.emit('connect');
    expect(ends).to.deep.equal([attempts[1]]);
    expect(attempts.map(({ destroyed }) => destroyed)).to.deep.equal([true, false]);
  });

  it('H257: tries the next address at once when an attempt fails, families in turn', () => {
    race.add(resolved('192.0.2.1', '192.0.2.2', '2001:db8::1', '2001:db8::2'), true);
    for (let n = 0; n < 4; n += 1) attempts[n]?.emit('error', new Error(`error ${n}`));
    expect(attempted()).to.deep.equal(['192.0.2.1', '2001:db8::1', '192.0.2.2', '2001:db8::2']);
    expect(ends).to.have.length(1);
    expect(ends[0]).to.have.property('message', 'error 0');
  });

  it('H257: has four attempts at most, and gives the oldest up for a fifth', async () => {
    race.add(resolved(...[1, 2, 3, 4, 5].map((n) => `192.0.2.${n}`)), true);
    await began(4);
    expect(attempts.map(({ destroyed }) => destroyed)).to.not.include(true);
    await began(5);
    expect(attempts.map(({ destroyed }) => destroyed)).to.deep.equal([
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  it('does not fail while more addresses may follow', () => {
    race.add(resolved('192.0.2.1'), false);
    attempts[0]?.emit('error', new Error('refused'));
    expect(ends).to.deep.equal([]);
    race.add(resolved('2001:db8::1'), true);
    attempts[1]?.emit('connect');
    expect(ends).to.deep.equal([attempts[1]]);
  });

  it('says that a name has no address, and nothing after it was cancelled', () => {
    race.add([], true);
    expect(ends[0]).to.include({ code: 'ERR_NAME_UNRESOLVED' });
    race.fail(new Error('late'));
    race.add(resolved('192.0.2.1'), true);
    expect(ends).to.have.length(1);
    expect(attempts).to.deep.equal([]);
  });

  it('ends all attempts when it is cancelled', async () => {
    race.add(resolved('192.0.2.1', '192.0.2.2'), true);
    await began(2);
    race.cancel();
    expect(attempts.map(({ destroyed }) => destroyed)).to.deep.equal([true, true]);
    attempts[0]?.emit('connect');
    expect(ends).to.deep.equal([]);
  });
});
