import { verify } from 'node:crypto';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { makeKeyPair, parsePrivateKey } from '../../../../src/domain/endpoint/key-pairs.js';
import { makeSecret } from '../../../../src/domain/endpoint/secrets.js';
import { sign } from '../../../../src/domain/delivery/signature.js';

const body = Buffer.from(
  '{"specversion":"1.0","id":"evt_test_1","type":"cart.order.completed","data":{"metadata":{"k":"é"}}}',
);
const at = new Date(1_795_132_800_999);
const newest = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw0123456789AB';
const older = 'whsec_0ldSecretStillValid00123456789abcdefghijklmn';

/** The first key pair of RFC 8032, section 7.1, as Standard Webhooks serializes it. */
const rfc8032 = parsePrivateKey(
  'whsk_nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2DXWpgBgrEKt9VL/tPJZAc6DuFy89qmIyWvAhpo9wdRGg==',
);

const signature = new Stripe('sk_unused').webhooks.signature!;

describe('sign', () => {
  it('H82: makes the published signatures, newest secret first', () => {
    expect(body).to.have.length(100);
    expect(sign([newest, older], 'evt_test_1', body, at)).to.deep.equal({
      timestamp: '1795132800',
      service:
        't=1795132800,v1=4d84f0cc0a7cf05e0161700a058f7bd315312974325cf8a2f890b633142d66ab' +
        ',v1=ffb8e28a67a099d888dd7c03a0ab64b7d83da7ed0d927d340830a0a34526d23d',
      standard:
        'v1,yugBIPB3JAVY7TsUHc6Vchi/4svQkZSgsRojWkD+Jy4= v1,3P59s//r8iJTARPCCG6up2Kegav/nrSDhfiQqJWvG50=',
    });
  });

  it('H82: makes signatures that the verifiers of others accept, with either secret', () => {
    const now = new Date();
    const one = makeSecret();
    const two = makeSecret();
    const signatures = sign([one, two], 'evt_1', body, now);

    for (const secret of [one, two]) {
      expect(signature.verifyHeader(body, signatures.service, secret, 300)).to.equal(true);
      const headers = {
        'webhook-id': 'evt_1',
        'webhook-timestamp': signatures.timestamp,
        'webhook-signature': signatures.standard,
      };
      expect(() => new Webhook(secret).verify(body.toString(), headers)).not.to.throw();
    }

    expect(() => signature.verifyHeader(body, signatures.service, makeSecret(), 300)).to.throw(
      /signature/i,
    );
  });

  it('H305: adds the published Ed25519 signature after the others, and leaves these as they are', () => {
    const without = sign([newest, older], 'evt_test_1', body, at);
    const signatures = sign([newest, older], 'evt_test_1', body, at, [rfc8032]);
    expect(signatures).to.deep.equal({
      ...without,
      standard: `${without.standard} v1a,cNunggVE8skPb2nv8M7pwsp80MsIe9jlooQXFQ1GiTV6EqIrKp/uIwMoYteFj+s7QyfMkTBekhzh6MJwsTJKDA==`,
    });
  });

  it('H305: signs with each key pair, newest first, so that each public key verifies', () => {
    const [one, two] = [makeKeyPair(), makeKeyPair()];
    expect(one.privateKey).to.match(/^whsk_[A-Za-z0-9+/]{86}==$/);
    expect(one.publicKey).to.match(/^whpk_[A-Za-z0-9+/]{43}=$/);

    const keys = [one, two].map(({ privateKey }) => parsePrivateKey(privateKey));
    const { standard } = sign([newest], 'evt_1', body, at, keys);
    const [, ...signed] = standard.split(' ');
    const message = Buffer.concat([Buffer.from('evt_1.1795132800.'), body]);

    for (const [place, { publicKey }] of [one, two].entries()) {
      const x = Buffer.from(publicKey.slice('whpk_'.length), 'base64').toString('base64url');
      const key = { key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' } as const;
      expect(signed.map((each) => verifies(each, message, key))).to.deep.equal([
        place === 0,
        place === 1,
      ]);
    }
  });

  it('H305: makes signatures beside which the verifiers of others still find theirs', () => {
    const now = new Date();
    const signatures = sign([newest], 'evt_1', body, now, [rfc8032, rfc8032]);
    const headers = {
      'webhook-id': 'evt_1',
      'webhook-timestamp': signatures.timestamp,
      'webhook-signature': signatures.standard,
    };
    expect(() => new Webhook(newest).verify(body.toString(), headers)).not.to.throw();
    expect(signature.verifyHeader(body, signatures.service, newest, 300)).to.equal(true);
  });
});

function verifies(each: string, message: Buffer, key: Parameters<typeof verify>[2]): boolean {
  expect(each).to.match(/^v1a,/);
  return verify(null, message, key, Buffer.from(each.slice('v1a,'.length), 'base64'));
}
