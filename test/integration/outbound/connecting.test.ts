import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import {
  createWebhookClient,
  type WebhookClientOptions,
  type WebhookClient,
} from '../../../src/outbound/post.js';
import { dnsNames, machineNames, type NameResolver } from '../../../src/outbound/resolve.js';
import { testAuthority } from '../../support/authority.js';
import {
  fixedNames,
  fixedResolution,
  type NameServer,
  startNameServer,
  type Zone,
} from '../../support/name-server.js';
import { type Receiver, startReceiver, type ReceiverOptions } from '../../support/receiver.js';
import type { TLSSocket } from 'node:tls';
import type { Outcome } from '../../../src/domain/delivery/outcome.js';
import { type ClientSockets, watchClientSockets } from '../../support/sockets.js';
import { eventually } from '../../support/eventually.js';

/** A receiver that accepts no connection until it is released. */
const stoppedReceiver = `
const { createServer } = require('node:https');
const { parentPort, workerData } = require('node:worker_threads');
const { cert, key, released } = workerData;
const server = createServer({ cert, key }, (request, response) => {
  request.resume();
  response.writeHead(200).end();
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  parentPort.postMessage(server.address().port);
  Atomics.wait(released, 0, 0);
});
`;

const blocked = { kind: 'refused', reason: 'blocked_destination' };
const accepted = { kind: 'accepted', status: 200 };
const unresolved = { kind: 'unreachable', reason: 'dns_failure' };
const loopback = { kind: 'cidrs', cidrs: ['127.0.0.0/8'] } as const;

describe('connecting to a receiver', () => {
  const cleanUps: (() => unknown)[] = [];
  let receiver: Receiver;

  before(async () => {
    receiver = await startReceiver({ certificate: { names: ['r.example'] } });
  });

  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
  });

  after(() => receiver.close());

  const openClient = async (options: Partial<WebhookClientOptions>) => {
    const { caFile } = await testAuthority();
    const client = createWebhookClient({
      timeoutMs: 60_000,
      allowPrivateTargets: loopback,
      caFile,
      ...options,
    });
    cleanUps.push(() => client.close());
    return client;
  };

  /** Posts to one host, `r.example` by default, at the port of the receiver. */
  const postBy = async (names: NameResolver) => {
    const client = await openClient({ names });
    return async (host = 'r.example') => {
      const url = `https://${host}:${receiver.port}/`;
      return (await client.post(url, {}, Buffer.from('{}'))).outcome;
    };
  };

  const startServer = async (zone: Zone) => {
    const server = await startNameServer(zone);
    cleanUps.push(() => server.close());
    return server;
  };

  /** A client that waits for its answers longer than any test. */
  const patientClient = ({ address }: NameServer) => {
    const client = new Resolver({ timeout: 600_000, tries: 1 });
    client.setServers([address]);
    cleanUps.push(() => client.cancel());
    return client;
  };

  it('H257: waits for an address that loses packets after another one refused', async () => {
    const released = new Int32Array(new SharedArrayBuffer(4));
    const release = () => {
      Atomics.store(released, 0, 1);
      Atomics.notify(released, 0);
    };

    const certificate = await (await testAuthority()).issue({ names: ['r.example'] });
    const workerData = { ...certificate, released };
    const thread = new Worker(stoppedReceiver, { eval: true, workerData });
    cleanUps.push(() => thread.terminate(), release);

    const [port] = (await once(thread, 'message')) as [number];
    const patient = await openClient({
      names: fixedNames('127.0.0.1', '::1'),
      allowPrivateTargets: { kind: 'private' },
    });

    // The system drops packets of new connections while the queue of accepted ones is full.
    for (let n = 0; n < 2; n += 1) {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      cleanUps.push(() => socket.destroy());
      await once(socket, 'connect');
    }

    const attempt = patient.post(`https://r.example:${port}/`, {}, Buffer.from('{}'));

    // The first packet of the attempt is dropped as soon as it is sent.
    for (let n = 0; n < 10; n += 1) await turn();
    release();
    expect((await attempt).outcome).to.deep.equal(accepted);
  });

  it('H256: needs no answer for IPv6 once there is one for IPv4', async () => {
    const server = await startServer((_name, type) => (type === 'A' ? ['127.0.0.1'] : undefined));
    const client = patientClient(server);
    const post = await postBy(dnsNames(() => client));
    expect(await post()).to.deep.equal(accepted);
  });

  it('H256: uses an address that arrives late, and blocks a late private one', async () => {
    for (const [late, outcome] of [
      [{ address: '127.0.0.1', family: 4 }, accepted],
      [{ address: 'fd00::1', family: 6 }, blocked],
    ] as const) {
      const names: NameResolver = {
        ...fixedNames(),
        resolve: () =>
          // Nothing listens at this address.
          Promise.resolve({ ...fixedResolution('127.0.0.9'), late: Promise.resolve([late]) }),
      };

      const post = await postBy(names);
      expect(await post(), late.address).to.deep.equal(outcome);
    }
  });

  it('asks again over TCP when an answer is truncated', async () => {
    const server = await startServer((_name, type) =>
      type === 'A' ? { truncated: ['127.0.0.1'] } : [],
    );
    const post = await postBy(dnsNames(() => server.resolver));
    expect(await post()).to.deep.equal(accepted);
  });

  it('waits for a slow name server', async () => {
    let answer: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (answer = resolve));
    const server = await startServer(async (_name, type) => {
      await asked;
      return type === 'A' ? ['127.0.0.1'] : [];
    });
    const client = patientClient(server);
    const attempt = (await postBy(dnsNames(() => client)))();
    for (let n = 0; n < 10; n += 1) await turn();
    answer();
    expect(await attempt).to.deep.equal(accepted);
  });

  it('H256: asks the new name servers after those of the machine changed', async () => {
    const first = await startServer(() => []);
    const second = await startServer((_name, type) => (type === 'A' ? ['127.0.0.1'] : []));
    let current = first;
    let nowMs = 0;
    const names = machineNames(
      false,
      () => current.resolver,
      () => nowMs,
    );

    const post = await postBy(names);
    expect(await post()).to.deep.equal(unresolved);
    current = second;
    nowMs = 5_000;
    expect(await post()).to.deep.equal(accepted);
  });

  it('H256: reaches a receiver that has only IPv4 although name servers add NAT64 addresses', async () => {
    for (const prefix of ['64:ff9b::', '2a00:64::']) {
      let inside = '7f00:1';
      const server = await startServer((name, type) => {
        if (name === 'ipv4only.arpa') return [`${prefix}c000:aa`, `${prefix}c000:ab`];
        return type === 'A' ? ['127.0.0.1'] : [`${prefix}${inside}`];
      });

      const post = await postBy(dnsNames(() => server.resolver));
      expect(await post(), prefix).to.deep.equal(accepted);
      receiver.dropConnections();

      // An address that the network would translate to 10.0.0.1.
      inside = 'a00:1';
      expect(await post(`[${prefix}${inside}]`), prefix).to.deep.equal(blocked);

      const fresh = await postBy(dnsNames(() => server.resolver));
      expect(await fresh(), prefix).to.deep.equal(blocked);
    }
  });
});

