import { expect } from 'chai';
import { choosePrimary, type HostState, stateOf } from '../../../src/database/primary.js';
import { hostName, hostUrls } from '../../../src/database/address.js';
import dns from 'node:dns';

const primary = (url: string, timeline: number): HostState => ({ url, isStandby: false, timeline });
/** Without a timeline it cannot say it. */
const standby = (url: string, timeline = 0): HostState => ({ url, isStandby: true, timeline });

describe('the hosts of a database', () => {
  it('returns one URL for each host, with the same user, database and options', () => {
    const one = 'postgres://me:a%40b@one:5433/shop?options=-c+jit%3Doff';
    expect(hostUrls(one)).to.deep.equal([one]);
    expect(hostUrls('postgres://me:p,w@one:5433,[::1],two/shop?x=a,b')).to.deep.equal([
      'postgres://me:p,w@one:5433/shop?x=a,b',
      'postgres://me:p,w@[::1]/shop?x=a,b',
      'postgres://me:p,w@two/shop?x=a,b',
    ]);
    expect(hostUrls('postgres:///shop?host=/run/one,/run/two')).to.have.lengthOf(1);
    expect(hostName('postgres://me@[::1]/shop')).to.equal('[::1]:5432');
  });

  it('chooses the only host that takes writes', () => {
    const hosts = [standby('one'), primary('two', 4)];
    expect(choosePrimary(hosts, 4)).to.deep.equal({ primary: hosts[1] });
  });

  it('chooses the promoted host over a former primary', () => {
    const hosts = [primary('one', 4), primary('two', 5), standby('three')];
    expect(choosePrimary(hosts, 4)).to.deep.equal({ primary: hosts[1] });
  });

  it('chooses a primary whose standbys are behind or cannot report their timeline', () => {
    for (const behind of [standby('two', 5), standby('two', 4), standby('two')]) {
      const hosts = [primary('one', 5), behind];
      expect(choosePrimary(hosts, 0)).to.deep.equal({ primary: hosts[0] });
    }
  });

  it('chooses no host while only standbys or a former primary answer, or two primaries share a timeline', () => {
    const reasons = [
      choosePrimary([], 0),
      choosePrimary([standby('one')], 4),
      choosePrimary([primary('one', 4), standby('two')], 5),
      choosePrimary([primary('one', 4), standby('two', 5)], 0),
      choosePrimary([primary('one', 4), primary('two', 4), standby('three', 5)], 4),
      choosePrimary([primary('one', 5), primary('two', 5)], 5),
    ].map((choice) => ('reason' in choice ? choice.reason : 'a primary'));

    expect(reasons).to.deep.equal([
      'no host that answers takes writes',
      'no host that answers takes writes',
      'only a former primary takes writes',
      'only a former primary takes writes',
      'only a former primary takes writes',
      'several hosts take writes on the same timeline',
    ]);
  });
});

describe('lookups of the name of a host', () => {
  const { lookup } = dns;
  const pending: ((error: Error) => void)[] = [];

  before(() => {
    const slow = (_name: string, _options: unknown, callback: (error: Error) => void) =>
      void pending.push(callback);
    dns.lookup = slow as never;
  });

  after(() => {
    dns.lookup = lookup;
  });

  it('shares one lookup of a name at a time, because each takes one of four threads of the process', async () => {
    const url = 'postgres://user@slow.example/db';
    for (let search = 0; search < 3; search += 1) {
      const failure = await stateOf(url).catch((error: unknown) => error);
      expect(failure).to.be.an('error');
    }
    expect(pending).to.have.lengthOf(1);
    for (const fail of pending) fail(new Error('no such name'));
    await stateOf(url).catch(() => undefined);
    expect(pending, 'the next search looks again').to.have.lengthOf(2);
    for (const fail of pending) fail(new Error('no such name'));
  });
});
