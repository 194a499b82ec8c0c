import { expect } from 'chai';
import {
  createWebhookClient,
  type WebhookClient,
  type WebhookClientOptions,
} from '../../../src/outbound/post.js';
import { dnsNames } from '../../../src/outbound/resolve.js';
import { ssrfGuardedConnect } from '../../../src/outbound/ssrf-guard.js';
import { TlsCredentials } from '../../../src/outbound/tls-credentials.js';
import { hostSpellings } from '../../support/address-spellings.js';
import { testAuthority } from '../../support/authority.js';
import { answer } from '../../support/behaviours.js';
import { eventually } from '../../support/eventually.js';
import {
  fixedNames,
  startNameServer,
  type NameServer,
  type Zone,
} from '../../support/name-server.js';
import { startReceiver, type Receiver } from '../../support/receiver.js';
import { closedAddresses, sealedAddresses } from '../../unit/outbound/address-ranges.js';

const blocked = { kind: 'refused', reason: 'blocked_destination' };

describe('the guard against private targets', () => {
  const clients: WebhookClient[] = [];
  const servers: NameServer[] = [];
  let canary: Receiver;

  before(async () => {
    canary = await startReceiver();
  });

  afterEach(async () => {
    await Promise.all(
      [...clients.splice(0), ...servers.splice(0)].map((resource) => resource.close()),
    );
    expect(canary.connections.accepted, 'connections to the canary').to.equal(0);
  });

  after(() => canary.close());

  const openClient = async (options: Partial<WebhookClientOptions> = {}) => {
    // Only what may connect needs the authority, which takes long to load.
    const caFile = options.allowPrivateTargets ? (await testAuthority()).caFile : undefined;
    const allowPrivateTargets = { kind: 'none' } as const;
    const created = createWebhookClient({
      timeoutMs: 15_000,
      allowPrivateTargets,
      caFile,
      ...options,
    });
    clients.push(created);
    return async (url: string) => (await created.post(url, {}, Buffer.from('{}'))).outcome;
  };

  /** Posts to names that a DNS server of our own gives these addresses, in this order. */
  const namesPoster = async (options: Partial<WebhookClientOptions> = {}) => {
    const zone: { addresses: readonly string[] } = { addresses: [] };
    const server = await startNameServer(() => zone.addresses);
    servers.push(server);
    const post = await openClient({ names: dnsNames(() => server.resolver), ...options });
    const postTo = (url: string, ...addresses: readonly string[]) => {
      zone.addresses = addresses;
      return post(url);
    };
    return { post, postTo };
  };

  it('H4: dials no address of a closed range, in any spelling, A, AAAA or mixed answer', async () => {
    const { post, postTo } = await namesPoster();

    for (const [range, addresses] of Object.entries(closedAddresses)) {
      for (const address of addresses) {
        for (const host of hostSpellings(address)) {
          const outcome = await post(`https://${host}:${canary.port}/`);
          expect(outcome, `${range}: ${host}`).to.deep.equal(blocked);
        }

        for (const answer of [
          [address],
          ['192.0.1.1', address],
          [address, '192.0.1.1'],
          [address, '2a00::1'],
          ['2a00::1', '192.0.1.1', address],
        ]) {
          const outcome = await postTo(`https://a.example:${canary.port}/`, ...answer);
          expect(outcome, `${range}: ${answer.join()}`).to.deep.equal(blocked);
        }
      }
    }

    expect(await postTo('https://none.example/')).to.deep.equal({
      kind: 'unreachable',
      reason: 'dns_failure',
    });
  });

  it('H4: dials no name that the machine itself maps to a loopback address', async () => {
    const post = await openClient();
    for (const host of ['localhost', 'LOCALHOST', 'localhost.', 'a.localhost']) {
      const outcome = await post(`https://${host}:${canary.port}/`);
      const unresolved = outcome.kind === 'unreachable' && outcome.reason === 'dns_failure';
      if (!unresolved) expect(outcome, host).to.deep.equal(blocked);
    }
  });

  it('H4: no setting of the operator opens link-local and metadata addresses', async () => {
    for (const allowPrivateTargets of [
      { kind: 'private' },
      { kind: 'cidrs', cidrs: ['0.0.0.0/0', '::/0'] },
      { kind: 'cidrs', cidrs: ['169.254.0.0/16', 'fe80::/10', 'fd00:ec2::254/128'] },
    ] as const) {
      const { post, postTo } = await namesPoster({ allowPrivateTargets });

      for (const address of sealedAddresses) {
        for (const host of hostSpellings(address)) {
          expect(await post(`https://${host}/`), host).to.deep.equal(blocked);
        }
        const outcome = await postTo('https://metadata.example/', '192.0.1.1', address);
        expect(outcome, address).to.deep.equal(blocked);
      }
    }
  });

  it('H64: treats a redirect to a private address as an answer, and does not follow it', async () => {
    const receiver = await startReceiver();
    const allowPrivateTargets = { kind: 'cidrs', cidrs: ['127.0.0.0/8'] } as const;
    const post = await openClient({ allowPrivateTargets });
    for (const status of [300, 301, 302, 303, 305, 307, 308]) {
      receiver.script(answer(status, { location: canary.url(), refresh: `0; ${canary.url()}` }));
      expect(await post(receiver.url())).to.deep.equal({ kind: 'rejected', status });
    }
    expect(receiver.requests).to.have.length(7);
    await receiver.close();
  });

  it('checks the address of the peer again when the connection is open', async () => {
    const receiver = await startReceiver();
    const verdicts = [true, false];
    const { context } = new TlsCredentials({ caFile: (await testAuthority()).caFile });
    const connect = ssrfGuardedConnect({
      names: fixedNames('127.0.0.1'),
      mayConnect: () => verdicts.shift() ?? false,
      trust: () => context,
    });

    const error = await new Promise((resolve) => {
      connect({ host: 'localhost', port: receiver.port }, () => undefined, resolve);
    });
    expect(error).to.include({ code: 'ERR_BLOCKED_DESTINATION' });
    await eventually(() => expect(receiver.connections.open).to.equal(0), 'it is closed');
    await receiver.close();
  });
});