const hourMs = 3_600_000;
const body = Buffer.from('{}');

describe('a TLS session that is resumed', () => {
  let sockets: ClientSockets;
  let webhookClient: WebhookClient;
  let receiver: Receiver;
  let passedMs: number;

  const start = async (options: ReceiverOptions) => {
    const { caFile } = await testAuthority();
    passedMs = 0;
    const now = () => Date.now() + passedMs;
    const allowPrivateTargets = { kind: 'private' } as const;
    webhookClient = createWebhookClient({ timeoutMs: 5_000, allowPrivateTargets, caFile, now });
    receiver = await startReceiver(options);
  };

  /** Posts over a new connection; whether that resumed a session, undefined when it failed. */
  const postOnNewConnection = async (): Promise<{
    outcome: Outcome;
    reused: boolean | undefined;
  }> => {
    receiver.dropConnections();
    await eventually(() => expect(sockets.open).to.have.length(0), 'all are closed');
    const before = sockets.to(receiver.port).length;
    const { outcome } = await webhookClient.post(receiver.url(), {}, body);
    const socket = sockets.to(receiver.port)[before] as Partial<TLSSocket> | undefined;
    return { outcome, reused: socket?.isSessionReused?.() };
  };

  beforeEach(() => {
    sockets = watchClientSockets();
  });

  afterEach(async () => {
    sockets.end();
    await Promise.all([webhookClient.close(), receiver.close()]);
  });

  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
    it(`H116: does not resume a session after its certificate has expired (${version})`, async () => {
      await start({ certificate: { validMs: 8_000 }, tls: { maxVersion: version } });
      expect((await postOnNewConnection()).reused).to.equal(false);
      expect((await postOnNewConnection()).reused).to.equal(true);
      await eventually(async () => {
        expect((await postOnNewConnection()).outcome).to.deep.equal({
          kind: 'unreachable',
          reason: 'tls_certificate_expired',
        });
      }, 'the certificate has expired');
    });

    it(`H116: ends a session an hour after the handshake that it began with (${version})`, async () => {
      await start({ tls: { maxVersion: version } });
      expect((await postOnNewConnection()).reused).to.equal(false);
      // Each of these brings a new ticket, which must not restart the hour.
      for (const minutes of [20, 40, 59]) {
        passedMs = minutes * 60_000;
        expect(await postOnNewConnection(), `${minutes} min`).to.include({ reused: true });
      }
      passedMs = hourMs + 1_000;
      expect(await postOnNewConnection()).to.include({ reused: false });
      expect(await postOnNewConnection()).to.include({ reused: true });
    });
  }

  it('H116: ends a connection that is in use all the time with its session', async () => {
    await start({});
    for (const minutes of [0, 30, 59]) {
      passedMs = minutes * 60_000;
      expect((await webhookClient.post(receiver.url(), {}, body)).outcome.kind).to.equal(
        'accepted',
      );
    }
    expect(receiver.connections.accepted).to.equal(1);
    passedMs = hourMs + 1_000;
    expect((await webhookClient.post(receiver.url(), {}, body)).outcome.kind).to.equal('accepted');
    expect(receiver.connections.accepted).to.equal(2);
    await eventually(() => expect(receiver.connections.open).to.equal(1), 'the first is closed');
    const [, second] = sockets.to(receiver.port) as readonly Partial<TLSSocket>[];
    expect(second?.isSessionReused?.()).to.equal(false);
  });

  it('H116: resumes no session by a clock that was set back', async () => {
    await start({});
    await postOnNewConnection();
    passedMs = -hourMs;
    expect(await postOnNewConnection()).to.include({ reused: false });
  });
});
