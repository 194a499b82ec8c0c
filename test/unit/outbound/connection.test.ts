import { EventEmitter, once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { expect } from 'chai';
import { Connection, type ResponseHandler } from '../../../src/outbound/connection.js';
import {
  type Connect,
  connectionReset,
  ConnectionRace,
  type Certificate,
  isValid,
  TlsSessionCache,
  validityOf,
} from '../../../src/outbound/ssrf-guard.js';
import type { ResolvedAddress } from '../../../src/outbound/resolve.js';
import { eventually } from '../../support/eventually.js';

/** What a connection does with its socket. */
class RecordingSocket extends EventEmitter {
  readonly written: string[] = [];
  readonly writableLength = 0;

  write(bytes: Buffer): boolean {
    this.written.push(bytes.toString());
    return true;
  }

  destroy(): this {
    return this;
  }
}

/** Two ends of a TCP connection: one reads what the other wrote when the event loop polls its sockets. */
async function socketPair(): Promise<{ near: Socket; far: Socket; close: () => void }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const near = connect(port, '127.0.0.1');
  const [far] = (await once(server, 'connection')) as [Socket];
  const close = () => [near.destroy(), far.destroy(), server.close()];
  return { near, far, close };
}

describe('a connection to a receiver', () => {
  it('does not reuse a connection whose end is seen with the next look at sockets', async () => {
    const sockets: RecordingSocket[] = [];
    let receive: (bytes: Buffer) => void = () => undefined;
    const open: Connect = (_to, received, done) => {
      const socket = new RecordingSocket();
      sockets.push(socket);
      receive = received;
      queueMicrotask(() => done({ socket: socket as unknown as TLSSocket, isTrusted: () => true }));
      return () => undefined;
    };

    const connection = new Connection('https://receiver.test', open, () => undefined);
    const second = new Promise<void>((sent, failed) => {
      const notReceived = { head: () => undefined, ended: () => undefined, failed };
      const next: ResponseHandler = { ...notReceived, sent };
      const first: ResponseHandler = {
        ...notReceived,
        sent: () => undefined,
        ended: () => connection.dispatch(Buffer.from('second'), next),
      };
      connection.dispatch(Buffer.from('first'), first);
    });

    const { near, far, close } = await socketPair();
    try {
      near.once('data', () => {
        // Before the connection's own, so that the end can be seen at the next look.
        setImmediate(() => far.write('end'));
        near.once('data', () => sockets[0]?.emit('error', connectionReset()));
        receive(Buffer.from('HTTP/1.1 204 No Content\r\n\r\n'));
      });

      far.write('answer');
      await second;
    } finally {
      close();
    }

    expect(sockets.map(({ written }) => written)).to.deep.equal([['first'], ['second']]);
  });
});

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

  it('H257: lets the first attempt win after the second has failed', async () => {
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

  it('H257: makes at most four attempts at once, and aborts the oldest to start a fifth', async () => {
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

  it('a race of connections does not fail while more addresses may follow', () => {
    race.add(resolved('192.0.2.1'), false);
    attempts[0]?.emit('error', new Error('refused'));
    expect(ends).to.deep.equal([]);
    race.add(resolved('2001:db8::1'), true);
    attempts[1]?.emit('connect');
    expect(ends).to.deep.equal([attempts[1]]);
  });

  it('says that a name has no address, and nothing after the race was cancelled', () => {
    race.add([], true);
    expect(ends[0]).to.include({ code: 'ERR_NAME_UNRESOLVED' });
    race.fail(new Error('late'));
    race.add(resolved('192.0.2.1'), true);
    expect(ends).to.have.length(1);
    expect(attempts).to.deep.equal([]);
  });

  it('ends all attempts when the race is cancelled', async () => {
    race.add(resolved('192.0.2.1', '192.0.2.2'), true);
    await began(2);
    race.cancel();
    expect(attempts.map(({ destroyed }) => destroyed)).to.deep.equal([true, true]);
    attempts[0]?.emit('connect');
    expect(ends).to.deep.equal([]);
  });
});

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

const hourMs = 3_600_000;
const now = Date.parse('2026-11-22T12:00:00Z');
const session = (text: string) => ({
  ticket: Buffer.from(text),
  validity: { from: now, until: now + hourMs },
});

describe('TLS sessions', () => {
  it('keeps the newest TLS session of a destination, for a hundred destinations', () => {
    const sessions = new TlsSessionCache();
    const ticketOf = (name: string) => sessions.get(name, now)?.ticket.toString();
    sessions.set('1', session('one'));
    sessions.set('1', session('two'));
    expect(ticketOf('1')).to.equal('two');
    expect(ticketOf('0')).to.equal(undefined);
    for (let place = 2; place <= 101; place += 1) sessions.set(`${place}`, session('x'));
    expect(ticketOf('1')).to.equal(undefined);
    expect(ticketOf('2')).to.equal('x');
  });

  it('H116: drops a TLS session when its validity ends', () => {
    const sessions = new TlsSessionCache();
    for (const [at, known] of [
      [now, true],
      [now + hourMs - 1, true],
      [now + hourMs, false],
      [now - 1, false],
    ] as const) {
      sessions.set('1', session('one'));
      expect(sessions.get('1', at) !== undefined, `${at - now} ms`).to.equal(known);
      expect(sessions.get('1', now) !== undefined, `after ${at - now} ms`).to.equal(known);
    }
  });

  it('H116: a TLS session is valid for an hour, or until a certificate of the chain expires', () => {
    const chain = (...inMs: readonly number[]): Certificate => {
      const [first = 0, ...others] = inMs;
      const certificate: Mutable<Certificate> = { valid_to: new Date(now + first).toUTCString() };
      certificate.issuerCertificate = others.length > 0 ? chain(...others) : certificate;
      return certificate;
    };

    for (const [endsConnection, untilMs] of [
      [[24 * hourMs, 48 * hourMs], hourMs],
      [[60_000, 48 * hourMs], 60_000],
      [[24 * hourMs, 60_000, 48 * hourMs], 60_000],
      [[24 * hourMs, 48 * hourMs, 60_000], 60_000],
      [[24 * hourMs, 48 * hourMs, -60_000], hourMs],
      [[-60_000, 48 * hourMs], -60_000],
    ] as const) {
      const expected = { from: now, until: now + untilMs };
      expect(validityOf(chain(...endsConnection), now), endsConnection.join()).to.deep.equal(
        expected,
      );
    }

    expect(isValid(validityOf({ valid_to: 'some day' }, now), now)).to.equal(false);
  });
});