const accepted = { kind: 'accepted', status: 200 };

describe('a receiver whose name changes its address', () => {
  // Only 127.0.0.2 is allowed, and both addresses belong to this machine.
  const allowPrivateTargets = { kind: 'cidrs', cidrs: ['127.0.0.2/32'] } as const;
  let honest: Receiver;
  let canary: Receiver;
  let server: NameServer;
  let webhookClient: WebhookClient;

  /** Posts through a name server that answers from `zone`. */
  const postBy = async (zone: Zone) => {
    server = await startNameServer(zone);
    webhookClient = createWebhookClient({
      timeoutMs: 15_000,
      allowPrivateTargets,
      caFile: (await testAuthority()).caFile,
      names: dnsNames(() => server.resolver),
    });
    return async (url: string) => (await webhookClient.post(url, {}, Buffer.from('{}'))).outcome;
  };

  before(async () => {
    honest = await startReceiver({ host: '127.0.0.2', certificate: { names: ['r.example'] } });
    canary = await startReceiver({ port: honest.port, certificate: { names: ['r.example'] } });
  });

  afterEach(async () => {
    await Promise.all([webhookClient.close(), server.close()]);
    expect(canary.connections.accepted).to.equal(0);
  });

  after(() => Promise.all([honest.close(), canary.close()]));

  it('H4: reaches no private address in 200 attempts at rebinding', async () => {
    let asked = 0;
    const post = await postBy((_name, type) => {
      if (type === 'AAAA') return [];
      asked += 1;
      return asked % 2 === 0 ? ['127.0.0.1'] : ['127.0.0.2'];
    });

    honest.always(answer(200, { connection: 'close' }));

    const kinds = new Map<string, number>();
    for (let n = 0; n < 200; n += 1) {
      const { kind } = await post(`https://r.example:${honest.port}/`);
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }

    expect(Object.fromEntries(kinds)).to.deep.equal({ accepted: 100, refused: 100 });
    expect(asked).to.equal(200);
    expect(honest.requests).to.have.length(100);
  });

  it('keeps a connection at the address that was checked', async () => {
    let address = '127.0.0.2';
    const post = await postBy((_name, type) => (type === 'A' ? [address] : []));
    honest.always(answer(200));
    const url = `https://r.example:${honest.port}/`;
    expect(await post(url)).to.deep.equal(accepted);
    address = '127.0.0.1';
    expect(await post(url)).to.deep.equal(accepted);
    honest.dropConnections();
    await eventually(() => expect(honest.connections.open).to.equal(0), 'it is closed');
    expect(await post(url)).to.deep.equal(blocked);
  });

  it('names whose servers never answer delay no other receiver', async () => {
    const post = await postBy((name, type) => {
      if (name.endsWith('.hang.example')) return undefined;
      return type === 'A' ? ['127.0.0.2'] : [];
    });
    honest.always(answer(200));
    const hanging = Array.from({ length: 50 }, (_, n) => post(`https://${n}.hang.example/`));
    const first = await Promise.race([post(`https://r.example:${honest.port}/`), ...hanging]);
    expect(first).to.deep.equal(accepted);
    for (const outcome of await Promise.all(hanging)) {
      expect(outcome).to.deep.equal({ kind: 'unreachable', reason: 'dns_failure' });
    }
  });
});
