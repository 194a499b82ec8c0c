import type { TLSSocket } from 'node:tls';
import { expect } from 'chai';
import type { Outcome, UnreachableReason } from '../../../src/domain/delivery/outcome.js';
import { createWebhookClient, type WebhookClient } from '../../../src/outbound/post.js';
import { testAuthority } from '../../support/authority.js';
import * as does from '../../support/behaviours.js';
import { type ClientSockets, watchClientSockets } from '../../support/sockets.js';
import { eventually } from '../../support/eventually.js';
import { listenSecurely, listen, type Listener } from '../../support/listener.js';
import { type Receiver, startReceiver, type ReceiverOptions } from '../../support/receiver.js';
import { createServer as createHttp2Server } from 'node:http2';
import { createServer, type Server, type Socket } from 'node:net';
import { dripBytes } from '../../support/behaviours.js';

/** Long enough for all handshakes at once on a slow machine. */
const timeoutMs = 5_000;
const ok = 'HTTP/1.1 200 OK\r\n';
const empty = `${ok}content-length: 0\r\n\r\n`;
const chunked = `${ok}transfer-encoding: chunked\r\n\r\n`;
const kilobyte = Buffer.alloc(1_024, 'x');
const fields = Buffer.from('a: b\r\n'.repeat(200));
const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n';

/** What a receiver does that has answered 2xx with whole headers. */
const afterHeaders: Readonly<Record<string, does.Behaviour>> = {
  'drips its body': does.drip(`${ok}content-length: 999\r\n\r\n`, 'x'.repeat(999), 100),
  'never sends its body': does.raw(`${ok}content-length: 5\r\n\r\n`),
  'sends 10 GB': does.flood(`${ok}content-length: 10000000000\r\n\r\n`, kilobyte),
  'sends chunks without end': does.flood(chunked, Buffer.from(`400\r\n${kilobyte.toString()}\r\n`)),
  'hides a flood in chunk extensions': does.flood(`${chunked}1;`, kilobyte),
  'pads the size of a chunk': does.raw(`${chunked}5 \r\nhello\r\n0\r\n\r\n`),
  'frames another body in its trailers': does.raw(`${chunked}0\r\ncontent-length: 5\r\n\r\nhello`),
  'sends a flood of trailers': does.flood(`${chunked}0\r\n`, fields),
  'sends a gzip bomb': does.gzipBomb(50_000_000),
  'says gzip and sends none': does.answer(200, { 'content-encoding': 'gzip' }, 'plain'),
  'breaks its chunking': does.raw(`${chunked}zz\r\nnonsense\r\n`),
  'resets after the headers': does.rawThenReset(`${ok}content-length: 5\r\n\r\n`),
  'resets after the answer': does.rawThenReset(empty),
  'ends within the body': does.rawThenEnd(`${ok}content-length: 5\r\n\r\nab`),
  'sends more body than it said': does.raw(`${ok}content-length: 2\r\n\r\nabcdef`),
  'sends a body with 204': does.raw('HTTP/1.1 204 No\r\ncontent-length: 5\r\n\r\nhello'),
  'sends chunks with 204': does.raw(
    'HTTP/1.1 204 No\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
  ),
  'speaks HTTP/1.0': does.rawThenEnd('HTTP/1.0 200 OK\r\n\r\nhello'),
  'offers another protocol': does.raw(`${ok}upgrade: h2c\r\nconnection: upgrade\r\n\r\n`),
  'wants no connection kept': does.raw(`${ok}keep-alive: timeout=0\r\ncontent-length: 0\r\n\r\n`),
};

