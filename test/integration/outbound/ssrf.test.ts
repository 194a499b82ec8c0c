import { expect } from 'chai';
import { createPoster, type Poster, type PosterOptions } from '../../../src/outbound/post.js';
import {
  askNameServer,
  type Resolve,
  type ResolvedAddress,
} from '../../../src/outbound/resolve.js';
import { guardedConnect } from '../../../src/outbound/target-guard.js';
import { trustedContext } from '../../../src/outbound/trust.js';
import { testAuthority } from '../../support/authority.js';
import { answer } from '../../support/behaviours.js';
import { eventually } from '../../support/eventually.js';
import { startNameServer, type NameServer } from '../../support/name-server.js';
import { startReceiver, type Receiver } from '../../support/receiver.js';
import { closedAddresses } from '../../unit/outbound/ranges.js';

const blocked = { kind: 'refused', reason: 'blocked_destination' };
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
    const server = await startNameServer((name) => zones[name] ?? []);
    servers.push(server);
    const post = await poster({ resolve: askNameServer(server.resolver) });
    for (const name of Object.keys(zones)) {
      expect(await post(`https://${name}:${canary.port}/`), name).to.deep.equal(blocked);
    }
    expect(await post('https://none.example/')).to.deep.equal({
      kind: 'unreachable',
      reason: 'dns_failure',
    });
  });

  it('the address of the peer is judged once more when the connection is up', async () => {
    const receiver = await startReceiver();
    const verdicts = [true, false];
    const connect = guardedConnect({
      resolve: answering('127.0.0.1'),
      mayDial: () => verdicts.shift() ?? false,
      trust: trustedContext((await testAuthority()).caFile),
      timeoutMs: 1_000,
    });
    const where = { hostname: 'localhost', protocol: 'https:', port: String(receiver.port) };
    const error = await new Promise((resolve) =>
      connect(
        where,
        () => undefined,
        (...[result]) => resolve(result),
      ),
    );
    expect(error).to.include({ code: 'ERR_BLOCKED_DESTINATION' });
    await eventually(() => expect(receiver.connections.open).to.equal(0), 'it is closed');
    await receiver.close();
  });
});
