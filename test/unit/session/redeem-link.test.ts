import { expect } from 'chai';
import { hashSecret, makeCode, normalizeCode } from '../../../src/domain/session/secret-tokens.js';
import { decideCode, type OpenLink } from '../../../src/domain/session/redeem-link.js';

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
  it('has eight letters and digits that people do not mix up', () => {
    for (let count = 0; count < 100; count += 1) {
      expect(makeCode()).to.match(/^[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}$/);
    }
  });

  it('may be typed with other spacing and in lower case', () => {
    for (const typed of ['ABCD-EFGH', 'abcdefgh', ' ab cd ef-gh ']) {
      expect(normalizeCode(typed)).to.equal('ABCD-EFGH');
    }
    expect(normalizeCode('')).to.equal('-');
  });
});
