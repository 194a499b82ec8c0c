import { createHash } from 'node:crypto';
import { expect } from 'chai';
import {
  parseBearer,
  credentialKinds,
  hashToken,
  isTestToken,
  hasTokenFormat,
  makeToken,
} from '../../../../src/domain/account/token.js';

describe('tokens', () => {
  it('H86: a token has the prefix of its kind and 43 random base62 characters', () => {
    const made = credentialKinds.map((kind) => makeToken(kind));
    expect(made[0]).to.match(/^sk_live_[A-Za-z0-9]{43}$/);
    expect(made[1]).to.match(/^live_[A-Za-z0-9]{43}$/);
    expect(made[2]).to.match(/^dst_[A-Za-z0-9]{43}$/);
    expect(made[3]).to.match(/^int_[A-Za-z0-9]{43}$/);
    expect(makeToken('live')).not.to.equal(makeToken('live'));
  });

  it('stores a token as its SHA-256', () => {
    const expected = createHash('sha256').update('sk_live_x').digest('hex');
    expect(hashToken('sk_live_x').toString('hex')).to.equal(expected);
  });

  it('H86: recognises the reserved test prefix and no other', () => {
    expect(isTestToken('sk_test_abc')).to.equal(true);
    expect(isTestToken('sk_live_sk_test_')).to.equal(false);
  });

  it('recognises a token by its format', () => {
    expect(hasTokenFormat(makeToken('dashboard'))).to.equal(true);
    for (const text of ['', 'abc', 'Sk_live_abc', 'sk_live_a b', `live_${'x'.repeat(252)}`]) {
      expect(hasTokenFormat(text), text).to.equal(false);
    }
  });
});

describe('the Authorization header', () => {
  it('H90: the header holds a token after the scheme, however that is spelled', () => {
    for (const value of ['Bearer a.b', 'bearer a.b', 'BEARER   a.b']) {
      expect(parseBearer([value]), value).to.deep.equal({ token: 'a.b' });
    }
  });

  it('H90: an empty header counts as missing', () => {
    expect(parseBearer([])).to.deep.equal({ error: 'missing' });
    expect(parseBearer([''])).to.deep.equal({ error: 'missing' });
  });

  it('the header is malformed with another scheme, without a token, or with more than one', () => {
    const values = ['Basic abc', 'Bearer', 'Bearer ', 'a', 'Bearer a b', 'Bearer a ', 'Bearer ä'];
    for (const value of values) {
      expect(parseBearer([value]), value).to.deep.equal({ error: 'malformed' });
    }
  });

  it('refuses a header that was sent more than once', () => {
    expect(parseBearer(['Bearer a', 'Bearer a'])).to.deep.equal({ error: 'repeated' });
    expect(parseBearer(['', 'Bearer a'])).to.deep.equal({ error: 'repeated' });
  });
});
