import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import {
  signedParts,
  timingPhases,
} from '../../../dashboard/src/pages/deliveries/attempt-rules.js';

describe('the phases of an attempt', () => {
  const none = { lookupMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: null };

  it('start one after the other, and end with the rest of the response', () => {
    expect(
      timingPhases({ lookupMs: 2, connectMs: 3, tlsMs: 10, firstByteMs: 80, totalMs: 100 }),
    ).to.deep.equal([
      { name: 'lookup', startMs: 0, lengthMs: 2 },
      { name: 'connect', startMs: 2, lengthMs: 3 },
      { name: 'tls', startMs: 5, lengthMs: 10 },
      { name: 'firstByte', startMs: 15, lengthMs: 80 },
      { name: 'rest', startMs: 95, lengthMs: 5 },
    ]);
  });

  it('show how long an attempt took until it failed', () => {
    expect(timingPhases({ ...none, lookupMs: 1, totalMs: 5_000 })).to.deep.equal([
      { name: 'lookup', startMs: 0, lengthMs: 1 },
      { name: 'cut', startMs: 1, lengthMs: 4_999 },
    ]);
  });

  it('are empty if nothing was measured, and are never negative', () => {
    expect(timingPhases(none)).to.deep.equal([]);
    expect(timingPhases({ ...none, firstByteMs: 7, totalMs: 6 })).to.deep.equal([
      { name: 'firstByte', startMs: 0, lengthMs: 7 },
    ]);
  });
});

describe('the signed text of an attempt', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw0123456789AB';
  const signed = {
    eventId: 'evt_test_1',
    time: '1795132800',
    body: '{"specversion":"1.0","id":"evt_test_1","type":"cart.order.completed","data":{"metadata":{"k":"é"}}}',
  };

  const textOf = (family: 'service' | 'standard') =>
    signedParts(family, signed)
      .map(({ text }) => text)
      .join('');

  it('gives the signatures of the example in docs/receiving.md', () => {
    expect(createHmac('sha256', secret).update(textOf('service')).digest('hex')).to.equal(
      '4d84f0cc0a7cf05e0161700a058f7bd315312974325cf8a2f890b633142d66ab',
    );
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    expect(createHmac('sha256', key).update(textOf('standard')).digest('base64')).to.equal(
      'yugBIPB3JAVY7TsUHc6Vchi/4svQkZSgsRojWkD+Jy4=',
    );
  });
});
