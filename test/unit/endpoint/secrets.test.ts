import { expect } from 'chai';
import { makeSecret } from '../../../src/domain/endpoint/secrets.js';

describe('makeSecret', () => {
  it('H14: fits the public pattern and decodes as 33 bytes of base64', () => {
    const secret = makeSecret();
    expect(secret).to.match(/^whsec_[A-Za-z0-9]{44}$/);
    const encoded = secret.slice('whsec_'.length);
    expect(Buffer.from(encoded, 'base64').toString('base64')).to.equal(encoded);
    expect(Buffer.from(encoded, 'base64')).to.have.length(33);
    expect(makeSecret()).not.to.equal(secret);
  });
});
