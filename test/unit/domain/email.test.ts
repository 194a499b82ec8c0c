import { expect } from 'chai';
import { emailIssues } from '../../../src/domain/email.js';

const codeOf = (address: string) => emailIssues('notification_email', address)[0]?.code;

describe('emailIssues', () => {
  it('H5: accepts what mail servers accept', () => {
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

  it('H5: refuses everything without one @, a local part and a dotted domain', () => {
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

  it('H5: refuses spaces, control characters and what would add a mail header', () => {
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

  it('refuses 255 characters and text that cannot be stored', () => {
    expect(codeOf(`${'a'.repeat(243)}@example.com`)).to.equal('too_long');
    expect(codeOf('a\0@example.com')).to.equal('invalid_value');
    expect(codeOf('a\udc00@example.com')).to.equal('invalid_value');
  });
});
