import { gzipSync } from 'node:zlib';
import { createServer } from 'node:net';
import { expect } from 'chai';
import type { AttemptTrace } from '../../../src/domain/delivery/outcome.js';
import { AttemptTracer, type TraceOptions } from '../../../src/outbound/attempt-tracer.js';
import {
  createWebhookClient,
  type WebhookClient,
  type WebhookClientOptions,
} from '../../../src/outbound/post.js';
import { testAuthority } from '../../support/authority.js';
import {
  answer,
  type Behaviour,
  drip,
  flood,
  hang,
  raw,
  rawThenEnd,
} from '../../support/behaviours.js';
import { listen } from '../../support/listener.js';
import { fixedNames } from '../../support/name-server.js';
import { type Receiver, startReceiver } from '../../support/receiver.js';

const failures: TraceOptions = { successes: false, responses: true };
const all: TraceOptions = { successes: true, responses: true };

function piecesOf(bytes: Buffer, length: number): Buffer[] {
  const pieces = Math.ceil(bytes.length / length);
  return Array.from({ length: pieces }, (_, n) => bytes.subarray(n * length, (n + 1) * length));
}

describe('the trace of an attempt', () => {
  const clients: WebhookClient[] = [];
  let receiver: Receiver;

  const openClient = async (
    options: Partial<WebhookClientOptions> = {},
  ): Promise<WebhookClient> => {
    const { caFile } = await testAuthority();
    const client = createWebhookClient({
      timeoutMs: 2_000,
      allowPrivateTargets: { kind: 'private' },
      caFile,
      names: fixedNames('127.0.0.1'),
      ...options,
    });
    clients.push(client);
    return client;
  };

  const attempt = async (
    url: string,
    trace?: TraceOptions,
    options?: Partial<WebhookClientOptions>,
  ) => {
    const by = options || !clients[0] ? await openClient(options) : clients[0];
    return by.post(url, {}, Buffer.from('{}'), trace ? { trace } : {});
  };

  const traceOf = async (
    url: string,
    options?: Partial<WebhookClientOptions>,
  ): Promise<AttemptTrace> => {
    const { trace } = await attempt(url, failures, options);
    if (!trace) throw new Error('no trace');
    return trace;
  };

  const responding = async (behaviour: Behaviour) => {
    receiver.script(behaviour);
    return traceOf(receiver.url());
  };

  const name = () => receiver.url('/', 'a.receiver.test');

  beforeEach(async () => {
    receiver = await startReceiver();
  });

  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
    await receiver.close();
  });

  it('H129: traces failures, and successes only where they were asked for', async () => {
    receiver.script(answer(200), answer(500), answer(200), answer(200, { server: 'x' }, 'thanks'));
    expect(await attempt(receiver.url())).not.to.have.property('trace');
    expect(await attempt(receiver.url())).not.to.have.property('trace');
    expect(await attempt(receiver.url(), failures)).not.to.have.property('trace');
    const { trace } = await attempt(receiver.url(), all);
    expect(trace?.response?.body.toString()).to.equal('thanks');
    expect(trace?.response?.head).to.include('server: x\r\n');
    expect(trace?.sendMs).to.be.a('number');
  });

  it('H129: records times, address and TLS version, and no handshake on a kept-alive connection', async () => {
    receiver.always(answer(500, {}, 'no'));
    const first = await traceOf(name());
    expect(first).to.include({ phase: 'end', address: '127.0.0.1', tlsVersion: 'TLSv1.3' });
    expect(Object.values(first.timings).every((duration) => typeof duration === 'number')).to.equal(
      true,
    );
    const second = await traceOf(name());
    expect(second).to.include({ phase: 'end', address: '127.0.0.1', tlsVersion: 'TLSv1.3' });
    expect(second.timings).to.include({ lookupMs: null, connectMs: null, tlsMs: null });
    expect(receiver.connections.accepted).to.equal(1);
    const { firstByteMs, totalMs } = second.timings;
    expect(firstByteMs).to.be.a('number');
    expect(totalMs).to.be.at.least(firstByteMs ?? 0);
  });

  it('H131: says in which phase an attempt ended', async () => {
    const closed = await startReceiver();
    await closed.close();

    const mute = await listen(createServer((socket) => socket.resume()));
    try {
      const unresolved = await traceOf('https://a.receiver.test/', {
        names: { ...fixedNames(), resolve: () => new Promise(() => undefined) },
      });
      expect(unresolved).to.include({ phase: 'lookup', address: null, tlsVersion: null });

      const refused = await traceOf(closed.url());
      expect(refused).to.include({ phase: 'connect', address: '127.0.0.1' });
      expect(refused.detail).to.equal('ECONNREFUSED');

      const silent = await traceOf(`https://127.0.0.1:${mute.port}/`);
      expect(silent).to.include({ phase: 'tls', address: '127.0.0.1', tlsVersion: null });
      expect(silent.timings).to.include({ tlsMs: null, firstByteMs: null });
      expect(await responding(hang)).to.include({ phase: 'response', response: null });

      const slow = await responding(
        drip('HTTP/1.1 500 No\r\ncontent-length: 99\r\n\r\nstart', 'x'.repeat(94), 200),
      );
      expect(slow.phase).to.equal('body');
      expect(slow.response?.body.toString()).to.match(/^startx+$/);
    } finally {
      await mute.close();
    }
  });

  it('H131: says what was wrong in TLS and protocol errors', async () => {
    const other = await startReceiver({ certificate: { selfSigned: true } });
    try {
      const untrusted = await traceOf(other.url());
      expect(untrusted).to.include({ phase: 'tls', detail: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    } finally {
      await other.close();
    }

    const malformed = await responding(raw('HTTP/1.1 5OO No\r\n\r\n'));
    expect(malformed).to.include({
      phase: 'response',
      detail: 'The status line is malformed.',
      response: null,
    });
  });

  it('H131: traces no refused destination', async () => {
    const inside = { allowPrivateTargets: { kind: 'none' } } as const;
    for (const url of [name(), receiver.url()]) {
      const refused = await attempt(url, failures, inside);
      expect(refused).to.deep.include({
        outcome: { kind: 'refused', reason: 'blocked_destination' },
      });
      expect(refused).not.to.have.property('trace');
    }
    expect(receiver.connections.accepted).to.equal(0);
  });

  it('H129: traces a success whose body the receiver leaves open', async () => {
    const open = 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\nserver: x\r\n\r\nok';
    receiver.script(raw(open), raw(open));

    const { outcome, trace } = await attempt(receiver.url(), failures, { timeoutMs: 600_000 });
    expect(outcome).to.deep.equal({ kind: 'accepted', status: 200 });

    expect(trace).to.include({
      phase: 'body',
      bodyLeftOpen: true,
      detail: 'The receiver left the body open.',
    });

    expect(trace?.response?.head).to.include('content-length: 10\r\n');
    expect(trace?.response?.body.toString()).to.equal('ok');

    const unkept = await attempt(
      receiver.url(),
      { successes: false, responses: false },
      { timeoutMs: 600_000 },
    );
    expect(unkept.trace).to.include({ bodyLeftOpen: true, response: null });
  });

  it('H65: waits longer than a second for the body of another status', async () => {
    const whole = 'x'.repeat(12);
    receiver.script(drip('HTTP/1.1 500 No\r\ncontent-length: 12\r\n\r\n', whole, 200));
    const trace = await traceOf(receiver.url(), { timeoutMs: 600_000 });
    expect(trace).to.include({ phase: 'end', bodyLeftOpen: false });
    expect(trace.response?.body.toString()).to.equal(whole);
  });

  it('H130: keeps the first 4 KiB of a body in any framing, as it was sent', async () => {
    const page = Buffer.alloc(5_000, 'ab');
    const start = page.subarray(0, 4_096);
    const chunks = `${(2_500).toString(16)}\r\n${page.toString('latin1', 0, 2_500)}\r\n`;
    for (const behaviour of [
      answer(500, { 'content-length': '5000' }, page),
      raw('HTTP/1.1 500 No\r\ntransfer-encoding: chunked\r\n\r\n', `${chunks}${chunks}0\r\n\r\n`),
      raw('HTTP/1.1 500 No\r\ncontent-length: 5000\r\n\r\n', ...piecesOf(page, 50)),
      rawThenEnd(`HTTP/1.1 500 No\r\n\r\n${page.toString('latin1')}`),
      flood('HTTP/1.1 500 No\r\n\r\n', page),
      flood('HTTP/1.1 500 No\r\ncontent-length: 99999999\r\n\r\n', page),
    ]) {
      const { response } = await responding(behaviour);
      expect(response?.truncated).to.equal(true);
      expect(response?.body.equals(start)).to.equal(true);
    }

    const gzip = gzipSync('x'.repeat(10_000));
    const packed = await responding(answer(500, { 'content-encoding': 'gzip' }, gzip));
    expect(packed.response).to.deep.include({ truncated: false });
    expect(packed.response?.body.equals(gzip)).to.equal(true);
  });

  it('H130: keeps neither headers nor body when responses are not kept', async () => {
    receiver.script(answer(500, {}, 'private'));
    const { trace } = await attempt(receiver.url(), { successes: false, responses: false });
    expect(trace).to.include({ phase: 'end', response: null });
  });

  it('H131: names the wait for a connection as the phase of an attempt that got none', () => {
    const late = { kind: 'unreachable', reason: 'connect_timeout' } as const;
    const trace = new AttemptTracer(failures, performance.now()).end(late, false);
    expect(trace).to.deep.include({ phase: 'wait', address: null, response: null });
  });
});
