import { expect } from 'chai';
import { createEgressPolicy } from '../../../src/domain/endpoint/egress-policy.js';
import {
  dnsNames,
  machineNames,
  type NameServer,
  type Resolution,
} from '../../../src/outbound/resolve.js';

const silence = () => new Promise<string[]>(() => undefined);
const addressesIn = ({ addresses }: Resolution) => addresses.map(({ address }) => address);

function serverOf(...addresses: readonly string[]): NameServer {
  return {
    resolve4: () => Promise.resolve(addresses.filter((address) => !address.includes(':'))),
    resolve6: () => Promise.resolve(addresses.filter((address) => address.includes(':'))),
  };
}

describe('resolving a receiver', () => {
  const nothing = () => Promise.reject(Object.assign(new Error('none'), { code: 'ENODATA' }));
  const namesOf = (server: Partial<NameServer>) =>
    dnsNames(() => ({ resolve4: nothing, resolve6: nothing, ...server }));

  it('joins A and AAAA records, and needs only one of them', async () => {
    const resolve4 = () => Promise.resolve(['1.1.1.1', '1.0.0.1']);
    const resolve6 = () => Promise.resolve(['2606:4700::1111']);
    for (const [server, expected] of [
      [{ resolve4, resolve6 }, ['1.1.1.1', '1.0.0.1', '2606:4700::1111']],
      [{ resolve4 }, ['1.1.1.1', '1.0.0.1']],
      [{ resolve6 }, ['2606:4700::1111']],
    ] as const) {
      const resolution = await namesOf(server).resolve('a.example');
      expect(addressesIn(resolution)).to.deep.equal(expected);
      expect(resolution.late).to.equal(undefined);
    }
  });

  it('fails for a name without any address', async () => {
    for (const empty of [() => Promise.resolve([]), nothing]) {
      const error = await namesOf({ resolve4: empty })
        .resolve('a.example')
        .catch((reason: unknown) => reason);
      expect(error).to.include({ code: 'ERR_NAME_UNRESOLVED' });
    }
  });

  it('H256: does not wait for the family that the name servers leave unanswered', async () => {
    const v4 = await namesOf({
      resolve4: () => Promise.resolve(['1.1.1.1']),
      resolve6: silence,
    }).resolve('a.example');
    expect(addressesIn(v4)).to.deep.equal(['1.1.1.1']);
    expect(v4.late).to.be.instanceOf(Promise);
    const v6 = await namesOf({
      resolve4: silence,
      resolve6: () => Promise.resolve(['2606::1']),
    }).resolve('a.example');
    expect(addressesIn(v6)).to.deep.equal(['2606::1']);
    expect(v6.late).to.be.instanceOf(Promise);
  });

  it('H256: returns the addresses of the slower family when they arrive', async () => {
    let answer: (addresses: string[]) => void = () => undefined;
    const slow = new Promise<string[]>((resolve) => (answer = resolve));
    const { addresses, late } = await namesOf({
      resolve4: () => Promise.resolve(['1.1.1.1']),
      resolve6: () => slow,
    }).resolve('a.example');
    expect(addresses).to.have.length(1);
    answer(['2606::1']);
    expect(await late).to.deep.equal([{ address: '2606::1', family: 6 }]);
  });

  it('waits for the slower family when the other one has no address', async () => {
    let answer: (addresses: string[]) => void = () => undefined;
    const slow = new Promise<string[]>((resolve) => (answer = resolve));
    const resolution = namesOf({ resolve6: () => slow }).resolve('a.example');
    answer(['2606::1']);
    expect(addressesIn(await resolution)).to.deep.equal(['2606::1']);
  });

  it('resolves localhost by the machine, whose name servers may not know it', async () => {
    const mayConnect = createEgressPolicy({ kind: 'private' });
    for (const useSystemResolver of [true, false]) {
      const { addresses } = await machineNames(useSystemResolver).resolve('localhost');
      expect(addresses.length).to.be.at.least(1);
      expect(addresses.every(({ address }) => mayConnect(address))).to.equal(true);
    }
  });
});

describe('the name servers of a machine', () => {
  it('H256: reads the name servers of the machine again after five seconds', async () => {
    const created: NameServer[] = [];
    let nowMs = 0;
    let address = '192.0.1.1';
    const createClient = () => {
      const client = serverOf(address);
      created.push(client);
      return client;
    };

    const names = machineNames(false, createClient, () => nowMs);
    const resolved = async () => addressesIn(await names.resolve('a.example'));

    expect(await resolved()).to.deep.equal(['192.0.1.1']);
    address = '192.0.1.2';
    nowMs = 4_999;
    expect(await resolved()).to.deep.equal(['192.0.1.1']);
    nowMs = 5_000;
    expect(await resolved()).to.deep.equal(['192.0.1.2']);
    expect(created).to.have.length(2);
  });
});

describe('the prefixes of NAT64', () => {
  const prefix = { bytes: [0x20, 0x01, 0x0d, 0xb8, 0, 0x64, 0, 0, 0, 0, 0, 0], length: 96 };

  it('H256: finds the prefixes of NAT64 in the addresses of ipv4only.arpa, once per client', async () => {
    const asked: string[] = [];
    const server = {
      resolve4: () => Promise.resolve([]),
      resolve6: (name: string) => {
        asked.push(name);
        return Promise.resolve(['2001:db8:64::192.0.0.170', '2001:db8:64::192.0.0.171']);
      },
    };
    const names = dnsNames(() => server);
    expect(await names.nat64Prefixes()).to.deep.equal([prefix]);
    expect(await names.nat64Prefixes()).to.deep.equal([prefix]);
    expect(asked).to.deep.equal(['ipv4only.arpa']);
  });

  it('H256: the prefixes of NAT64 stay known while a new client waits for its answer, or gets none', async () => {
    let server: NameServer = serverOf('2001:db8:64::192.0.0.170');
    const names = dnsNames(() => server);
    expect(await names.nat64Prefixes()).to.deep.equal([prefix]);
    server = { resolve4: silence, resolve6: silence };
    expect(await names.nat64Prefixes()).to.deep.equal([prefix]);
    const refusing = () => Promise.reject(Object.assign(new Error('no'), { code: 'EREFUSED' }));
    server = { resolve4: refusing, resolve6: refusing };
    for (let n = 0; n < 3; n += 1) {
      expect(await names.nat64Prefixes()).to.deep.equal([prefix]);
    }
  });

  it('finds no prefix of NAT64 where the name servers know no IPv6 address of ipv4only.arpa', async () => {
    const none = () => Promise.reject(Object.assign(new Error('none'), { code: 'ENODATA' }));
    const names = dnsNames(() => ({ resolve4: none, resolve6: none }));
    expect(await names.nat64Prefixes()).to.deep.equal([]);
  });
});
