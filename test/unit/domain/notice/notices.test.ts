import { expect } from 'chai';
import { retryDelayMs } from '../../../../src/domain/notice/notices.js';
import {
  type EndpointDisabled,
  type MailContent,
  type NoticeKind,
  type OfferSent,
  renderMail as render,
} from '../../../../src/domain/notice/mail.js';
import { Sealer } from '../../../../src/domain/values/sealer.js';

describe('retryDelayMs', () => {
  it('doubles from 5 seconds up to one day', () => {
    const pauses = [1, 2, 3, 10, 15, 16, 500, 5_000].map((attempts) => retryDelayMs(attempts, 0.5));
    expect(pauses).to.deep.equal([
      5_000, 10_000, 20_000, 2_560_000, 81_920_000, 86_400_000, 86_400_000, 86_400_000,
    ]);
  });

  it('adds a jitter of 10 % up or down', () => {
    expect(retryDelayMs(1, 0)).to.equal(4_500);
    expect(retryDelayMs(1, 0.999_999)).to.equal(5_500);
  });
});

const sealer = new Sealer([{ id: 'k1', key: Buffer.alloc(32, 1) }]);
const renderMail = <Kind extends NoticeKind>(mail: MailContent<Kind>) => render(mail, sealer);

const disabled: EndpointDisabled = {
  url: 'https://shop.example/hook',
  reason: 'receiver_gone',
  disabledAt: '2026-11-20T12:00:00.000Z',
  lastStatus: 410,
};
const written = (changes: Partial<EndpointDisabled> = {}) =>
  renderMail({
    kind: 'endpoint_disabled',
    recipient: 'ops@shop.example',
    entries: [{ resourceId: 'whs_1', data: { ...disabled, ...changes } }],
  });

describe('renderMail', () => {
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

Pending deliveries were cancelled and are marked abandoned.
To enable it again, set "active" to true: PATCH /v1/webhooks/endpoints/whs_1
You can then replay abandoned deliveries.
`,
    });
  });

  it('H73: says when there was no response, and leaves out the description of the endpoint', () => {
    const { text } = written({
      reason: 'consecutive_failures',
      lastStatus: null,
    });
    expect(text).to.include('every attempt to deliver to it failed for too long');
    expect(text).to.include('\nReason: consecutive_failures\n');
    expect(text).to.include('\nLast response status: none\n');
    expect(text).not.to.include('Description');
  });

  it('keeps user input within its line', () => {
    for (const text of ['a\r\nReason: b', 'a\u2028Reason: b', 'a\u0085Reason: b', 'a\u202eb']) {
      const { subject, text: body } = written({ url: `https://${text}` });
      expect(subject).not.to.match(/[\p{Cc}\u2028\u2029\u202e]/u);
      expect(body.split('\n').filter((line) => line.startsWith('Reason:'))).to.have.length(1);
      expect(body.replaceAll('\n', '')).not.to.match(/[\p{Cc}\u2028\u2029\u202e]/u);
    }
  });
});

describe('renderMail, several notices', () => {
  const mailOf = (entries: readonly { resourceId: string; data: EndpointDisabled }[]) =>
    renderMail({ kind: 'endpoint_disabled', recipient: 'ops@shop.example', entries });

  it('H110: names each endpoint with its details in one line', () => {
    const failing = { reason: 'consecutive_failures', lastStatus: null } as const;
    const entries = [
      { resourceId: 'whs_1', data: disabled },
      { resourceId: 'whs_2', data: { ...disabled, ...failing } },
    ];

    expect(mailOf(entries)).to.deep.equal({
      to: 'ops@shop.example',
      subject: '2 webhook endpoints disabled',
      text: `2 of your webhook endpoints were disabled.
Each line has endpoint, reason, time, last response status and URL:

whs_1  receiver_gone  2026-11-20T12:00:00.000Z  410  https://shop.example/hook
whs_2  consecutive_failures  2026-11-20T12:00:00.000Z  none  https://shop.example/hook

Pending deliveries were cancelled and are marked abandoned.
To enable an endpoint again, set "active" to true: PATCH /v1/webhooks/endpoints/{id}
You can then replay abandoned deliveries.
`,
    });
  });

  it('H73: truncates long URLs and keeps them within their line', () => {
    const url = `https://shop.example/\r\nwhs_9\u2028${'x'.repeat(2_000)}`;
    const { text } = mailOf(
      ['whs_1', 'whs_2', 'whs_3'].map((resourceId) => ({ resourceId, data: { ...disabled, url } })),
    );
    const lines = text.split('\n');
    expect(lines.filter((line) => line.startsWith('whs_'))).to.have.length(3);
    expect(Math.max(...lines.map((line) => line.length))).to.be.below(300);
    expect(text.replaceAll('\n', '')).not.to.match(/[\p{Cc}\u2028\u2029\u202e]/u);
  });
});

