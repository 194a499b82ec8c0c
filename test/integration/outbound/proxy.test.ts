import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { expect } from 'chai';
import type { PostResult } from '../../../src/domain/delivery/outcome.js';
import {
  createWebhookClient,
  type PostOptions,
  tryConnection,
  type WebhookClient,
  type WebhookClientOptions,
} from '../../../src/outbound/post.js';
import { ProxyFault } from '../../../src/outbound/proxy.js';
import { freePort } from '../../../tools/launcher/ports.js';
import { testAuthority } from '../../support/authority.js';
import { hang } from '../../support/behaviours.js';
import { type ConnectProxy, startConnectProxy } from '../../support/connect-proxy.js';
import { eventually } from '../../support/eventually.js';
import { listen } from '../../support/listener.js';
import { fixedNames } from '../../support/name-server.js';
import { type Receiver, startReceiver } from '../../support/receiver.js';
import { watchClientSockets } from '../../support/sockets.js';

const accepted = { kind: 'accepted', status: 200 };
const blocked = { kind: 'refused', reason: 'blocked_destination' };
const notReached = { kind: 'unreachable', reason: 'proxy_connect_failed' };
const body = Buffer.from('{}');
const userInfo = 'shop:p%40ss%3Aword@';
const credentials = 'shop:p@ss:word';

