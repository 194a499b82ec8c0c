import { expect } from 'chai';
import { decideRequest, type PastRequest } from '../../../../src/domain/session/sign-in-links.js';
import {
  hashSecret,
  makeCode,
  normalizeCode,
} from '../../../../src/domain/session/secret-tokens.js';
import { decideCode, type OpenLink } from '../../../../src/domain/session/redeem-link.js';
import { Sealer } from '../../../../src/domain/values/sealer.js';
import {
  knowsAddress,
  openKnownBrowser,
  sealKnownBrowser,
  withAddress,
} from '../../../../src/domain/session/known-browser.js';

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

  it('gives a browser that has signed in with the address its own limit', () => {
    const strangers = each(20, (index) => past(1, [`n${index}`]));
    const known = { networks: ['n0'], knownBrowser: 'k' };
    const own = each(3, () => ({ networks: ['n0'], knownBrowser: 'k', ageMs: minute }));
    expect(decideRequest(strangers, known)).to.equal(undefined);
    expect(decideRequest(own, known)?.limit).to.equal('browser');
    expect(decideRequest(own, { ...known, knownBrowser: 'other' })).to.equal(undefined);
    expect(decideRequest(own, stranger(['n0']))).to.equal(undefined);
  });

  it('counts requests without a network, as the previous release stored them, towards the total', () => {
    const earlier = each(20, () => ({ networks: null, knownBrowser: null, ageMs: minute }));
    expect(decideRequest(earlier, stranger(['new']))?.limit).to.equal('address');
  });
});

const link = (changes: Partial<OpenLink> = {}): OpenLink => ({
  id: 'lnk_1',
  accountId: 'acc_1',
  memberId: 'mem_1',
  tries: 0,
  codeSha256: hashSecret('ABCD-EFGH'),
  ...changes,
});
const right = hashSecret('ABCD-EFGH');
const wrong = hashSecret('2222-2222');

describe('decideCode', () => {
  it('opens the link that has the code', () => {
    const other = link({ id: 'lnk_2', accountId: 'acc_2', codeSha256: wrong });
    const holder = { accountId: 'acc_1', memberId: 'mem_1' };
    expect(decideCode([other, link()], right)).to.deep.equal({ link: 'lnk_1', holder });
  });

  it('refuses without a link, and after five tries of the browser', () => {
    expect(decideCode([], right)).to.deep.equal({ refused: 'link_expired' });
    const tried = [link(), link({ id: 'lnk_2', tries: 5 })];
    expect(decideCode(tried, right)).to.deep.equal({ refused: 'link_expired' });
  });

  it('counts a try for an address without a member, whose code opens nothing', () => {
    const decoy = link({ accountId: null, memberId: null, tries: 1 });
    for (const code of [right, wrong]) {
      expect(decideCode([decoy], code)).to.deep.equal({ refused: 'wrong_code', triesLeft: 3 });
    }
  });
});

describe('a code', () => {
  it('a code has eight letters and digits that people do not mix up', () => {
    for (let count = 0; count < 100; count += 1) {
      expect(makeCode()).to.match(/^[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}$/);
    }
  });

  it('accepts a code with other spacing and in lower case', () => {
    for (const typed of ['ABCD-EFGH', 'abcdefgh', ' ab cd ef-gh ']) {
      expect(normalizeCode(typed)).to.equal('ABCD-EFGH');
    }
    expect(normalizeCode('')).to.equal('-');
  });
});

const sealer = new Sealer([{ id: 'k1', key: Buffer.alloc(32, 1) }]);

describe('a browser that has signed in before', () => {
  it('remembers at most five addresses of a browser, in any case, and keeps its id', () => {
    let known = withAddress(undefined, 'Ann@shop.example');
    const { id } = known;
    for (let number = 0; number < 4; number += 1)
      known = withAddress(known, `${number}@shop.example`);
    known = withAddress(known, '0@shop.example');
    expect(knowsAddress(known, 'ann@SHOP.example')).to.equal(true);
    known = withAddress(known, 'last@shop.example');
    expect(knowsAddress(known, 'ann@shop.example')).to.equal(false);
    expect(known.id).to.equal(id);
    expect(known.addresses).to.have.length(5);
  });

  it('recognises a browser by a cookie that only the service can make', () => {
    const known = withAddress(undefined, 'ann@shop.example');
    const value = sealKnownBrowser(sealer, known);
    expect(value).to.match(/^[\w.-]{1,500}$/);
    expect(openKnownBrowser(sealer, value)).to.deep.equal(known);
    const other = new Sealer([{ id: 'k1', key: Buffer.alloc(32, 2) }]);
    expect(openKnownBrowser(other, value)).to.equal(undefined);
    const sealedForOther = sealer.seal(JSON.stringify(known), 'lnk_1').sealed.toString('base64url');
    for (const forged of [undefined, '', 'x', 'x.y', `azE.${sealedForOther}`, `${value}A`]) {
      expect(openKnownBrowser(sealer, forged), forged).to.equal(undefined);
    }
  });

  it('forgets a browser once the key that sealed its cookie is removed', () => {
    const value = sealKnownBrowser(sealer, withAddress(undefined, 'ann@shop.example'));
    const later = new Sealer([{ id: 'k2', key: Buffer.alloc(32, 1) }]);
    expect(openKnownBrowser(later, value)).to.equal(undefined);
  });
});
