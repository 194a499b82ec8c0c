import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createSecureContext, type TLSSocket } from 'node:tls';
import { expect } from 'chai';
import type { PostResult, Outcome } from '../../../src/domain/delivery/outcome.js';
import {
  createWebhookClient,
  type WebhookClient,
  type WebhookClientOptions,
  type PostOptions,
} from '../../../src/outbound/post.js';
import { testAuthority } from '../../support/authority.js';
import { after as later, answer, drip, hang, raw } from '../../support/behaviours.js';
import { watchClientSockets } from '../../support/sockets.js';
import { eventually, standStill } from '../../support/eventually.js';
import { fixedNames } from '../../support/name-server.js';
import { startReceiver, type Receiver } from '../../support/receiver.js';
import { setImmediate as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

describe('posting to a receiver', () => {
  const body = Buffer.from('{"text":"ü","n":1.0}');
  let receiver: Receiver;
  let clients: WebhookClient[] = [];

  const openClient = async (
    options: Partial<WebhookClientOptions> = {},
  ): Promise<WebhookClient> => {
    const { caFile } = await testAuthority();
    const created = createWebhookClient({
      timeoutMs: 5_000,
      allowPrivateTargets: { kind: 'cidrs', cidrs: ['127.0.0.0/8'] },
      caFile,
      names: fixedNames('127.0.0.1'),
      ...options,
    });
    clients.push(created);
    return created;
  };

  const post = async (url = receiver.url(), options?: PostOptions): Promise<PostResult> =>
    (clients[0] ?? (await openClient())).post(url, { 'content-type': 'text/x' }, body, options);
  const outcome = async (url?: string): Promise<Outcome> => (await post(url)).outcome;

  beforeEach(async () => {
    receiver = await startReceiver();
  });

  afterEach(async () => {
    await Promise.all(clients.map((client) => client.close()));
    clients = [];
    await receiver.close();
  });

  it('H81: sends the given bytes and headers to path and query', async () => {
    expect(await outcome(receiver.url('/a/b?c=d%20e'))).to.deep.equal({
      kind: 'accepted',
      status: 200,
    });

    const [request] = receiver.requests;
    expect(request?.method).to.equal('POST');
    expect(request?.path).to.equal('/a/b?c=d%20e');
    expect(request?.body.equals(body)).to.equal(true);

    expect(request?.headers).to.deep.equal({
      host: `127.0.0.1:${receiver.port}`,
      connection: 'keep-alive',
      'content-type': 'text/x',
      'content-length': String(body.length),
    });
  });

  it('H64: accepts every 2xx, and rejects everything else with its status', async () => {
    for (const status of [200, 201, 202, 204, 226, 299]) {
      receiver.script(answer(status));
      expect(await outcome()).to.deep.equal({ kind: 'accepted', status });
    }
    for (const status of [300, 301, 302, 303, 304, 307, 308, 400, 401, 404, 410, 500, 502, 599]) {
      receiver.script(answer(status, { location: receiver.url('/elsewhere') }));
      expect(await outcome()).to.deep.equal({ kind: 'rejected', status });
    }
    expect(receiver.requests.some(({ path }) => path === '/elsewhere')).to.equal(false);
  });

  it('H63: reads Retry-After only on 429 and 503, as seconds or as a date', async () => {
    const retryAfterOf = async (status: number, value: string | string[]) => {
      receiver.script(answer(status, { 'retry-after': value }));
      const answered = await outcome();
      expect(answered).to.include({ kind: 'rejected', status });
      return 'retryAfter' in answered ? answered.retryAfter.delayMs : undefined;
    };

    const at = (delayMs: number) => new Date(Date.now() + delayMs).toUTCString();

    for (const status of [429, 503]) {
      expect(await retryAfterOf(status, '7')).to.equal(7_000);
      expect(await retryAfterOf(status, at(90_000))).to.be.within(80_000, 90_000);
      expect(await retryAfterOf(status, '99999999')).to.equal(24 * 3_600_000);
      expect(await retryAfterOf(status, at(1e12))).to.equal(24 * 3_600_000);
      expect(await retryAfterOf(status, ['7', '9'])).to.equal(7_000);

      for (const value of ['', 'soon', '-5', '1.5', '7, 9', 'ÿ', at(-90_000)]) {
        expect(await retryAfterOf(status, value), value).to.equal(undefined);
      }
    }

    for (const status of [301, 400, 408, 410, 500, 502, 504]) {
      expect(await retryAfterOf(status, '7'), String(status)).to.equal(undefined);
    }
  });

  it('consecutive attempts share one connection', async () => {
    for (let n = 0; n < 5; n += 1) await post();
    expect(receiver.connections.accepted).to.equal(1);
  });

  it('accounts share no connection, not even to the same origin', async () => {
    for (const account of ['one', 'two', 'one', 'two']) await post(receiver.url(), { account });
    expect(receiver.requests.map(({ connection }) => connection)).to.deep.equal([1, 2, 1, 2]);
  });

  it('a connection carries one request at a time', async () => {
    await openClient();
    receiver.always(later(20, answer(200)));
    await Promise.all([post(), post(), post()]);
    expect(new Set(receiver.requests.map(({ connection }) => connection)).size).to.equal(3);
  });

  it('further attempts wait for a connection when an origin has its share', async () => {
    await openClient({ connectionsPerOrigin: 2 });
    receiver.always(later(20, answer(200)));
    const attempts = await Promise.all(Array.from({ length: 6 }, () => post()));
    expect(attempts.every(({ outcome: { kind } }) => kind === 'accepted')).to.equal(true);
    expect(receiver.connections.accepted).to.equal(2);
  });

  it('H65: waiting for a connection counts against the deadline, and ends with it', async () => {
    await openClient({ connectionsPerOrigin: 1, timeoutMs: 3_000 });
    receiver.always(hang);
    const attempts = await Promise.all([post(), post(), post()]);
    expect(attempts.map(({ outcome: { kind } }) => kind)).to.deep.equal(
      Array(3).fill('unreachable'),
    );
    expect(attempts.every(({ durationMs }) => durationMs < 5_900)).to.equal(true);
    receiver.always(answer(200));
    expect(await outcome()).to.deep.equal({ kind: 'accepted', status: 200 });
  });

  it('no more idle connections stay open than allowed', async () => {
    await openClient({ idleConnections: 2 });
    receiver.always(later(20, answer(200)));
    await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) => post(receiver.url('/', `${name}.receiver.test`))),
    );
    await eventually(() => expect(receiver.connections.open).to.equal(2), 'two are left');
    receiver.always(answer(200));
    expect(await outcome(receiver.url('/', 'd.receiver.test'))).to.include({ kind: 'accepted' });
  });

  it('does not reuse a connection that the receiver closed while it was idle', async () => {
    await post();
    receiver.dropConnections();
    await eventually(() => expect(receiver.connections.open).to.equal(0), 'it is closed');
    await post();
    expect(receiver.connections.accepted).to.equal(2);
  });

  it('closes an idle connection before the receiver would', async () => {
    receiver.always(answer(200, { 'keep-alive': 'timeout=3' }));
    await post();
    expect(receiver.connections.open).to.equal(1);
    await eventually(() => expect(receiver.connections.open).to.equal(0), 'it is closed', 2_900);
    await post();
    expect(receiver.connections.accepted).to.equal(2);
  });

  it('a second connection to a receiver resumes the TLS session of the first', async () => {
    const sockets = watchClientSockets();
    await post();
    receiver.dropConnections();
    await eventually(() => expect(sockets.open).to.have.length(0), 'it is closed');
    await post();
    sockets.end();
    const [, second] = sockets.to(receiver.port) as readonly Partial<TLSSocket>[];
    expect(second?.isSessionReused?.()).to.equal(true);
  });

  it('checks the certificate of a receiver with several names for the name that was dialled', async () => {
    const right = createSecureContext(await (await testAuthority()).issue());
    const names: string[] = [];
    const shared = await startReceiver({
      certificate: { names: ['other.example'] },
      tls: {
        SNICallback(name, done) {
          names.push(name);
          done(null, right);
        },
      },
    });

    for (const host of ['a.receiver.test', 'b.receiver.test.']) {
      expect(await outcome(shared.url('/', host)), host).to.include({ kind: 'accepted' });
    }

    // RFC 6066 section 3: no literal address is a name.
    expect(await outcome(shared.url())).to.include({ reason: 'tls_certificate_wrong_host' });
    expect(names).to.deep.equal(['a.receiver.test', 'b.receiver.test']);
    await shared.close();
  });

  it('does not offer a TLS session again with which a connection failed', async () => {
    const sockets = watchClientSockets();
    const tls = { ticketKeys: randomBytes(48) };
    const first = await startReceiver({ tls });
    const url = first.url();
    await post(url);
    await first.close();
    await eventually(() => expect(sockets.open).to.have.length(0), 'it is closed');

    const refusing = createServer((socket) => socket.destroy()).listen(first.port, '127.0.0.1');
    await once(refusing, 'listening');
    expect(await outcome(url)).to.include({ reason: 'connection_reset' });
    await new Promise((closed) => refusing.close(closed));

    const again = await startReceiver({ tls, port: first.port });
    await post(url);
    sockets.end();

    const [, second] = sockets.to(first.port) as readonly Partial<TLSSocket>[];
    expect(second?.isSessionReused?.()).to.equal(false);
    await again.close();
  });

  it('H65: measures the duration of the answer', async () => {
    receiver.script(later(2_000, answer(200)));
    expect((await post()).durationMs).to.be.within(1_995, 5_000);
    receiver.script(answer(200));
    expect((await post()).durationMs).to.be.within(0, 1_990);
  });

  it('H64, H65: leaves the body of a 2xx a second after its headers, and frees the connection', async () => {
    await openClient({ timeoutMs: 600_000, connectionsPerOrigin: 1 });
    const head = 'HTTP/1.1 200 OK\r\ncontent-length: 999\r\n\r\n';
    receiver.script(raw(`${head}ok`), drip(head, 'x'.repeat(999), 100), answer(200));
    const attempts = await Promise.all([post(), post(), post()]);
    expect(attempts.map(({ outcome }) => outcome)).to.deep.equal(
      Array(3).fill({ kind: 'accepted', status: 200 }),
    );
    expect(receiver.connections.accepted).to.equal(3);
    await eventually(() => expect(receiver.connections.open).to.equal(1), 'two are closed');
  });

  it('an aborted attempt rejects with the reason and releases its connection', async () => {
    receiver.script(hang);
    const stop = new AbortController();
    const attempt = post(receiver.url(), stop).catch((error: unknown) => error);
    await receiver.next();
    stop.abort(new Error('stopping'));
    expect(await attempt).to.have.property('message', 'stopping');
    await eventually(() => expect(receiver.connections.open).to.equal(0), 'it is closed');
    const again = await post(receiver.url(), stop).catch((error: unknown) => error);
    expect(again).to.have.property('message', 'stopping');
  });

  it('rejects headers that cannot be sent, as a fault of ours', async () => {
    const sender = await openClient();
    const error = await sender
      .post(receiver.url(), { 'bad name': 'x' }, body)
      .catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(Error);
    expect(await outcome()).to.include({ kind: 'accepted' });
  });

  it('close waits for attempts in flight, closes connections, and posts no more', async () => {
    receiver.script(later(50, answer(200)));
    const sender = await openClient();
    const attempt = post();
    await receiver.next();
    await sender.close();
    expect((await attempt).outcome).to.include({ kind: 'accepted' });
    await eventually(() => expect(receiver.connections.open).to.equal(0), 'all are closed');
    expect(await post().catch((error: unknown) => error)).to.be.instanceOf(Error);
  });

  it('refuses a URL that is invalid, not https, or of port 0', async () => {
    for (const url of ['', 'nonsense', 'http://127.0.0.1/', 'https://', 'https://127.0.0.1:0/']) {
      expect(await outcome(url)).to.deep.equal({ kind: 'refused', reason: 'invalid_target' });
    }
  });
});

