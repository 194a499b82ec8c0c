import { expect } from 'chai';
import { createPoster, type Poster, type PosterOptions } from '../../../src/outbound/post.js';
import {
  askNameServer,
  type Resolve,
  type ResolvedAddress,
} from '../../../src/outbound/resolve.js';
import { testAuthority } from '../../support/authority.js';
import { answer } from '../../support/behaviours.js';
import { eventually } from '../../support/eventually.js';
import { startNameServer, type NameServer, type Zone } from '../../support/name-server.js';
import { startReceiver, type Receiver } from '../../support/receiver.js';
import { closedAddresses } from '../../unit/outbound/ranges.js';

const blocked = { kind: 'refused', reason: 'blocked_destination' };
const accepted = { kind: 'accepted', status: 200 };
const bracketed = (address: string) => (address.includes(':') ? `[${address}]` : address);

describe('the guard against private targets', () => {
  const posters: Poster[] = [];
  const servers: NameServer[] = [];
  let canary: Receiver;

  before(async () => {
    canary = await startReceiver();
  });

  afterEach(async () => {
    await Promise.all([...posters.splice(0), ...servers.splice(0)].map((each) => each.close()));
    expect(canary.connections.accepted, 'connections to the canary').to.equal(0);
  });

  after(() => canary.close());

  const poster = async (options: Partial<PosterOptions> = {}) => {
    // Only what may connect needs the authority, which takes long to load.
    const caFile = options.allowPrivateTargets ? (await testAuthority()).caFile : undefined;
    const allowPrivateTargets = { kind: 'none' } as const;
    const created = createPoster({ timeoutMs: 3_000, allowPrivateTargets, caFile, ...options });
    posters.push(created);
    return async (url: string) => (await created.post(url, {}, Buffer.from('{}'))).outcome;
  };
  const answering = (...addresses: string[]): Resolve => {
    const answers = addresses.map((address): ResolvedAddress => ({
      address,
      family: address.includes(':') ? 6 : 4,
    }));
    return () => Promise.resolve(answers);
  };
  const nameServer = async (zone: Zone) => {
    const server = await startNameServer(zone);
    servers.push(server);
    return server;
  };

  for (const [range, addresses] of Object.entries(closedAddresses)) {
    it(`H4: ${range} is refused as a literal, as an A or AAAA record and in a mixed answer`, async () => {
      const zone = { answer: [''] };
      const post = await poster({ resolve: (name) => answering(...zone.answer)(name) });
      for (const address of addresses) {
        const url = `https://${bracketed(address)}:${canary.port}/`;
        expect(await post(url), `literal ${address}`).to.deep.equal(blocked);
        for (zone.answer of [[address], ['192.0.1.1', address], [address, '2a00::1']]) {
          const outcome = await post(`https://a.example:${canary.port}/`);
          expect(outcome, zone.answer.join()).to.deep.equal(blocked);
        }
      }
    });
  }

  it('H4: no spelling of a loopback address gets through', async () => {
    const post = await poster();
    for (const host of [
      ...['127.0.0.1', '127.1', '0x7f.1', '0x7f000001', '2130706433', '0177.0.0.1', '127.0.0.1.'],
      ...['①②⑦.0.0.1', '127。0。0。1', '%31%32%37.0.0.1', '0', '0.0.0.0', '[::1]', '[::]'],
      ...['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:ffff:127.0.0.1]', '[::127.0.0.1]'],
      ...['localhost', 'LOCALHOST', 'localhost.', 'a.localhost'],
    ]) {
      const outcome = await post(`https://${host}:${canary.port}/`);
      const unresolved = outcome.kind === 'unreachable' && outcome.reason === 'dns_failure';
      if (!unresolved) expect(outcome, host).to.deep.equal(blocked);
    }
  });

  it('H4: metadata addresses stay closed whatever the operator opens', async () => {
    for (const allowPrivateTargets of [
      { kind: 'private' },
      { kind: 'cidrs', cidrs: ['0.0.0.0/0', '::/0'] },
    ] as const) {
      const zone = { answer: '' };
      const resolve: Resolve = (name) => answering(zone.answer)(name);
      const post = await poster({ allowPrivateTargets, resolve, caFile: undefined });
      for (zone.answer of ['169.254.169.254', 'fd00:ec2::254', '::ffff:a9fe:a9fe']) {
        for (const host of [bracketed(zone.answer), 'metadata.example']) {
          expect(await post(`https://${host}/`)).to.deep.equal(blocked);
        }
      }
    }
  });

  it('H64: a redirect to a private address is an answer, not a way', async () => {
    const receiver = await startReceiver();
    receiver.always(answer(307, { location: canary.url() }));
    const allowPrivateTargets = { kind: 'cidrs', cidrs: ['127.0.0.0/8'] } as const;
    const post = await poster({ allowPrivateTargets });
    expect(await post(receiver.url())).to.deep.equal({ kind: 'rejected', status: 307 });
    await receiver.close();
  });

  it('answers of a real name server are judged whole', async () => {
    const zones: Readonly<Record<string, readonly string[]>> = {
      'a.example': ['127.0.0.1'],
      'aaaa.example': ['::1'],
      'both.example': ['192.0.1.1', '::1'],
      'two.example': ['192.0.1.1', '127.0.0.1'],
      'mapped.example': ['::ffff:127.0.0.1'],
    };
    const server = await nameServer((name) => zones[name] ?? []);
    const post = await poster({ resolve: askNameServer(server.resolver) });
    for (const name of Object.keys(zones)) {
      expect(await post(`https://${name}:${canary.port}/`), name).to.deep.equal(blocked);
    }
    expect(await post('https://none.example/')).to.deep.equal({
      kind: 'unreachable',
      reason: 'dns_failure',
    });
  });

  describe('with a name that changes its address', () => {
    // Opened is 127.0.0.2 only, so that both addresses are of this machine.
    const allowPrivateTargets = { kind: 'cidrs', cidrs: ['127.0.0.2/32'] } as const;
    let honest: Receiver;
    let target: Receiver;

    before(async () => {
      honest = await startReceiver({ host: '127.0.0.2', certificate: { names: ['r.example'] } });
      target = await startReceiver({ port: honest.port, certificate: { names: ['r.example'] } });
    });

    after(() => Promise.all([honest.close(), target.close()]));

    it('H4: rebinding was tried 200 times and reached the private address never', async () => {
      let asked = 0;
      const server = await nameServer((_name, type) => {
        if (type === 'AAAA') return [];
        asked += 1;
        return asked % 2 === 0 ? ['127.0.0.1'] : ['127.0.0.2'];
      });
      honest.always(answer(200, { connection: 'close' }));
      const post = await poster({ allowPrivateTargets, resolve: askNameServer(server.resolver) });
      const kinds = new Map<string, number>();
      for (let n = 0; n < 200; n += 1) {
        const { kind } = await post(`https://r.example:${honest.port}/`);
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      }
      expect(Object.fromEntries(kinds)).to.deep.equal({ accepted: 100, refused: 100 });
      expect(asked).to.equal(200);
      expect(honest.requests).to.have.length(100);
      expect(target.connections.accepted).to.equal(0);
    });

    it('a kept connection stays with the address that was judged', async () => {
      let address = '127.0.0.2';
      const server = await nameServer((_name, type) => (type === 'A' ? [address] : []));
      honest.always(answer(200));
      const post = await poster({ allowPrivateTargets, resolve: askNameServer(server.resolver) });
      const url = `https://r.example:${honest.port}/`;
      expect(await post(url)).to.deep.equal(accepted);
      address = '127.0.0.1';
      expect(await post(url)).to.deep.equal(accepted);
      honest.dropConnections();
      await eventually(() => expect(honest.connections.open).to.equal(0), 'it is closed');
      expect(await post(url)).to.deep.equal(blocked);
      expect(target.connections.accepted).to.equal(0);
    });

    it('names whose servers never answer delay no other receiver', async () => {
      const server = await nameServer((name, type) => {
        if (name.endsWith('.hang.example')) return undefined;
        return type === 'A' ? ['127.0.0.2'] : [];
      });
      honest.always(answer(200));
      const post = await poster({ allowPrivateTargets, resolve: askNameServer(server.resolver) });
      const hanging = Array.from({ length: 50 }, (_, n) => post(`https://${n}.hang.example/`));
      const first = await Promise.race([post(`https://r.example:${honest.port}/`), ...hanging]);
      expect(first).to.deep.equal(accepted);
      for (const outcome of await Promise.all(hanging)) {
        expect(outcome).to.deep.equal({ kind: 'unreachable', reason: 'dns_failure' });
      }
    });
  });
});
