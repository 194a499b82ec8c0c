import { expect } from 'chai';
import { type EndpointDisabled, messageOf } from '../../../src/domain/notice/messages.js';

const disabled: EndpointDisabled = {
  url: 'https://shop.example/hook',
  description: null,
  reason: 'receiver_gone',
  disabledAt: '2026-11-20T12:00:00.000Z',
  lastStatus: 410,
};
const written = (changes: Partial<EndpointDisabled> = {}) =>
  messageOf({
    kind: 'endpoint_disabled',
    about: 'whs_1',
    recipient: 'ops@shop.example',
    data: { ...disabled, ...changes },
  });

describe('messageOf', () => {
  it('H73: says which endpoint was disabled, why, when, after which answer, and what to do', () => {
    expect(written()).to.deep.equal({
      to: 'ops@shop.example',
      subject: 'Webhook endpoint disabled: https://shop.example/hook',
      text: `Your webhook endpoint was disabled because it answered 410 Gone.

Endpoint: whs_1
URL: https://shop.example/hook
Reason: receiver_gone
Time: 2026-11-20T12:00:00.000Z
Last response status: 410

Scheduled attempts were cancelled and their deliveries are marked abandoned.
To enable it again, set "active" to true: PATCH /v1/webhooks/endpoints/whs_1
Abandoned deliveries can be replayed afterwards.
`,
    });
  });

  it('H73: says so when there was no answer, and how the endpoint was described', () => {
    const { text } = written({
      reason: 'consecutive_failures',
      lastStatus: null,
      description: 'Main shop',
    });
    expect(text).to.include('every attempt to deliver to it has failed for too long');
    expect(text).to.include('\nReason: consecutive_failures\n');
    expect(text).to.include('\nLast response status: none\n');
    expect(text).to.include('\nDescription: Main shop\n');
  });

  it('keeps what somebody chose within its line', () => {
    for (const text of ['a\r\nReason: b', 'a\u2028Reason: b', 'a\u0085Reason: b', 'a\u202eb']) {
      const { subject, text: body } = written({ description: text, url: `https://${text}` });
      expect(subject).not.to.match(/[\p{Cc}\u2028\u2029\u202e]/u);
      expect(body.split('\n').filter((line) => line.startsWith('Reason:'))).to.have.length(1);
      expect(body.replaceAll('\n', '')).not.to.match(/[\p{Cc}\u2028\u2029\u202e]/u);
    }
  });
});
