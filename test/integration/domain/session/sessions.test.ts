import { expect } from 'chai';
import type { Database } from '../../../../src/database/database.js';
import { changeRole } from '../../../../src/domain/account/accounts.js';
import {
  findSession,
  purgeSessions,
  endOtherSessions,
  endSession,
  listSessions,
  openSession,
} from '../../../../src/domain/session/sessions.js';
import { linksOfIdentity } from '../../../../src/domain/session/sign-in-links.js';
import { redeemToken, isLinkOpen } from '../../../../src/domain/session/redeem-link.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import { untilLockIsAwaited } from '../../../support/engine.js';
import { refusalOf } from '../../../support/refusal.js';
import { browser, SignIn } from '../../../support/sign-in.js';
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
  visitCheckout,
} from '../../../../src/domain/checkout/hosted-checkout.js';
import { payHostedCheckout } from '../../../../src/domain/payment/record-payment.js';
import {
  findOperatorSession,
  openOperatorSession,
} from '../../../../src/domain/session/operator-sessions.js';

describe('sessions', () => {
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
    await test.query('truncate notice, sign_in_link, session');
    await test.query('update member set email = id || email');
    account = await sign.account();
    member = await sign.member(account, 'ann@shop.example');
  });

  const find = (token: string) => findSession(database.read, token);
  const age = (created: string, used: string) =>
    test.query(
      `update session set created_at = now() - $1::interval, last_used_at = now() - $2::interval`,
      [created, used],
    );

  it('H168: a session may do what the role of its member allows now, and is stored as a hash', async () => {
    const viewer = await sign.member(account, 'eve@shop.example', 'viewer');
    const token = await sign.session(account, viewer);
    const [row] = await test.query<{ id: string; text: string }>(
      'select id, row_to_json(s)::text as text from session s',
    );
    expect(row?.text).not.to.include(token);

    expect(await find(token)).to.deep.nested.include({
      viewer: {
        credential: row?.id,
        kind: 'dashboard',
        account,
        member: viewer,
        permissions: { webhooks: 'read', orders: 'read' },
      },
    });
  });

  it('H168: a session ends after 12 hours without use', async () => {
    const token = await sign.session(account, member);
    await age('12 hours', '11:59:00');
    expect(await find(token)).to.be.an('object');
    await age('12 hours', '12:00:01');
    expect(await find(token)).to.equal('expired_credential');
    expect(await listSessions(database.read, member)).to.deep.equal([]);
  });

  it('H168: a session ends after 7 days, however often it is used', async () => {
    const token = await sign.session(account, member);
    await age('7 days 1 second', '0');
    expect(await find(token)).to.equal('expired_credential');
  });

  it('records the use of a session at most once a minute', async () => {
    const token = await sign.session(account, member);
    const version = async () =>
      (await test.query<{ v: string }>('select xmin::text as v from session'))[0]?.v;
    const first = await version();

    await find(token);
    expect(await version()).to.equal(first);
    await age('1 hour', '61 seconds');

    const aged = await version();
    await find(token);

    const noted = await version();
    expect(noted).not.to.equal(aged);
    await find(token);
    expect(await version()).to.equal(noted);
  });

  it('H168: does not count the look-up of an open stream as a use', async () => {
    const token = await sign.session(account, member);
    await age('1 hour', '61 seconds');
    const lastUse = async () =>
      (await test.query<{ at: Date }>('select last_used_at as at from session'))[0]?.at;
    const before = await lastUse();
    expect(await findSession(database.read, token, undefined, false)).to.be.an('object');
    expect(await lastUse()).to.deep.equal(before);
    expect(await find(token)).to.be.an('object');
    expect(await lastUse()).not.to.deep.equal(before);
  });

  it('H168: a new session replaces the one that the browser had', async () => {
    const first = await sign.session(account, member);
    const second = await sign.session(account, member, first);
    expect(await find(first)).to.equal('invalid_credential');
    expect(await find(second)).to.be.an('object');
  });

  const ends: Readonly<Record<string, () => Promise<unknown>>> = {
    'the role of its member changes': () =>
      database.transact((tx) => changeRole(tx, account, member, 'admin')),
    'the role of its member changes by hand': () =>
      test.query(`update member set role = 'viewer' where id = $1`, [member]),
    'its member is removed': () => test.query('delete from member where id = $1', [member]),
  };
  for (const [when, end] of Object.entries(ends)) {
    it(`H168: a session ends when ${when}`, async () => {
      const token = await sign.session(account, member);
      await end();
      expect(await find(token)).to.equal('invalid_credential');
    });
  }

  it('H168: a session ends when its member has opened 20 newer ones', async () => {
    const tokens = [];
    for (let count = 0; count < 22; count += 1) tokens.push(await sign.session(account, member));
    const open = await listSessions(database.read, member);
    expect(open).to.have.length(20);
    expect(await find(tokens[0]!)).to.equal('invalid_credential');
    expect(await find(tokens[21]!)).to.be.an('object');
  });

  it('H168: only its member ends a session, by id or with all others', async () => {
    const one = await sign.session(account, member);
    const two = await sign.session(account, member);
    const three = await sign.session(account, member);
    const idOf = async (token: string) => {
      const found = await find(token);
      return typeof found === 'string' ? found : found.viewer.credential;
    };

    const oldest = await idOf(one);
    const newest = await idOf(three);
    const stranger = await sign.member(account, 'eve@shop.example');
    const foreign = database.transact((tx) => endSession(tx, stranger, oldest));
    expect(await refusalOf(foreign)).to.include({ code: 'not_found' });
    await database.transact((tx) => endSession(tx, member, oldest));
    expect(await find(one)).to.equal('invalid_credential');

    const ended = await database.transact((tx) => endOtherSessions(tx, member, newest));
    expect(ended).to.equal(1);
    expect(await find(two)).to.equal('invalid_credential');
    expect(await find(three)).to.be.an('object');
  });

  it('H245: ending all other sessions ends unused links: mailed, printed and of a provider', async () => {
    await sign.request('ann@shop.example');

    const { token: mailed, code } = await sign.mail();
    const printed = await sign.printed(member);
    const identity = { issuer: 'https://id.example', subject: 'ann', email: 'ann@shop.example' };
    const [provided] = await database.transact((tx) => linksOfIdentity(tx, identity, browser));
    const other = await sign.member(account, 'eve@shop.example');
    const foreign = await sign.printed(other);

    await database.transact((tx) => endOtherSessions(tx, member, 'ses_1'));

    for (const token of [mailed, printed, provided!.token]) {
      expect(await sign.byToken(token, browser)).to.deep.equal({ refused: 'link_expired' });
    }

    expect(await sign.byCode(code)).to.deep.equal({ refused: 'link_expired' });
    expect(await sign.byToken(foreign, browser)).to.include({ memberId: other });

    const [mails] = await test.query<{ sent: number }>(
      'select count(*)::int as sent from sign_in_link where address_sha256 is not null',
    );
    expect(mails, 'they still limit the mails').to.deep.equal({ sent: 1 });
  });

  it('H245: ending all other sessions also ends that of a link that is being used', async () => {
    const token = await sign.printed(member);
    let ending: Promise<number> | undefined;
    const cookie = await database.transact(async (tx) => {
      const holder = await redeemToken(tx, token, undefined);
      if ('refused' in holder) throw new Error(holder.refused);
      ending = database.transact((other) => endOtherSessions(other, member, 'ses_1'));
      await untilLockIsAwaited(test);
      return openSession(tx, holder, { userAgent: '', replaced: undefined });
    });
    expect(await ending).to.equal(1);
    expect(await find(cookie)).to.equal('invalid_credential');
  });

  it('purges sessions after 7 days', async () => {
    await sign.session(account, member);
    await sign.session(account, member);
    await test.query(
      `update session set created_at = now() - interval '7 days 1 second'
        where id = (select min(id) from session)`,
    );
    for (const purged of [1, 0]) {
      expect(await database.transact((tx) => purgeSessions(tx, 10))).to.equal(purged);
    }
  });
});

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

  it('H155: an account that is being erased gets no new link by mail, from an operator or at the provider', async () => {
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

  it('H155: the links of an account that is being erased open no session', async () => {
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

  it('H155: credentials and sessions of an account that is being erased have no holder', async () => {
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

  it('H155: an account that is being erased shows no hosted page, takes no payment and mails no offer', async () => {
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

  it('the portal of an account that is being erased shows neither logo nor origins', async () => {
    await database.transact((tx) =>
      updatePortalSettings(tx, account, { origins: ['https://shop.example'] }),
    );
    expect((await findPortalSettings(database.read, account)).origins).to.have.length(1);
    await erase();
    expect((await findPortalSettings(database.read, account)).origins).to.deep.equal([]);
  });
});
