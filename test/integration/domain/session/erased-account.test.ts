import { expect } from 'chai';
import type { Database } from '../../../../src/database/database.js';
import { authenticate, createCredential } from '../../../../src/domain/account/credentials.js';
import {
  findPortalSession,
  openPortalSession,
} from '../../../../src/domain/portal/portal-sessions.js';
import { createPortalLink, redeemPortalLink } from '../../../../src/domain/portal/portal-links.js';
import {
  findPortalSettings,
  updatePortalSettings,
} from '../../../../src/domain/portal/portal-settings.js';
import { createCheckout } from '../../../../src/domain/checkout/checkouts.js';
import type { NoticeClaim } from '../../../../src/domain/notice/claim.js';
import { sendOffer } from '../../../../src/domain/offer/change-offer.js';
import { getHostedOffer, openOfferCheckout } from '../../../../src/domain/offer/hosted-offer.js';
import { createOffer, isStillRelevant } from '../../../../src/domain/offer/offers.js';
import {
  getHostedCheckout,
  payHostedCheckout,
  visitCheckout,
} from '../../../../src/domain/payment/hosted-checkout.js';
import { findSession } from '../../../../src/domain/session/sessions.js';
import { linksOfIdentity } from '../../../../src/domain/session/sign-in-links.js';
import {
  findOperatorSession,
  openOperatorSession,
} from '../../../../src/domain/session/operator-sessions.js';
import { isLinkOpen } from '../../../../src/domain/session/redeem-link.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import { refusalOf } from '../../../support/refusal.js';
import { browser, SignIn } from '../../../support/sign-in.js';

const email = 'ann@shop.example';
const signing = { userAgent: 'Chrome', replaced: undefined };
const closed = { refused: 'link_expired' };

describe('an account that is erased, while its rows are still there', () => {
  let test: TestDatabase;
  let database: Database;
  let sign: SignIn;
  let account: string;
  let member: string;

  before(async () => {
    test = await createTestDatabase();
    database = await test.open();
    sign = new SignIn(test, database);
  });

  after(() => test.drop());

  beforeEach(async () => {
    await test.query('truncate notice, sign_in_link, session, member_identity');
    await test.query('update member set email = id || email');
    account = await sign.account();
    member = await sign.member(account, email);
  });

  /** Erasing deletes what it finds. A request that runs beside it may leave rows behind. */
  const erase = () => test.query('update account set erased_at = now() where id = $1', [account]);

  const atProvider = () => {
    const identity = { issuer: 'https://id.example', subject: member, email };
    return database.transact((tx) => linksOfIdentity(tx, identity, browser));
  };

  it('H155: gets no new link by mail, from an operator or at the provider', async () => {
    expect(await atProvider()).to.have.length(1);
    await erase();
    expect(await sign.request(email)).to.equal(true);
    expect(await sign.mails()).to.deep.equal([]);
    expect(await refusalOf(sign.printed(member))).to.include({ code: 'not_found' });
    expect(await atProvider(), 'by the identity').to.deep.equal([]);
    await test.query('truncate member_identity');
    expect(await atProvider(), 'by the address').to.deep.equal([]);
    const [stored] = await test.query('select from member_identity');
    expect(stored).to.equal(undefined);
  });

  it('H155: opens no session with the links that it had', async () => {
    await sign.request(email);

    const mail = await sign.mail();
    const printed = await sign.printed(member);
    const [provided] = await atProvider();
    const portalLink = await database.transact((tx) =>
      createPortalLink(tx, null, account, { role: 'viewer' }),
    );
    const [mailed] = await test.query<{ id: string }>(
      'select id from sign_in_link where code_sha256 is not null',
    );

    await erase();

    for (const token of [mail.token, printed, provided!.token]) {
      expect(await sign.byToken(token, browser)).to.deep.equal(closed);
      expect(await sign.byToken(token, 'o'.repeat(43))).to.deep.equal(closed);
    }

    expect(await sign.byCode(mail.code)).to.deep.equal(closed);
    expect(await isLinkOpen(database.read, mailed!.id)).to.equal(false);

    const portalToken = new URL(portalLink.url).hash.slice(1);
    const redeemed = database.transact((tx) => redeemPortalLink(tx, account, portalToken));
    expect(await redeemed).to.equal(undefined);
  });

  it('H155: has no holder of a credential or of any session', async () => {
    const { read } = database;
    const { id, token } = await database.transact((tx) =>
      createCredential(tx, { account, kind: 'internal' }),
    );
    const cookies = {
      member: await sign.session(account, member),
      operator: await database.transact((tx) =>
        openOperatorSession(tx, { account, credential: id }, signing),
      ),
      portal: await database.transact(async (tx) => {
        const link = { id: 'plk_1', accountId: account, memberId: null, theme: null };
        return (await openPortalSession(tx, { ...link, role: 'viewer' }, signing)).cookie;
      }),
    };

    const findAll = async () => [
      await authenticate(read, token),
      await findSession(read, cookies.member),
      await findOperatorSession(read, cookies.operator),
      await findPortalSession(read, cookies.portal),
    ];

    for (const found of await findAll()) expect(found).to.have.nested.property('viewer.account');
    await erase();
    expect(await findAll()).to.deep.equal(Array.from({ length: 4 }, () => 'invalid_credential'));
  });

  it('H155: shows no hosted page, takes no payment and mails no offer', async () => {
    const sale = {
      currency: 'EUR',
      lineItems: [{ name: 'Tea', quantity: 1, unitAmountMinorUnits: 300 }],
    };
    const buyer = { email: 'kim@buyer.example', name: null };
    const checkout = async () => {
      const input = {
        ...sale,
        successUrl: 'https://shop.example/thanks',
        metadata: { who: 'Kim' },
      };
      return (await database.transact((tx) => createCheckout(tx, account, input))).id;
    };
    const offer = await database.transact(async (tx) => {
      const input = { ...sale, recipientEmail: buyer.email, title: 'Tea' };
      const { id } = await createOffer(tx, account, input);
      await sendOffer(tx, account, id);
      return id;
    });
    const open = await checkout();
    const paid = await checkout();
    const pay = (id: string) => database.transact((tx) => payHostedCheckout(tx, id, buyer));
    await pay(paid);

    const mail = { kind: 'offer_sent', entries: [{ resourceId: offer }] } as unknown as NoticeClaim;
    const isMailed = () => isStillRelevant(database.read, mail);
    expect(await isMailed()).to.equal(true);

    await erase();

    const visit = { affiliate: null, framed: false };
    const requests = {
      'page of a checkout': () => getHostedCheckout(database.read, open),
      visit: () => visitCheckout(database.read, open, visit),
      'page of a paid checkout': () => getHostedCheckout(database.read, paid),
      payment: () => pay(open),
      'payment again': () => pay(paid),
      'page of an offer': () => getHostedOffer(database.read, offer),
      'checkout of an offer': () => database.transact((tx) => openOfferCheckout(tx, offer)),
    };
    for (const [what, request] of Object.entries(requests)) {
      expect(await refusalOf(request()), what).to.include({ code: 'not_found' });
    }
    expect(await isMailed()).to.equal(false);
  });

  it('shows neither the logo nor the origins of its portal', async () => {
    await database.transact((tx) =>
      updatePortalSettings(tx, account, { origins: ['https://shop.example'] }),
    );
    expect((await findPortalSettings(database.read, account)).origins).to.have.length(1);
    await erase();
    expect((await findPortalSettings(database.read, account)).origins).to.deep.equal([]);
  });
});