/** What a receiver does that never gets a status and headers across, and what that is called. */
const noAnswer: Readonly<Record<string, readonly [UnreachableReason, does.Behaviour]>> = {
  'says nothing': ['timeout', does.hang],
  'drips a whole answer': ['timeout', does.drip('', empty, 250)],
  'drips its headers': ['timeout', does.drip(`${ok}x: `, 'y'.repeat(999), 100)],
  'sends only a status line': ['timeout', does.raw(ok)],
  'sends one 103 and no more': ['timeout', does.raw(hints)],
  'resets at once': ['connection_reset', does.rawThenReset('')],
  'resets after the status line': ['connection_reset', does.rawThenReset(ok)],
  'resets within the headers': ['connection_reset', does.rawThenReset(`${ok}x: `)],
  'closes without an answer': ['connection_reset', does.rawThenEnd('')],
  'sends 1xx without end': ['protocol_error', does.flood('', Buffer.from(hints.repeat(20)))],
  'sends one 1xx too many': ['protocol_error', does.raw(hints.repeat(17) + empty)],
  'sends 20 KB of headers': ['protocol_error', does.raw(`${ok}x: ${'y'.repeat(20_480)}\r\n\r\n`)],
  'sends headers without end': ['protocol_error', does.flood(ok, fields)],
  'speaks something else': ['protocol_error', does.raw('SSH-2.0-OpenSSH_9\r\n')],
  'has no status': ['protocol_error', does.raw('HTTP/1.1 099 ?\r\ncontent-length: 0\r\n\r\n')],
  'has a status of four digits': [
    'protocol_error',
    does.raw('HTTP/1.1 2000 ?\r\ncontent-length: 0\r\n\r\n'),
  ],
  'switches protocols': [
    'protocol_error',
    does.raw('HTTP/1.1 101 Yes\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
  ],
  'sends two lengths': [
    'protocol_error',
    does.raw(`${ok}content-length: 1\r\ncontent-length: 2\r\n\r\nab`),
  ],
  'sends a length and chunks': [
    'protocol_error',
    does.raw(`${ok}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`),
  ],
  'hides white space behind a length': [
    'protocol_error',
    does.raw(Buffer.from(`${ok}content-length: 0\xa0\r\n\r\n`, 'latin1')),
  ],
  'ends its lines with LF': ['protocol_error', does.raw('HTTP/1.1 200 OK\n\n')],
  'sends a 103 with a body': [
    'protocol_error',
    does.raw(`HTTP/1.1 103 Oh\r\ncontent-length: 5\r\n\r\nhello${empty}`),
  ],
  'folds a header': ['protocol_error', does.raw(`${ok}x: a\r\n b\r\n\r\n`)],
  'hides NUL in a header': ['protocol_error', does.raw(`${ok}x: a\0b\r\n\r\n`)],
};

/** What a receiver is taken at its word for, though it goes on badly. */
const otherAnswers: Readonly<Record<string, readonly [number, does.Behaviour]>> = {
  'answers 500 and breaks off': [
    500,
    does.rawThenReset('HTTP/1.1 500 Oh\r\ncontent-length: 5\r\n\r\n'),
  ],
  'answers 304 with a body': [304, does.raw('HTTP/1.1 304 No\r\ncontent-length: 5\r\n\r\nhello')],
  'answers an unknown status': [
    999,
    does.rawThenEnd('HTTP/1.1 999 ?\r\ncontent-length: 0\r\n\r\n'),
  ],
};

const accepted = { kind: 'accepted', status: 200 } as const;
const unreachable = (reason: UnreachableReason) => ({ kind: 'unreachable', reason }) as const;

/** Misbehaviours of a receiver after a good handshake, without reading the request. */
const silent: Readonly<Record<string, readonly [Outcome, (socket: TLSSocket) => unknown]>> = {
  'never reads and never answers': [unreachable('timeout'), (socket) => socket.pause()],
  'answers before it was asked': [accepted, (socket) => socket.write(empty)],
  'answers 200 without having read': [accepted, once((socket) => socket.write(empty))],
  'answers 413 without having read, and closes': [
    { kind: 'rejected', status: 413 },
    once((socket) =>
      socket.end('HTTP/1.1 413 No\r\nconnection: close\r\ncontent-length: 0\r\n\r\n'),
    ),
  ],
  'hangs up while it is told': [
    unreachable('connection_reset'),
    once((socket) => socket.destroy()),
  ],
};

/** Waits for the first bytes of a request, and leaves them where they are. */
function once(then: (socket: TLSSocket) => unknown): (socket: TLSSocket) => void {
  return (socket) => void socket.once('readable', () => void then(socket));
}

/** Sockets and timers that keep this process alive, of both sides. */
function held(): number {
  return process.getActiveResourcesInfo().filter((kind) => /^(TCPSocketWrap|Timeout)$/.test(kind))
    .length;
}

describe('a hostile receiver', () => {
  let heldBefore: number;
  let sockets: ClientSockets;
  let webhookClient: WebhookClient;
  let receiver: Receiver;
  const bytesRead = new Map<string, number>();

  before(async () => {
    const { caFile } = await testAuthority();
    heldBefore = held();
    sockets = watchClientSockets();
    webhookClient = createWebhookClient({
      timeoutMs,
      allowPrivateTargets: { kind: 'private' },
      caFile,
    });
    receiver = await startReceiver();
  });

  after(async () => {
    sockets.end();
    await Promise.all([webhookClient.close(), receiver.close()]);
  });

  /** The outcome of an attempt, which must keep its deadline. */
  const post = async (url = receiver.url(), body = Buffer.from('{}')) => {
    const startedAt = performance.now();
    const { outcome } = await webhookClient.post(url, {}, body);
    expect(performance.now() - startedAt).to.be.below(timeoutMs + 5_000);
    return outcome;
  };

  /** The outcome of each behaviour, which must not spoil the attempt that follows it. */
  const outcomesOf = async (behaviours: Readonly<Record<string, does.Behaviour>>) => {
    const met = Object.entries(behaviours).map(async ([what, behaviour]) => {
      const hostile = await startReceiver();
      try {
        hostile.script(behaviour);
        const outcome = await post(hostile.url());
        bytesRead.set(what, sockets.to(hostile.port)[0]?.bytesRead ?? 0);
        expect(await post(hostile.url()), `after one that ${what}`).to.deep.equal(accepted);
        return [what, outcome] as const;
      } finally {
        await hostile.close();
      }
    });
    return Object.fromEntries(await Promise.all(met));
  };

  const mapped = <From, To>(record: Readonly<Record<string, From>>, to: (from: From) => To) =>
    Object.fromEntries(Object.entries(record).map(([what, from]) => [what, to(from)]));

  it('H64, H65: a 2xx with whole headers is accepted, whatever goes wrong after them', async () => {
    const outcomes = await outcomesOf(afterHeaders);
    const statusOf = (what: string) => (what.endsWith('with 204') ? 204 : 200);
    const expected = Object.keys(afterHeaders).map((what) => [
      what,
      { kind: 'accepted', status: statusOf(what) },
    ]);
    expect(outcomes).to.deep.equal(Object.fromEntries(expected));
  });

  it('H64, H65: without a whole status and headers there is no answer, and the reason is named', async () => {
    const outcomes = await outcomesOf(mapped(noAnswer, ([, behaviour]) => behaviour));
    expect(outcomes).to.deep.equal(mapped(noAnswer, ([reason]) => unreachable(reason)));
  });

  it('H64: any other status is rejected, whatever goes wrong after it', async () => {
    const outcomes = await outcomesOf(mapped(otherAnswers, ([, behaviour]) => behaviour));
    const expected = mapped(otherAnswers, ([status]) => ({ kind: 'rejected', status }));
    expect(outcomes).to.deep.equal(expected);
  });

  it('H65: reads at most 64 KiB of body and one packet, or twice that with framing', () => {
    expect(bytesRead.size).to.be.greaterThan(40);
    const packet = 16_384;
    for (const [what, bytes] of bytesRead) {
      expect(bytes, what).to.be.at.most(2 * (65_536 + 16_384) + packet);
    }
    for (const what of ['sends 10 GB', 'sends chunks without end']) {
      expect(bytesRead.get(what), what).to.be.within(65_536, 65_536 + 2 * packet);
    }
    expect(bytesRead.get('sends a gzip bomb')).to.be.within(40_000, 65_536);
  });

  it('H65: gives up at the deadline when the receiver does not read', async () => {
    const met = Object.entries(silent).map(async ([what, [, meet]]) => {
      const listener = await listenSecurely(meet);
      try {
        const url = `https://127.0.0.1:${listener.port}/`;
        return [what, await post(url, Buffer.alloc(262_144, 'x'))] as const;
      } finally {
        await listener.close();
      }
    });
    const outcomes = Object.fromEntries(await Promise.all(met));
    expect(outcomes).to.deep.equal(mapped(silent, ([outcome]) => outcome));
  });

  it('sends the next attempt over another connection when the receiver answers before it has read', async () => {
    const listener = await listenSecurely(once((socket) => socket.write(empty)));
    const url = `https://127.0.0.1:${listener.port}/`;
    // More than the buffers of both sides hold.
    expect(await post(url, Buffer.alloc(33_554_432, 'x'))).to.deep.equal(accepted);
    expect(await post(url)).to.deep.equal(accepted);
    expect(listener.connections.accepted).to.equal(2);
    await listener.close();
  });

  it('H65: reads and drops 64 KiB of body, and closes the connection of a longer one', async () => {
    await post();
    const { accepted: before } = receiver.connections;
    receiver.script(does.answer(200, {}, Buffer.alloc(65_536)));
    expect(await post()).to.deep.equal(accepted);
    receiver.script(does.answer(200, {}, Buffer.alloc(65_537)));
    expect(await post()).to.deep.equal(accepted);
    expect(receiver.connections.accepted).to.equal(before);
    expect(await post()).to.deep.equal(accepted);
    expect(receiver.connections.accepted).to.equal(before + 1);
  });

  it('accepts a few 1xx before the answer', async () => {
    for (const before of [hints.repeat(16), 'HTTP/1.1 100 Continue\r\n\r\n']) {
      receiver.script(does.raw(before + empty), does.raw(empty));
      expect([await post(), await post()], before).to.deep.equal([accepted, accepted]);
      receiver.dropConnections();
      const left = () => sockets.to(receiver.port).filter(({ destroyed }) => !destroyed);
      await eventually(() => expect(left()).to.have.length(0), 'they are closed');
    }
  });

  const poison = 'HTTP/1.1 500 Poison\r\ncontent-length: 0\r\n\r\n';

  it('a second response does not answer the next attempt, at once or while idle', async () => {
    receiver.script(does.raw(empty + poison));
    expect(await post()).to.deep.equal(accepted);
    expect(await post()).to.deep.equal(accepted);

    let sendPoison: () => unknown = () => undefined;
    receiver.script((request, response) => {
      request.socket.write(empty);
      sendPoison = () => does.raw(poison)(request, response);
    });

    expect(await post()).to.deep.equal(accepted);

    const { open } = receiver.connections;
    sendPoison();
    await eventually(() => expect(receiver.connections.open).to.equal(open - 1), 'it is closed');
    expect(await post()).to.deep.equal(accepted);
  });

  it('a second response does not answer an attempt that waits for its connection', async () => {
    const { caFile } = await testAuthority();
    const allowPrivateTargets = { kind: 'private' } as const;
    const narrow = createWebhookClient({
      timeoutMs,
      allowPrivateTargets,
      caFile,
      connectionsPerOrigin: 1,
    });

    receiver.script(does.raw(empty + poison), does.answer(201), does.raw(empty + poison));

    const attempts = Array.from({ length: 4 }, () =>
      narrow.post(receiver.url(), {}, Buffer.from('{}')),
    );
    const statuses = (await Promise.all(attempts)).map(({ outcome }) => outcome);

    await narrow.close();

    expect(statuses).to.deep.equal([
      accepted,
      { kind: 'accepted', status: 201 },
      accepted,
      accepted,
    ]);
  });

  it('H59: does not repeat the request when the receiver closes a kept connection on receiving it', async () => {
    for (const close of [does.rawThenReset(''), does.rawThenEnd('')]) {
      receiver.script(does.answer(200), close);
      expect(await post()).to.deep.equal(accepted);
      const { length } = receiver.requests;
      expect(await post()).to.deep.equal(unreachable('connection_reset'));
      expect(await post()).to.deep.equal(accepted);
      expect(receiver.requests).to.have.length(length + 2);
    }
  });

  it('leaves nothing behind: all connections are closed, and no timer is left', async () => {
    const { caFile } = await testAuthority();
    const allowPrivateTargets = { kind: 'private' } as const;

    // Its deadlines would be seen long after this test.
    const patient = createWebhookClient({ timeoutMs: 600_000, allowPrivateTargets, caFile });

    for (const behaviour of [
      does.rawThenReset(ok),
      does.raw('SSH-2.0-OpenSSH_9\r\n'),
      does.flood(`${ok}content-length: 10000000000\r\n\r\n`, kilobyte),
      does.answer(200),
    ]) {
      receiver.script(behaviour);
      await patient.post(receiver.url(), {}, Buffer.from('{}'));
    }

    await patient.post('https://127.0.0.1:1/', {}, Buffer.from('{}'));
    receiver.always(does.hang);

    const hanging = await Promise.all(Array.from({ length: 20 }, () => post()));
    for (const outcome of hanging) expect(outcome).to.deep.equal(unreachable('timeout'));
    await Promise.all([webhookClient.close(), patient.close()]);

    await eventually(() => {
      expect(sockets.open).to.have.length(0);
      expect(receiver.connections.open).to.equal(0);
      expect(held()).to.be.at.most(heldBefore);
    }, 'all is closed');
  });
});

/** What is wrong with a receiver, and the reason that it is known by. */
type Unfit = readonly [UnreachableReason, () => Promise<Receiver | Listener>];

const receiver = (options: ReceiverOptions) => () => startReceiver(options);
const server = (create: () => Server) => () => listen(create());
const tcp = (meet: (socket: Socket) => void) => server(() => createServer(meet));

const unfit: Readonly<Record<string, Unfit>> = {
  'has an expired certificate': [
    'tls_certificate_expired',
    receiver({ certificate: { expired: true } }),
  ],
  'has a certificate of tomorrow': [
    'tls_certificate_not_yet_valid',
    receiver({ certificate: { notYetValid: true } }),
  ],
  'has a self-signed one': [
    'tls_certificate_untrusted',
    receiver({ certificate: { selfSigned: true } }),
  ],
  'has one for another host': [
    'tls_certificate_wrong_host',
    receiver({ certificate: { names: ['other.test', '127.0.0.9'] } }),
  ],
  'speaks TLS 1.1 only': [
    'tls_failure',
    receiver({ tls: { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' } }),
  ],
  'speaks HTTP/2 only': ['tls_failure', receiver({ tls: { ALPNProtocols: ['h2'] } })],
  'accepts and never shakes hands': ['tls_timeout', tcp((socket) => socket.resume())],
  'drips its handshake': [
    'tls_timeout',
    tcp((socket) => void dripBytes(socket, Buffer.from('160303004a02000046', 'hex'), 1_000)),
  ],
  'sends rubbish for a handshake': [
    'tls_failure',
    tcp((socket) => socket.resume().write(Buffer.alloc(1_000_000, 'x'))),
  ],
  'speaks plain HTTP': [
    'tls_failure',
    tcp((socket) => socket.once('data', () => socket.end('HTTP/1.1 400 No\r\n'))),
  ],
  'speaks plain HTTP/2': ['tls_failure', server(() => createHttp2Server())],
  'hangs up during the handshake': [
    'connection_reset',
    tcp((socket) => socket.once('data', () => socket.destroy())),
  ],
  'hangs up after the handshake': [
    'connection_reset',
    () => listenSecurely((socket) => socket.destroy()),
  ],
};

describe('a receiver without a proper handshake', () => {
  let webhookClient: WebhookClient;

  before(async () => {
    const { caFile } = await testAuthority();
    webhookClient = createWebhookClient({
      timeoutMs,
      allowPrivateTargets: { kind: 'private' },
      caFile,
    });
  });

  after(() => webhookClient.close());

  /** The outcome of an attempt, which must keep its deadline and leave no connection behind. */
  const meet = async (start: () => Promise<Receiver | Listener>) => {
    const met = await start();
    try {
      const startedAt = performance.now();
      const { outcome } = await webhookClient.post(
        `https://127.0.0.1:${met.port}/`,
        {},
        Buffer.from('{}'),
      );

      expect(performance.now() - startedAt).to.be.below(timeoutMs + 5_000);
      await eventually(() => expect(met.connections.open).to.equal(0), 'its socket is closed');
      expect(met.connections.accepted).to.equal(1);
      if ('requests' in met) expect(met.requests).to.have.length(0);

      return outcome;
    } finally {
      await met.close();
    }
  };

  it('H65: names what is wrong with each receiver within the deadline, and sends it nothing', async () => {
    const met = Object.entries(unfit).map(async ([what, [, start]]) => [what, await meet(start)]);
    const expected = Object.entries(unfit).map(([what, [reason]]) => [
      what,
      { kind: 'unreachable', reason },
    ]);
    expect(Object.fromEntries(await Promise.all(met))).to.deep.equal(Object.fromEntries(expected));
  });

  it('H65: reports tls_certificate_untrusted for an authority that is not configured', async () => {
    const unnamed = await startReceiver();
    const strict = createWebhookClient({ timeoutMs, allowPrivateTargets: { kind: 'private' } });
    try {
      const { outcome } = await strict.post(unnamed.url(), {}, Buffer.from('{}'));
      expect(outcome).to.deep.equal({ kind: 'unreachable', reason: 'tls_certificate_untrusted' });
      expect(unnamed.requests).to.have.length(0);
    } finally {
      await Promise.all([strict.close(), unnamed.close()]);
    }
  });

  it('H65: reports connection_refused when nothing listens', async () => {
    const { outcome } = await webhookClient.post('https://127.0.0.1:1/', {}, Buffer.from('{}'));
    expect(outcome).to.deep.equal({ kind: 'unreachable', reason: 'connection_refused' });
  });

  it('refuses a file without certificates before anything is sent', () => {
    for (const caFile of [import.meta.filename, '/nowhere/ca.pem']) {
      expect(() =>
        createWebhookClient({ timeoutMs, allowPrivateTargets: { kind: 'none' }, caFile }),
      ).to.throw();
    }
  });
});
