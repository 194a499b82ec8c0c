import { expect } from 'chai';
import {
  emailIssues,
  isSameMailbox,
  mailboxOf,
  storedMailbox,
} from '../../../../src/domain/values/email.js';

const codeOf = (address: string) => emailIssues('notification_email', address)[0]?.code;

describe('emailIssues', () => {
  it('H5: accepts addresses that mail servers accept', () => {
    const longest = `${'a'.repeat(242)}@example.com`;
    for (const address of [
      'ops@example.com',
      'first.last+tag@sub.example.co.uk',
      "o'neil@example.com",
      'jürgen@bücher.example',
      longest,
    ]) {
      expect(codeOf(address), address).to.equal(undefined);
    }
    expect(longest).to.have.length(254);
  });

  it('H5: refuses an address without exactly one @, a local part and a dotted domain', () => {
    for (const address of [
      '',
      'ops',
      '@example.com',
      'ops@',
      'ops@localhost',
      'ops@example.',
      'ops@.com',
      'a@b@example.com',
    ]) {
      expect(codeOf(address), address).to.equal('invalid_format');
    }
  });

  it('H5: refuses an address with spaces, control characters or parts of a mail header', () => {
    for (const address of [
      ' ops@example.com',
      'ops@example.com ',
      'o ps@example.com',
      'ops@example.com\nBcc: a@b.example',
      'ops@example.com\u2028',
      'ops@example.com\u007f',
      'a@b.example,c',
      'Ops<ops@example.com>',
    ]) {
      expect(codeOf(address), JSON.stringify(address)).to.equal('invalid_format');
    }
  });

  it('refuses an address of 255 characters, and one that cannot be stored', () => {
    expect(codeOf(`${'a'.repeat(243)}@example.com`)).to.equal('too_long');
    expect(codeOf('a\0@example.com')).to.equal('invalid_value');
    expect(codeOf('a\udc00@example.com')).to.equal('invalid_value');
  });
});

describe('mailboxOf', () => {
  /** Spellings of one address each. */
  const same = [
    ['kim@b.example', 'KIM@B.Example'],
    [
      'x@m\u00fcnchen.de',
      'X@xn--mnchen-3ya.de',
      'x@M\u00dcNCHEN.DE',
      'x@mu\u0308nchen.de',
      'x@XN--MNCHEN-3YA.de',
    ],
    ['x@stra\u00dfe.de', 'x@xn--strae-oqa.de'],
    ['x@\uff45xample.com', 'x@example.com'],
    ['x@\u4f8b\u3048.jp', 'x@xn--r8jz45g.jp'],
    ['x@\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444', 'x@xn--e1afmkfd.xn--p1ai'],
    ['x@a_b.m\u00fcnchen.de', 'x@a_b.xn--mnchen-3ya.de'],
  ];
  for (const [first = '', ...others] of same) {
    it(`H274: the mailbox is the same for ${[first, ...others].join(', ')}`, () => {
      for (const other of others) expect(mailboxOf(other)).to.equal(mailboxOf(first));
      expect(mailboxOf(first)).to.match(/^[\0-\x7f]+$/);
    });
  }

  /** Addresses of different people, although a URL may read one domain as the other. */
  const different = [
    ['\u212aim@x.example', 'kim@x.example'],
    ['\u00dcwe@x.example', '\u00fcwe@x.example'],
    ['m\u00fcller@x.example', 'xn--mller-kva@x.example'],
    ['x@a/\u00fc.com', 'x@a'],
    ['x@\u00fc.com/b.com', 'x@xn--tda.com'],
    ['x@1.2', 'x@1.0.0.2'],
    ['x@\uff11.\uff12', 'x@1.0.0.2'],
    ['x@0\uff587f.1', 'x@127.0.0.1'],
    ['x@a%b.com', 'x@'],
    ['x@%c3%bc.com', 'x@\u00fc.com'],
    ['x@\u00fc.com:80', 'x@\u00fc.com'],
    ['x@\u00fc.com?a', 'x@\u00fc.com'],
    ['x@\u00fc.com#a', 'x@\u00fc.com'],
    ['x@\uff0f\u00fc.com', 'x@\u00fc.com'],
    ['x@\u00ad\u00fc.com', 'x@\u00fc.com'],
    ['x@m\u00fcnchen.de', 'x@munchen.de'],
    ['x@xn--a.m\u00fcnchen.de', 'x@m\u00fcnchen.de'],
  ] as const;
  for (const [one, other] of different) {
    it(`H274: the mailbox differs for ${one} and ${other}`, () => {
      expect(isSameMailbox(one, other)).to.equal(false);
    });
  }

  it('H274: a mailbox is its own form, and is stored where the address has letters outside ASCII', () => {
    for (const address of [...same.flat(), ...different.flat()]) {
      const form = mailboxOf(address);
      expect(mailboxOf(form)).to.equal(form);
      // PostgreSQL makes the form of the others.
      const isAscii = Buffer.byteLength(address) === address.length;
      expect(storedMailbox(address)).to.equal(isAscii ? null : form);
      if (isAscii) expect(form).to.equal(address.toLowerCase());
    }
  });
});
