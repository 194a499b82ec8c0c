import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { makeSecret } from '../../../../src/domain/endpoint/secrets.js';
import { sign } from '../../../../src/domain/delivery/signature.js';

const body = Buffer.from(
  '{"specversion":"1.0","id":"evt_test_1","type":"cart.order.completed","data":{"metadata":{"k":"é"}}}',
);
const at = new Date(1_795_132_800_999);
const newest = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw0123456789AB';
const older = 'whsec_0ldSecretStillValid00123456789abcdefghijklmn';

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
});
