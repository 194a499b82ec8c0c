import { expect } from 'chai';
import { decideRequest, type PastRequest } from '../../../src/domain/session/sign-in-links.js';

const minute = 60_000;
const ipv6 = (prefix: string) => [`${prefix}:1`, `${prefix}:0/56`, `${prefix}/48`];
const past = (ageMinutes: number, networks: readonly string[]): PastRequest => ({
  networks,
  knownBrowser: null,
  ageMs: ageMinutes * minute,
});
const stranger = (networks: readonly string[]) => ({ networks, knownBrowser: null });
const each = (count: number, request: (index: number) => PastRequest) =>
  Array.from({ length: count }, (_, index) => request(index));

describe('decideRequest', () => {
  it('refuses the fourth request of a network until the first is 15 minutes old', () => {
    const requests = [past(14, ['a']), past(10, ['a']), past(1, ['a'])];
    expect(decideRequest(requests, stranger(['a']))).to.deep.equal({
      limit: 'network',
      retryAfterMs: minute,
    });
    expect(decideRequest(requests, stranger(['b']))).to.equal(undefined);
    expect(decideRequest([past(15, ['a']), ...requests.slice(1)], stranger(['a']))).to.equal(
      undefined,
    );
  });

  it('also limits a /56 and a /48 of IPv6, to more requests', () => {
    const [, middle = '', wide = ''] = ipv6('2001:db8:1');
    const asked = (networks: readonly string[], count: number) =>
      decideRequest(
        each(count, () => past(1, networks)),
        stranger(['new', middle, wide]),
      )?.limit;
    expect(asked(['x', middle, wide], 5)).to.equal(undefined);
    expect(asked(['x', middle, wide], 6)).to.equal('network');
    expect(asked(['x', 'y', wide], 8)).to.equal(undefined);
    expect(asked(['x', 'y', wide], 9)).to.equal('network');
  });

  it('reserves half of the mails for networks that requested few', () => {
    const requests = each(10, (index) => past(20 + index, [`n${index}`]));
    expect(decideRequest(requests, stranger(['n0']))).to.deep.equal({
      limit: 'address',
      retryAfterMs: (60 - 29) * minute,
    });
    expect(decideRequest(requests, stranger(['new']))).to.equal(undefined);
    const all = each(20, (index) => past(20 + index, [`n${index}`]));
    expect(decideRequest(all, stranger(['new']))?.limit).to.equal('address');
  });

  it('gives a browser that signed the address in its own limit', () => {
    const strangers = each(20, (index) => past(1, [`n${index}`]));
    const known = { networks: ['n0'], knownBrowser: 'k' };
    const own = each(3, () => ({ networks: ['n0'], knownBrowser: 'k', ageMs: minute }));
    expect(decideRequest(strangers, known)).to.equal(undefined);
    expect(decideRequest(own, known)?.limit).to.equal('browser');
    expect(decideRequest(own, { ...known, knownBrowser: 'other' })).to.equal(undefined);
    expect(decideRequest(own, stranger(['n0']))).to.equal(undefined);
  });

  it('counts requests without networks, as the previous release stored them, among all', () => {
    const earlier = each(20, () => ({ networks: null, knownBrowser: null, ageMs: minute }));
    expect(decideRequest(earlier, stranger(['new']))?.limit).to.equal('address');
  });
});