describe('a request before its gate', () => {
  let receiver: Receiver;
  let webhookClient: WebhookClient;

  const start = async (timeoutMs = 5_000) => {
    const { caFile } = await testAuthority();
    webhookClient = createWebhookClient({
      timeoutMs,
      allowPrivateTargets: { kind: 'cidrs', cidrs: ['127.0.0.0/8'] },
      caFile,
      names: fixedNames('127.0.0.1'),
    });
  };

  const post = (options: PostOptions) =>
    webhookClient.post(receiver.url(), {}, Buffer.from('{}'), options);

  beforeEach(async () => {
    receiver = await startReceiver();
  });

  afterEach(async () => {
    await webhookClient.close();
    await receiver.close();
  });

  it('waits on an open connection while its timeout stands still', async () => {
    await start(3_000);

    let heldMs = 0;
    const gate = async () => {
      const from = performance.now();
      expect(receiver.requests).to.have.length(0);
      // Longer than the timeout, by the clock that the timeout uses.
      await eventually(() => {
        expect(performance.now() - from).to.be.greaterThan(3_200);
      }, 'time passes');
      heldMs = performance.now() - from;
    };

    const { outcome, durationMs } = await post({ gate });
    expect(outcome).to.deep.equal({ kind: 'accepted', status: 200 });
    expect(durationMs).to.be.lessThan(heldMs);
    receiver.always(hang);

    const late = await post({ gate: () => Promise.resolve() });
    expect(late.outcome).to.deep.equal({ kind: 'unreachable', reason: 'timeout' });
  });

  it('sends nothing when the gate throws', async () => {
    await start();
    const closed = new Error('too late');
    const thrown = await post({ gate: () => Promise.reject(closed) }).catch(
      (error: unknown) => error,
    );
    expect(thrown).to.equal(closed);
    expect(receiver.requests).to.have.length(0);
    expect((await post({})).outcome.kind).to.equal('accepted');
  });

  it('passes the gate again on a new connection when it loses the first', async () => {
    await start();

    const sockets = watchClientSockets();
    const accepted: number[] = [];
    const gate = async () => {
      accepted.push(receiver.connections.accepted);
      if (accepted.length > 1) return;
      receiver.dropConnections();
      // Of the sender, too: it cannot know whether a request on a dying connection was received.
      await eventually(() => {
        expect(receiver.connections.open).to.equal(0);
        expect(sockets.open).to.have.length(0);
      }, 'the connection is closed');
    };

    expect((await post({ gate })).outcome.kind).to.equal('accepted');
    sockets.end();
    expect(accepted).to.deep.equal([1, 2]);
    expect(receiver.requests).to.have.length(1);
  });

  it('sends nothing after an abort, even if the gate opens', async () => {
    await start();

    const aborting = new AbortController();
    let open: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      const gate = () => {
        resolve();
        return new Promise<void>((opened) => (open = opened));
      };
      void post({ gate, signal: aborting.signal }).catch(() => undefined);
    });

    await held;
    aborting.abort(new Error('stopping'));
    open();
    expect((await post({})).outcome.kind).to.equal('accepted');
    expect(receiver.requests).to.have.length(1);
  });
});