describe('renderMail, an offer', () => {
  const offer: OfferSent = {
    seller: 'Tea Ltd',
    title: 'Tea for two',
    message: null,
    total: '€6.00',
    url: 'https://api.example/offer/off_1',
    expiresAt: '2026-12-21T12:00:00.000Z',
  };

  const mailOf = (changes: Partial<OfferSent> = {}) =>
    renderMail({
      kind: 'offer_sent',
      recipient: 'buyer@example.com',
      entries: [{ resourceId: 'off_1', data: { ...offer, ...changes } }],
    });

  it('says who offers what, for how much, until when, and where to accept it', () => {
    expect(mailOf()).to.deep.equal({
      to: 'buyer@example.com',
      subject: 'Offer from Tea Ltd: Tea for two',
      text: `Tea Ltd has sent you an offer.

Offer: Tea for two
Total: €6.00
Open until: 21 December 2026 at 12:00 UTC

View the offer, and accept it by paying:
https://api.example/offer/off_1
`,
    });
  });

  it('marks every line of the message, however it is broken, and keeps names in their line', () => {
    const nasty = 'a\r\nTotal: 0\rTotal: 1\u2028Total: 2\u0085Total: 3\n\nz\u202e';
    const { subject, text } = mailOf({ seller: nasty, title: nasty, message: nasty });
    expect(subject).not.to.match(/[\p{Cc}\u2028\u2029\u202e]/u);
    expect(text.replaceAll('\n', '')).not.to.match(/[\p{Cc}\u2028\u2029\u202e]/u);
    const lines = text.split('\n');
    expect(lines.filter((line) => line.startsWith('Total:'))).to.deep.equal(['Total: €6.00']);
    expect(lines).to.include.members(['> a', '> Total: 0', '> Total: 1', '>', '> z']);
  });
});

describe('renderMail, warnings', () => {
  const recipient = 'ops@shop.example';
  const failing = {
    url: 'https://shop.example/hook',
    failingSince: '2026-11-20T12:00:00.000Z',
    disablesAt: '2026-11-25T12:00:00.000Z',
    lastStatus: 503,
  };

  const recovered = {
    url: 'https://shop.example/hook',
    failingSince: '2026-11-20T12:00:00.000Z',
    recoveredAt: '2026-11-22T12:00:00.000Z',
  };

  it('H150: says since when an endpoint fails and when it will be disabled', () => {
    const entries = [{ resourceId: 'whs_1', data: failing }];
    expect(renderMail({ kind: 'endpoint_failing', recipient, entries })).to.deep.equal({
      to: recipient,
      subject: 'Webhook endpoint failing: https://shop.example/hook',
      text: `Every attempt to deliver to your webhook endpoint has failed since 2026-11-20T12:00:00.000Z.

Endpoint: whs_1
URL: https://shop.example/hook
Failing since: 2026-11-20T12:00:00.000Z
Will be disabled: 2026-11-25T12:00:00.000Z
Last response status: 503

The service keeps retrying. It disables the endpoint at that time unless a delivery succeeds.
Answer each delivery with a status from 200 to 299.
`,
    });
  });

  it('H150: names each endpoint that recovered in one line', () => {
    const entries = ['whs_1', 'whs_2'].map((resourceId) => ({ resourceId, data: recovered }));
    expect(renderMail({ kind: 'endpoint_recovered', recipient, entries })).to.deep.equal({
      to: recipient,
      subject: '2 webhook endpoints recovered',
      text: `2 of your webhook endpoints accept deliveries again.
Each line has endpoint, failing since, recovered and URL:

whs_1  2026-11-20T12:00:00.000Z  2026-11-22T12:00:00.000Z  https://shop.example/hook
whs_2  2026-11-20T12:00:00.000Z  2026-11-22T12:00:00.000Z  https://shop.example/hook

Deliveries that ran out of attempts meanwhile are marked abandoned. You can replay them.
`,
    });
  });
});

describe('renderMail, a link to sign in', () => {
  const mail = { url: 'https://api.example/dashboard/sign-in#abc', code: 'ABCD-EFGH' };
  const { keyId, sealed } = sealer.seal(JSON.stringify(mail), 'lnk_1');
  const mailOf = (account: string, resourceId = 'lnk_1') =>
    renderMail({
      kind: 'sign_in_link',
      recipient: 'ann@shop.example',
      entries: [{ resourceId, data: { account, keyId, sealed: sealed.toString('base64') } }],
    });

  it('H166: has the link and the code, which its notice keeps sealed', () => {
    expect(mailOf('Shop\r\nBcc: all')).to.deep.equal({
      to: 'ann@shop.example',
      subject: 'Sign in to Shop Bcc: all',
      text: `To sign in to the dashboard of Shop Bcc: all, open this link in the browser that requested it:

https://api.example/dashboard/sign-in#abc

Or enter this code on the sign-in page:

    ABCD-EFGH

The link and the code work once and expire after 15 minutes.
If you did not request this mail, ignore it.
`,
    });
  });

  it('H166: lists the accounts of an address, each with its link and its code', () => {
    const others = [
      {
        account: 'Other\r\nBcc: all',
        url: 'https://api.example/dashboard/sign-in#def',
        code: 'JKLM-NPQR',
      },
    ];

    const several = sealer.seal(JSON.stringify({ ...mail, others }), 'lnk_1');
    const data = { account: 'Shop', keyId, sealed: several.sealed.toString('base64') };
    const { subject, text } = renderMail({
      kind: 'sign_in_link',
      recipient: 'ann@shop.example',
      entries: [{ resourceId: 'lnk_1', data }],
    });

    expect(subject).to.equal('Sign in to one of 2 accounts');

    expect(text).to
      .equal(`This address is a member of several accounts. Open the link of the account that you want, in the
browser that requested this mail, or enter its code on the sign-in page.

Shop:
https://api.example/dashboard/sign-in#abc
    ABCD-EFGH

Other Bcc: all:
https://api.example/dashboard/sign-in#def
    JKLM-NPQR

Each link and code works once and expires after 15 minutes.
If you did not request this mail, ignore it.
`);
  });

  it('fails for the notice of another link', () => {
    expect(() => mailOf('Shop', 'lnk_2')).to.throw();
  });
});