describe('sending through a proxy', () => {
  let receiver: Receiver;
  let proxy: ConnectProxy;
  let faults: ProxyFault[];
  let resumed: number;
  let cleanUps: (() => unknown)[];

  beforeEach(async () => {
    cleanUps = [];
    faults = [];
    resumed = 0;
    receiver = await startReceiver({ certificate: { names: ['r.example', '127.0.0.1', '::1'] } });
    proxy = await startConnectProxy();
    cleanUps.push(
      () => receiver.close(),
      () => proxy.stop(),
    );
  });

  afterEach(async () => {
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  });

  const optionsOf = async (
    options: Partial<WebhookClientOptions> = {},
    proxyOptions: { readonly url?: string; readonly sendsNames?: boolean } = {},
  ): Promise<WebhookClientOptions> => ({
    timeoutMs: 60_000,
    allowPrivateTargets: { kind: 'private' },
    caFile: (await testAuthority()).caFile,
    names: fixedNames('127.0.0.1'),
    proxy: {
      url: proxy.url(),
      sendsNames: false,
      onFault: (fault) => faults.push(fault),
      onAvailable: () => void (resumed += 1),
      ...proxyOptions,
    },
    ...options,
  });

  const openClient = async (...args: Parameters<typeof optionsOf>): Promise<WebhookClient> => {
    const client = createWebhookClient(await optionsOf(...args));
    cleanUps.push(() => client.close());
    return client;
  };

  const urlOf = (host: string) => `https://${host}:${receiver.port}/hook`;
  const post = (client: WebhookClient, host = 'r.example', options?: PostOptions) =>
    client.post(urlOf(host), {}, body, options);

  /** The fault with which an attempt ends. */
  const faultOf = (attempt: Promise<PostResult>): Promise<ProxyFault> =>
    attempt.then(
      ({ outcome }) => expect.fail(`it ended with ${JSON.stringify(outcome)}`),
      (error: unknown) => {
        expect(error).to.be.instanceOf(ProxyFault);
        return error as ProxyFault;
      },
    );

  /** From now on the timers of the client run only when the test says so. */
  const stopTimers = () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    cleanUps.push(() => mock.timers.reset());
  };

  for (const secure of [false, true]) {
    const kind = secure ? 'an https proxy' : 'an http proxy';

    it(`H291: names the checked address to ${kind}, keeps TLS end to end, and reuses the connection`, async () => {
      if (secure) {
        await proxy.stop();
        proxy = await startConnectProxy({ secure });
        cleanUps.push(() => proxy.stop());
      }

      const sockets = watchClientSockets();
      cleanUps.push(() => sockets.end());
      const client = await openClient({}, { url: proxy.url(userInfo) });
      const trace = { successes: true, responses: true };
      const result = await post(client, 'r.example', { trace });
      expect(result.outcome).to.deep.equal(accepted);
      await post(client);

      const [request] = receiver.requests;
      expect(request?.headers['host']).to.equal(`r.example:${receiver.port}`);
      expect(receiver.connections.accepted).to.equal(1);

      const [tunnel] = proxy.tunnels;
      const target = `127.0.0.1:${receiver.port}`;
      const basic = Buffer.from(credentials).toString('base64');
      expect(proxy.tunnels).to.have.length(1);
      expect(tunnel?.head).to.equal(
        `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\nProxy-Authorization: Basic ${basic}\r\n\r\n`,
      );

      // What the service records is about the receiver, and not about the proxy.
      expect(result.trace).to.include({ address: '127.0.0.1', tlsVersion: 'TLSv1.3' });
      expect(result.trace?.timings.connectMs).to.be.a('number');
      expect(JSON.stringify(result)).not.to.include('p@ss');
      expect(sockets.to(receiver.port)).to.have.length(1);
      expect(faults).to.deep.equal([]);
    });
  }

  it('closes the connection to the proxy with the one to the receiver, and resumes TLS sessions', async () => {
    const sockets = watchClientSockets();
    cleanUps.push(() => sockets.end());
    const client = await openClient();
    await post(client);
    receiver.dropConnections();
    await eventually(() => expect(proxy.connections.open).to.equal(0), 'both are closed');
    await eventually(() => expect(sockets.open).to.have.length(0), 'the client noticed');
    expect((await post(client)).outcome).to.deep.equal(accepted);
    const [, second] = sockets.to(receiver.port) as readonly Partial<TLSSocket>[];
    expect(second?.isSessionReused?.()).to.equal(true);
    await client.close();
    await eventually(() => expect(proxy.connections.open).to.equal(0), 'all are closed');
  });

  it('H291: writes an IPv6 address in brackets, and tries the next address when the proxy refuses one', async () => {
    proxy.choose((to) =>
      to.startsWith('[') ? { text: 'HTTP/1.1 502 Bad Gateway\r\n\r\n' } : undefined,
    );
    const client = await openClient({ names: fixedNames('::1', '127.0.0.1') });
    expect((await post(client)).outcome).to.deep.equal(accepted);
    expect(proxy.tunnels.map(({ to }) => to)).to.deep.equal([
      `[::1]:${receiver.port}`,
      `127.0.0.1:${receiver.port}`,
    ]);
  });

  it('H291: asks the proxy for no address that the egress policy blocks', async () => {
    for (const sendsNames of [false, true]) {
      const client = await openClient(
        { allowPrivateTargets: { kind: 'none' }, names: fixedNames('10.0.0.1') },
        { sendsNames },
      );
      expect((await post(client, '127.0.0.1')).outcome).to.deep.equal(blocked);
      expect((await post(client, '[::1]')).outcome).to.deep.equal(blocked);
      // The proxy would take it for itself.
      expect((await post(client, 'localhost')).outcome).to.deep.equal(blocked);
      if (!sendsNames) expect((await post(client)).outcome).to.deep.equal(blocked);
    }
    expect(proxy.tunnels).to.deep.equal([]);
  });

  it('H291: sends the name to a proxy that resolves, and asks no name server', async () => {
    proxy.leadTo(receiver.port);
    const names = {
      ...fixedNames(),
      resolve: () => Promise.reject(new Error('the name server was asked')),
    };
    const client = await openClient({ names }, { sendsNames: true });
    const trace = { successes: true, responses: false };
    const result = await post(client, 'r.example', { trace });
    expect(result.outcome).to.deep.equal(accepted);
    expect(result.trace).to.include({ address: null, phase: 'end' });
    expect(proxy.tunnels.map(({ to }) => to)).to.deep.equal([`r.example:${receiver.port}`]);

    // The certificate is still that of the name.
    const wrong = await client.post(`https://other.example:${receiver.port}/`, {}, body);
    expect(wrong.outcome).to.deep.equal({
      kind: 'unreachable',
      reason: 'tls_certificate_wrong_host',
    });
  });

  it('H291: counts an attempt that a working proxy refuses, and says its status', async () => {
    const client = await openClient();
    for (const status of [302, 403, 429, 500, 502, 503, 504]) {
      proxy.always({ text: `HTTP/1.1 ${status} No\r\nContent-Length: 3\r\n\r\nno\n` });
      const trace = { successes: false, responses: true };
      const result = await post(client, 'r.example', { trace });
      expect(result.outcome).to.deep.equal(notReached);
      expect(result.trace).to.include({ phase: 'connect', detail: `PROXY_STATUS_${status}` });
      expect(result.trace?.response).to.equal(null);
    }
    expect(faults).to.deep.equal([]);
    expect(client.isAvailable).to.equal(true);
  });

  it('skips informational answers of the proxy', async () => {
    proxy.always({ before: 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nA: b\r\n\r\n' });
    expect((await post(await openClient())).outcome).to.deep.equal(accepted);
  });

  const ownFaults = {
    'closes before it answers': ['close', 'closed'],
    'refuses the credentials': [
      { text: 'HTTP/1.1 407 Proxy Authentication Required\r\n\r\n' },
      'credentials',
    ],
    'refuses the credentials as tinyproxy does': [
      { text: 'HTTP/1.0 401 Unauthorized\r\n\r\n' },
      'credentials',
    ],
    'answers with something else than HTTP': [{ text: 'SSH-2.0-OpenSSH_9.2\r\n' }, 'malformed'],
    'answers with bare line feeds': [{ text: 'HTTP/1.1 200 OK\n\n' }, 'malformed'],
    'sends a page in place of a tunnel': [
      { text: 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nextra' },
      'malformed',
    ],
    'sends a head without end': [
      { text: `HTTP/1.1 200 OK\r\n${'A: b\r\n'.repeat(3_000)}` },
      'malformed',
    ],
    'sends informational answers without end': [
      { text: 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(1_000) },
      'malformed',
    ],
  } as const;

  for (const [what, [behaviour, reason]] of Object.entries(ownFaults)) {
    it(`H292: blames a proxy that ${what}`, async () => {
      proxy.always(behaviour);
      const client = await openClient({}, { url: proxy.url(userInfo) });
      const fault = await faultOf(post(client));
      expect(fault).to.include({ reason, isGeneral: false });
      expect(faults.map((one) => one.reason)).to.deep.equal([reason]);

      const shown = `${fault.message} ${fault.stack} ${JSON.stringify(fault)}`;
      expect(shown).to.include('WEBHOOKS_PROXY_URL');
      for (const secret of ['p@ss', 'p%40ss', Buffer.from(credentials).toString('base64')])
        expect(shown).not.to.include(secret);
      await eventually(() => expect(proxy.connections.open).to.equal(0), 'nothing stays open');
    });
  }

  it('H292: suspends a proxy that fails ten times in a row, and no earlier', async () => {
    proxy.always('close');
    const client = await openClient();
    for (let count = 1; count <= 9; count += 1)
      expect(await faultOf(post(client))).to.include({ isGeneral: false });
    expect(client.isAvailable).to.equal(true);

    expect(await faultOf(post(client))).to.include({ reason: 'closed', isGeneral: true });
    expect(client.isAvailable).to.equal(false);

    // Nothing reaches the proxy meanwhile, until it reacts to a check.
    const before = proxy.tunnels.length;
    expect(await faultOf(post(client))).to.include({ isGeneral: true });
    expect(proxy.tunnels).to.have.length(before);
    expect(faults).to.have.length(10);

    proxy.always('tunnel');
    await eventually(() => expect(client.isAvailable).to.equal(true), 'it is available again');
    expect(resumed).to.equal(1);
    expect(proxy.checks).to.include('OPTIONS * HTTP/1.0');
    expect((await post(client)).outcome).to.deep.equal(accepted);
  });

  it('H292: keeps a proxy in use that fails for one receiver and works for others', async () => {
    proxy.choose((to) => (to.startsWith('127.0.0.2') ? 'close' : undefined));
    const client = await openClient({ names: fixedNames('127.0.0.1') });
    for (let count = 0; count < 30; count += 1) {
      expect(await faultOf(post(client, '127.0.0.2'))).to.include({ isGeneral: false });
      if (count % 5 === 0) {
        // Accounts share no connection, so each of these opens a tunnel.
        const result = await post(client, 'r.example', { account: `acc_${count}` });
        expect(result.outcome).to.deep.equal(accepted);
      }
    }
    expect(client.isAvailable).to.equal(true);
  });

  it('H292: suspends a proxy that refuses connections, and uses it again when it is back', async () => {
    const client = await openClient();
    await proxy.stop();
    expect(await faultOf(post(client))).to.include({ reason: 'unreachable', isGeneral: true });
    expect(client.isAvailable).to.equal(false);
    expect(faults[0]?.message).to.include('ECONNREFUSED');
    await eventually(() => expect(faults.length).to.be.above(1), 'a check failed, too');

    await proxy.start();
    await eventually(() => expect(client.isAvailable).to.equal(true), 'it is available again');
    expect((await post(client)).outcome).to.deep.equal(accepted);
  });

  it('H292: checks a proxy that is away for an hour less and less often, one check at a time', async () => {
    const client = await openClient();
    await proxy.stop();
    stopTimers();
    await faultOf(post(client));

    // The seconds after which each check begins; the next one is scheduled when it has failed.
    const waits = [1, 2, 4, 8, 16, ...Array.from({ length: 119 }, () => 30)];
    let seconds = 0;
    for (const [index, wait] of waits.entries()) {
      const before = faults.length;
      mock.timers.tick(wait * 1_000 - 1);
      expect(faults, `check ${index}`).to.have.length(before);
      mock.timers.tick(1);
      await eventually(() => expect(faults).to.have.length(before + 1), `check ${index} failed`);
      seconds += wait;
    }
    expect(seconds).to.be.above(3_600);
    expect(client.isAvailable).to.equal(false);

    await proxy.start();
    mock.timers.tick(30_000);
    await eventually(() => expect(client.isAvailable).to.equal(true), 'it is available again');
    expect(proxy.checks).to.have.length(1);
    mock.timers.reset();
    expect((await post(client)).outcome).to.deep.equal(accepted);
  });

  it('H292: blames a proxy whose certificate is not trusted, or whose name is unknown', async () => {
    await proxy.stop();
    proxy = await startConnectProxy({ secure: true });
    cleanUps.push(() => proxy.stop());

    const untrusting = await openClient({ caFile: undefined });
    const untrusted = await faultOf(post(untrusting));
    expect(untrusted).to.include({ reason: 'unreachable', isGeneral: true });
    expect(untrusted.message).to.match(/UNABLE_TO_VERIFY|SELF_SIGNED|UNABLE_TO_GET/);
    expect(proxy.tunnels).to.deep.equal([]);

    const lost = await faultOf(post(await openClient({}, { url: 'http://proxy.invalid:3128' })));
    expect(lost).to.include({ reason: 'unreachable', isGeneral: true });
    expect(lost.message).to.match(/ENOTFOUND|EAI_AGAIN/);
  });

  it('H292: takes silence after CONNECT for that of the receiver while the proxy reacts to checks', async () => {
    proxy.always('hang');
    const client = await openClient();
    stopTimers();
    const attempt = post(client, 'r.example', { trace: { successes: false, responses: false } });
    await eventually(() => expect(proxy.tunnels).to.have.length(1), 'the proxy was asked');
    expect(proxy.checks).to.deep.equal([]);

    mock.timers.tick(2_000);
    await eventually(() => expect(proxy.checks).to.have.length(1), 'it is checked');
    await eventually(() => expect(proxy.connections.open).to.equal(1), 'the check has ended');
    mock.timers.tick(58_000);

    const result = await attempt;
    expect(result.outcome).to.deep.equal({ kind: 'unreachable', reason: 'connect_timeout' });
    expect(result.trace).to.include({ phase: 'connect', address: '127.0.0.1' });
    expect(proxy.checks).to.deep.equal(['OPTIONS * HTTP/1.0']);
    expect(faults).to.deep.equal([]);
    expect(client.isAvailable).to.equal(true);
  });

  for (const [timeoutMs, afterMs, checkMs] of [
    [60_000, 2_000, 2_500],
    [4_000, 1_000, 1_000],
  ] as const) {
    it(`H292: checks a proxy that ignores all methods but CONNECT by CONNECT, within ${timeoutMs} ms`, async () => {
      proxy.always('hang');
      proxy.reactsTo('connect');
      const client = await openClient({ timeoutMs });
      stopTimers();
      const attempt = post(client);
      await eventually(() => expect(proxy.tunnels).to.have.length(1), 'the proxy was asked');

      mock.timers.tick(afterMs);
      await eventually(() => expect(proxy.checks).to.have.length(1), 'it is checked');
      mock.timers.tick(checkMs);
      await eventually(() => expect(proxy.checks).to.have.length(2), 'it is checked by CONNECT');
      await eventually(() => expect(proxy.connections.open).to.equal(1), 'the check has ended');
      mock.timers.tick(timeoutMs - afterMs - checkMs);

      expect((await attempt).outcome).to.deep.equal({
        kind: 'unreachable',
        reason: 'connect_timeout',
      });
      expect(faults).to.deep.equal([]);
      expect(proxy.checks).to.deep.equal(['OPTIONS * HTTP/1.0', 'CONNECT 127.0.0.1:1 HTTP/1.1']);
    });
  }

  it('H292: keeps a proxy in use that opens other tunnels, although it ignores checks', async () => {
    proxy.choose((to) => (to.startsWith('127.0.0.2') ? 'hang' : undefined));
    proxy.reactsTo('none');
    const client = await openClient();
    stopTimers();
    const attempt = post(client, '127.0.0.2');
    await eventually(() => expect(proxy.tunnels).to.have.length(1), 'the proxy was asked');

    mock.timers.tick(2_000);
    await eventually(() => expect(proxy.checks).to.have.length(1), 'it is checked');
    expect((await post(client)).outcome).to.deep.equal(accepted);
    mock.timers.tick(2_500);
    await eventually(() => expect(proxy.checks).to.have.length(2), 'it is checked by CONNECT');
    expect(proxy.connections.open).to.equal(4);
    mock.timers.tick(2_500);
    await eventually(() => expect(proxy.connections.open).to.equal(3), 'the check has ended');
    expect(client.isAvailable).to.equal(true);
    mock.timers.tick(53_000);

    expect((await attempt).outcome).to.deep.equal({
      kind: 'unreachable',
      reason: 'connect_timeout',
    });
    expect(faults).to.deep.equal([]);
    expect(client.isAvailable).to.equal(true);
  });

  it('H292: blames a proxy that answers neither CONNECT nor a check', async () => {
    proxy.always('hang');
    proxy.reactsTo('none');
    const client = await openClient();
    stopTimers();
    const attempt = faultOf(post(client));
    await eventually(() => expect(proxy.tunnels).to.have.length(1), 'the proxy was asked');

    mock.timers.tick(2_000);
    await eventually(() => expect(proxy.checks).to.have.length(1), 'it is checked');
    mock.timers.tick(2_500);
    await eventually(() => expect(proxy.checks).to.have.length(2), 'it is checked by CONNECT');
    expect(client.isAvailable).to.equal(true);
    mock.timers.tick(2_500);
    await eventually(() => expect(client.isAvailable).to.equal(false), 'both checks failed');
    mock.timers.tick(53_000);
    expect(await attempt).to.include({ reason: 'silent', isGeneral: true });

    proxy.always('tunnel');
    proxy.reactsTo('all');
    await eventually(() => {
      mock.timers.tick(1_000);
      expect(client.isAvailable).to.equal(true);
    }, 'it is available again');
    mock.timers.reset();
    expect((await post(client)).outcome).to.deep.equal(accepted);
  });

  it('H292: leaves to the receiver what happens in an open tunnel', async () => {
    let greeted = false;
    const silent = await listen(
      createServer((socket) => socket.once('data', () => (greeted = true))),
    );
    cleanUps.push(() => silent.close());
    const closing = await listen(createServer((socket) => socket.destroy()));
    cleanUps.push(() => closing.close());
    const client = await openClient();
    const outcomeAt = async (port: number) =>
      (await client.post(`https://r.example:${port}/`, {}, body)).outcome;
    expect(await outcomeAt(closing.port)).to.deep.equal({
      kind: 'unreachable',
      reason: 'connection_reset',
    });

    stopTimers();
    const handshake = outcomeAt(silent.port);
    await eventually(() => expect(greeted).to.equal(true), 'TLS has begun');
    mock.timers.tick(60_000);
    expect(await handshake).to.deep.equal({ kind: 'unreachable', reason: 'tls_timeout' });

    receiver.always(hang);
    const request = outcomeAt(receiver.port);
    await receiver.next();
    mock.timers.tick(60_000);
    expect(await request).to.deep.equal({ kind: 'unreachable', reason: 'timeout' });
    expect(faults).to.deep.equal([]);
  });

  it('H292: leaves to the receiver what it says before TLS begins, together with the answer or later', async () => {
    const client = await openClient();
    const failed = { kind: 'unreachable', reason: 'tls_failure' };
    // Ten faults in a row would suspend the proxy.
    proxy.always({ text: 'HTTP/1.1 200 Connection established\r\n\r\n220 mail ESMTP\r\n' });
    for (let count = 0; count < 10; count += 1)
      expect((await post(client)).outcome).to.deep.equal(failed);

    proxy.always('tunnel');
    const greeting = await listen(createServer((socket) => socket.write('220 mail ESMTP\r\n')));
    cleanUps.push(() => greeting.close());
    const { outcome } = await client.post(`https://r.example:${greeting.port}/`, {}, body);
    expect(outcome).to.deep.equal(failed);
    expect(faults).to.deep.equal([]);
  });

  it('reads a body of any size through a tunnel, and no more than 64 KiB of it', async () => {
    receiver.always((_request, response) => response.writeHead(200).end(Buffer.alloc(10_000_000)));
    const client = await openClient();
    expect((await post(client)).outcome).to.deep.equal(accepted);
    receiver.always((_request, response) => response.writeHead(200).end(Buffer.alloc(60_000)));
    expect((await post(client)).outcome).to.deep.equal(accepted);
    expect((await post(client)).outcome).to.deep.equal(accepted);
    expect(proxy.tunnels).to.have.length(2);
  });

  it('tries one connection for doctor, and closes it', async () => {
    const opening = await tryConnection(urlOf('r.example'), await optionsOf());
    expect(opening).to.include({ address: '127.0.0.1', tlsVersion: 'TLSv1.3' });
    await eventually(() => expect(proxy.connections.open).to.equal(0), 'nothing stays open');
    expect(receiver.requests).to.deep.equal([]);

    proxy.always('hang');
    proxy.reactsTo('none');
    const late = await tryConnection(urlOf('r.example'), await optionsOf({ timeoutMs: 500 })).catch(
      (error: unknown) => error,
    );
    expect(late).to.be.instanceOf(ProxyFault);
  });

  const hasTinyproxy = spawnSync('tinyproxy', ['-v']).status === 0;
  const title =
    'H291, H292: sends through an unmodified tinyproxy, and tells its faults from those of receivers';

  if (hasTinyproxy) {
    it(title, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'signalpost-tinyproxy-'));
      cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
      const port = await freePort();
      const file = join(folder, 'tinyproxy.conf');
      writeFileSync(
        file,
        `Port ${port}\nListen 127.0.0.1\nTimeout 60\nMaxClients 20\nBasicAuth shop secret\n`,
      );

      const start = async () => {
        const child = spawn('tinyproxy', ['-d', '-c', file], { stdio: 'ignore' });
        const ended = once(child, 'exit');
        cleanUps.push(() => child.kill('SIGKILL'));
        await eventually(async () => {
          const socket = connect(port, '127.0.0.1');
          await once(socket, 'connect');
          socket.destroy();
        }, 'tinyproxy listens');
        return async () => {
          child.kill('SIGKILL');
          await ended;
        };
      };

      const sockets = watchClientSockets();
      cleanUps.push(() => sockets.end());
      const end = await start();
      const url = `http://shop:secret@127.0.0.1:${port}`;
      const client = await openClient({}, { url });
      expect((await post(client)).outcome).to.deep.equal(accepted);
      expect((await post(client)).outcome).to.deep.equal(accepted);
      expect(receiver.connections.accepted).to.equal(1);

      const closed = await freePort();
      const refused = await client.post(`https://r.example:${closed}/`, {}, body);
      expect(refused.outcome).to.deep.equal(notReached);
      expect(faults).to.deep.equal([]);

      const stranger = await openClient({}, { url: `http://shop:wrong@127.0.0.1:${port}` });
      expect(await faultOf(post(stranger))).to.include({ reason: 'credentials' });

      const nobody = await openClient({}, { url: `http://127.0.0.1:${port}` });
      expect(await faultOf(post(nobody))).to.include({ reason: 'credentials' });

      await end();
      await eventually(() => expect(sockets.open).to.have.length(0), 'tunnels end');
      expect(await faultOf(post(client))).to.include({ reason: 'unreachable', isGeneral: true });

      await start();
      await eventually(() => expect(client.isAvailable).to.equal(true), 'it reacts to a check');
      expect((await post(client)).outcome).to.deep.equal(accepted);
    });
  } else {
    it(`${title} (pending: tinyproxy is not installed)`);
  }
});