/** A receiver that runs while this thread stands still; it counts connections and answers. */
const receiver = `
const { createServer } = require('node:https');
const { parentPort, workerData } = require('node:worker_threads');
const { cert, key, counts } = workerData;
const server = createServer({ cert, key }, (request, response) => {
  request.resume();
  request.on('end', () => {
    response.writeHead(204).end(() => {
      // The answer is on its way when what was written has left this thread.
      setImmediate(() => {
        Atomics.add(counts, 1, 1);
        Atomics.notify(counts, 1);
      });
    });
  });
});
server.on('secureConnection', () => Atomics.add(counts, 0, 1));
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

describe('posting from a process that is busy', () => {
  const timeoutMs = 5_000;
  let counts: Int32Array;
  let thread: Worker;
  let webhookClient: WebhookClient;
  let post: () => Promise<PostResult>;

  beforeEach(async () => {
    const authority = await testAuthority();
    counts = new Int32Array(new SharedArrayBuffer(8));
    const workerData = { ...(await authority.issue()), counts };
    thread = new Worker(receiver, { eval: true, workerData });
    const [port] = (await once(thread, 'message')) as [number];
    webhookClient = createWebhookClient({
      timeoutMs,
      allowPrivateTargets: { kind: 'cidrs', cidrs: ['127.0.0.0/8'] },
      caFile: authority.caFile,
    });
    post = () => webhookClient.post(`https://127.0.0.1:${port}/`, {}, Buffer.from('{}'));
  });

  afterEach(async () => {
    await webhookClient.close();
    await thread.terminate();
  });

  /** Waits until the connection that `answered` attempts have used may carry another. */
  const rested = async (answered: number) => {
    // A connection rests until sockets were looked at once more after each answer.
    await turn();
    await turn();
    // The receiver counts an answer when it has been sent, which may be after it got here.
    while (Atomics.load(counts, 1) < answered) await turn();
  };

  /** Makes another attempt, and stands still until it is answered. */
  const postAndStandStill = (answered: number): Promise<PostResult> => {
    const attempt = post();
    Atomics.wait(counts, 1, answered, 60_000);
    expect(Atomics.load(counts, 1), 'answers while this thread stood still').to.equal(answered + 1);
    return attempt;
  };

  it('keeps its connections although answers arrive before it reads them', async () => {
    await post();
    for (let answered = 1; answered < 4; answered += 1) {
      await rested(answered);
      const { outcome } = await postAndStandStill(answered);
      expect(outcome).to.deep.equal({ kind: 'accepted', status: 204 });
    }
    expect(Atomics.load(counts, 0)).to.equal(1);
  });

  it('H255: counts a response that arrived before the process noticed its timeout', async () => {
    await post();
    await rested(1);
    const attempt = postAndStandStill(1);
    standStill(timeoutMs + 100);
    expect((await attempt).outcome).to.deep.equal({ kind: 'accepted', status: 204 });
  });
});
