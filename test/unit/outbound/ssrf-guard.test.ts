import type { LookupAddress } from 'node:dns';
import { expect } from 'chai';
import { createEgressPolicy } from '../../../src/domain/endpoint/egress-policy.js';
import type { PrivateTargets } from '../../../src/domain/private-targets.js';
import { ssrfGuardedLookup } from '../../../src/outbound/ssrf/ssrf-guard.js';
import { dnsResolver, defaultResolver } from '../../../src/outbound/ssrf/resolve.js';

type Answer = readonly { address: string; family: 4 | 6 }[];

describe('the guarded lookup', () => {
  const v4 = { address: '1.1.1.1', family: 4 } as const;
  const v6 = { address: '2606:4700::1111', family: 6 } as const;
  const inside = { address: '10.0.0.1', family: 4 } as const;

  const lookup = (answer: Answer, options: object, policy: PrivateTargets = { kind: 'none' }) =>
    new Promise<{ error: Error | null; address: string | LookupAddress[]; family?: number }>(
      (resolve) => {
        const guarded = ssrfGuardedLookup(
          () => Promise.resolve(answer),
          createEgressPolicy(policy),
        );
        guarded('a.example', options, (error, address, family) =>
          resolve({ error, address, ...(family === undefined ? {} : { family }) }),
        );
      },
    );

  it('answers all addresses when all are asked for', async () => {
    expect((await lookup([v4, v6], { all: true })).address).to.deep.equal([v4, v6]);
  });

  it('answers the first address when one is asked for', async () => {
    expect(await lookup([v4, v6], {})).to.include({ address: '1.1.1.1', family: 4 });
    expect(await lookup([v4, v6], { family: 6 })).to.include({ address: v6.address, family: 6 });
  });

  it('refuses the whole answer when one address of it is closed, whichever is asked for', async () => {
    for (const options of [{ all: true }, {}, { family: 6 }, { family: 6, all: true }]) {
      for (const answer of [[inside], [v4, inside], [inside, v6], [v6, v4, inside]]) {
        const { error } = await lookup(answer, options);
        expect(error).to.include({ code: 'ERR_BLOCKED_DESTINATION' });
        expect(error?.message).not.to.match(/\d/);
      }
    }
  });

  it('lets an address through that the operator opened', async () => {
    const { address } = await lookup([inside], {}, { kind: 'private' });
    expect(address).to.equal('10.0.0.1');
  });

  it('says unresolved when the wanted family has no address', async () => {
    for (const options of [{ family: 4 }, { family: 4, all: true }]) {
      expect((await lookup([v6], options)).error).to.include({ code: 'ERR_NAME_UNRESOLVED' });
    }
  });
});

describe('resolving a receiver', () => {
  const nothing = () => Promise.reject(new Error('ENODATA'));

  it('joins A and AAAA records and does with one of them', async () => {
    const resolve4 = () => Promise.resolve(['1.1.1.1', '1.0.0.1']);
    const resolve6 = () => Promise.resolve(['2606:4700::1111']);
    expect(await dnsResolver({ resolve4, resolve6 })('a.example')).to.have.length(3);
    expect(await dnsResolver({ resolve4, resolve6: nothing })('a.example')).to.have.length(2);
    expect(await dnsResolver({ resolve4: nothing, resolve6 })('a.example')).to.have.length(1);
  });

  it('a name without any address is unresolved', async () => {
    const ask = dnsResolver({ resolve4: nothing, resolve6: () => Promise.resolve([]) });
    const error = await ask('a.example').catch((reason: unknown) => reason);
    expect(error).to.include({ code: 'ERR_NAME_UNRESOLVED' });
  });

  it('localhost comes from the machine, whose name servers may not know it', async () => {
    const mayConnect = createEgressPolicy({ kind: 'private' });
    for (const useSystemResolver of [true, false]) {
      const addresses = await defaultResolver(useSystemResolver)('localhost');
      expect(addresses.length).to.be.at.least(1);
      expect(addresses.every(({ address }) => mayConnect(address))).to.equal(true);
    }
  });
});
