import { expect } from 'chai';
import { renderMail } from '../../../src/domain/notice/mail-templates.js';
import { Sealer } from '../../../src/domain/sealer.js';

const sealer = new Sealer([{ id: 'k1', key: Buffer.alloc(32, 1) }]);

describe('renderMail, a link to sign in', () => {
  const mail = { url: 'https://api.example/dashboard/sign-in#abc', code: 'ABCD-EFGH' };
  const { keyId, sealed } = sealer.seal(JSON.stringify(mail), 'lnk_1');
  const mailOf = (account: string, resourceId = 'lnk_1') =>
    renderMail(
      {
        kind: 'sign_in_link',
        recipient: 'ann@shop.example',
        entries: [{ resourceId, data: { account, keyId, sealed: sealed.toString('base64') } }],
      },
      sealer,
    );

  it('H166: has the link and the code, which its notice keeps sealed', () => {
    expect(mailOf('Shop\r\nBcc: all')).to.deep.equal({
      to: 'ann@shop.example',
      subject: 'Sign in to Shop Bcc: all',
      text: `Open this link in the browser that asked for it, to sign in to the dashboard of Shop Bcc: all:

https://api.example/dashboard/sign-in#abc

Or type this code on the page that waits:

    ABCD-EFGH

Link and code work once, within 15 minutes.
If you did not ask for this mail, ignore it.
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
    const { subject, text } = renderMail(
      {
        kind: 'sign_in_link',
        recipient: 'ann@shop.example',
        entries: [{ resourceId: 'lnk_1', data }],
      },
      sealer,
    );
    expect(subject).to.equal('Sign in to one of 2 accounts');
    expect(text).to
      .equal(`This address is a member of several accounts. Open the link of the one that you want, in the browser
that asked for it. Or type its code on the page that waits.

Shop:
https://api.example/dashboard/sign-in#abc
    ABCD-EFGH

Other Bcc: all:
https://api.example/dashboard/sign-in#def
    JKLM-NPQR

Links and codes work once, within 15 minutes.
If you did not ask for this mail, ignore it.
`);
  });

  it('cannot be made of the notice of another link', () => {
    expect(() => mailOf('Shop', 'lnk_2')).to.throw();
  });
});
