import { expect } from 'chai';
import fc from 'fast-check';
import { deliveryHeaders } from '../../../cli/listen/forward.js';
import { backOffMs, FrameReader, beforeFirst } from '../../../cli/stream.js';
import type { Claim } from '../../../src/domain/delivery/claim.js';
import { buildRequest, startAttempt } from '../../../src/domain/delivery/attempt.js';
import { sign } from '../../../src/domain/delivery/signature.js';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw0123456789AB';
const eventOf = (id: string, time = '2026-01-01T12:00:00.000Z') => ({
  id,
  type: 'offer.sent',
  time,
  test: false,
  body: '{}',
});

describe('the stream as the command line reads it', () => {
  it('reads frames however the bytes are cut', () => {
    const text =
      ': heartbeat\n\nid: 1-a\nevent: event\ndata: {"a":1}\n\r\nid:2\rdata: x\rdata: y\r\rdata:z\r\n\r\n';
    const whole = [
      { id: '1-a', event: 'event', data: '{"a":1}' },
      { id: '2', event: 'message', data: 'x\ny' },
      { id: undefined, event: 'message', data: 'z' },
    ];

    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 8 }), (cuts) => {
        const places = [0, ...cuts.sort((one, other) => one - other), text.length];
        const reader = new FrameReader();
        const frames = places.flatMap((place, index) =>
          reader.read(text.slice(place, places[index + 1] ?? text.length)),
        );
        expect(frames).to.deep.equal(whole);
      }),
    );
  });

  it('refuses a frame without an end', () => {
    const reader = new FrameReader();
    const piece = `data: ${'x'.repeat(1_048_576)}\n`;
    expect(() => Array.from({ length: 5 }, () => reader.read(piece))).to.throw(/too large/);
  });

  it('waits longer after each failure, 5 s at most', () => {
    const waits = Array.from({ length: 9 }, (_, failures) => backOffMs(failures + 1, 0));
    expect(waits).to.deep.equal([100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000, 5_000]);
    expect(backOffMs(7, 0.999)).to.be.within(2_500, 2_505);
  });

  it('H182: begins with the event that --since names, and leaves out none behind it', () => {
    const at = (second: number) => `2026-01-01T12:00:0${second}.000Z`;
    const isEarlier = beforeFirst('evt_b', new Date(at(1)));
    const frames = [
      eventOf('evt_a', at(0)),
      eventOf('evt_c', at(2)),
      eventOf('evt_b', at(1)),
      eventOf('evt_slow', at(0)),
    ];
    const left = frames.filter((event) => !isEarlier(event)).map(({ id }) => id);
    expect(left).to.deep.equal(['evt_c', 'evt_b', 'evt_slow']);
  });

  it('H81: spells headers as a worker does', () => {
    const event = { id: 'evt_1', type: 'offer.sent', body: Buffer.from('{}') };
    const claim = { event, url: '', attempt: 1 } as unknown as Claim;
    const attempt = startAttempt({ ...claim, claimedAt: new Date(0) }, 0);
    const sender = { contentType: 'application/json', userAgent: 'x' };
    const sent = buildRequest(attempt, [secret], sender).headers;
    const forwarded = deliveryHeaders(event, false, secret, event.body, new Date(0));
    expect(Object.keys(forwarded)).to.have.members(Object.keys(sent));
  });

  it('H178: forwards with the headers of a delivery, and both signatures', () => {
    const at = new Date('2026-11-20T00:00:00Z');
    const body = Buffer.from('{"k":"é"}');
    const event = { id: 'evt_1', type: 'offer.sent' };
    const headers = deliveryHeaders(event, true, secret, body, at);
    const { service, standard, timestamp } = sign([secret], 'evt_1', body, at);
    expect(headers).to.deep.include({
      'X-Service-Signature': service,
      'X-Service-Timestamp': timestamp,
      'X-Service-Delivery-Id': 'whd_listen_1',
      'webhook-signature': standard,
      'Signalpost-Redelivered': 'true',
    });

    expect(deliveryHeaders(event, false, secret, body, at)).not.to.have.property(
      'Signalpost-Redelivered',
    );
  });
});
