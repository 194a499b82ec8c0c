import { expect } from 'chai';
import { assignRole, removeMember } from '../../../src/domain/account/administer.js';
import { commandActor } from '../../../src/domain/actor.js';
import {
  findPortalSession,
  endPortalSession,
  endPortalSessions,
  openPortalSession,
} from '../../../src/domain/portal/portal-sessions.js';
import {
  createPortalLink,
  listPortalLinks,
  type PortalLinkInput,
  redeemPortalLink,
} from '../../../src/domain/portal/portal-links.js';
import type { Transact, Tx } from '../../../src/domain/tx.js';
import { type Answer } from '../../support/dashboard.js';
import { untilLockIsAwaited } from '../../support/engine.js';
import { refusalOf } from '../../support/refusal.js';
import { describePortal } from '../../support/portal.js';

const viewer = `query { viewer { account { id } member { id } permissions { webhooks orders }
  portal { role theme { scheme accent background } } } }`;
const rotate = 'mutation ($id: ID!) { rotateSigningSecret(id: $id) { id } }';
const administer = [
  'query { members { id } }',
  'query { apiKeys { id } }',
  'query { auditLog { data { id } } }',
  'query { sessions { id } }',
  'mutation { endOtherSessions }',
  'query { portalSettings { origins } }',
  'query { portalSessions { id } }',
  'query { portalLinks { id } }',
  'mutation { createPortalLink(input: { role: developer }) { url } }',
  'query { accounts { id } }',
];
const documents = [viewer, rotate, ...administer];

/** How a member stops to administer an account. */
const endsOfAdministration = {
  'is removed': (tx: Tx, account: string, member: string) =>
    removeMember(tx, null, account, member),
  'no longer administers the account': async (tx: Tx, account: string, member: string) => {
    await assignRole(tx, null, account, member, 'developer');
  },
};

describePortal('links to the portal', documents, (use) => {
  const brief = ({ status, code }: Answer) => [status, code];

  it('H213: a link opens one session by a POST, and a GET redeems nothing', async () => {
    const portal = use();
    const { token, url, expiresAt } = await portal.link();
    expect(url).to.equal(
      `${portal.database.read.rules.baseUrl}/portal/${portal.account}/#${token}`,
    );

    const [stored] = await portal.test.query<{ left: string; row: string }>(
      `select (expires_at - created_at)::text as left, l::text as row from portal_link l
        where account_id = $1`,
      [portal.account],
    );

    expect(stored?.left).to.equal('00:15:00');
    expect(stored?.row).not.to.include(token);
    expect(expiresAt).to.be.an.instanceOf(Date);

    const browser = portal.browser();
    for (const path of ['', '/', '/session', `/?token=${token}`]) await browser.send('GET', path);

    const thief = portal.browser();
    expect((await browser.send('POST', '/session', { token })).status).to.equal(200);

    expect(brief(await thief.send('POST', '/session', { token }))).to.deep.equal([
      410,
      'link_expired',
    ]);

    expect(thief.cookies.size).to.equal(0);

    expect(brief(await thief.send('POST', '/session', { token: 'x' }))).to.deep.equal([
      410,
      'link_expired',
    ]);
  });

  it('H213: a link of another portal.account, or past its time, opens nothing', async () => {
    const portal = use();
    const other = await portal.sign.account('Other');
    const { token } = await portal.link();
    expect((await portal.browser(other).send('POST', '/session', { token })).status).to.equal(410);
    expect((await portal.browser().send('POST', '/session', { token })).status).to.equal(200);
    const late = await portal.link({ role: 'viewer', ttlSeconds: 60 });
    await portal.test.query('update portal_link set expires_at = now()');
    expect(
      (await portal.browser().send('POST', '/session', { token: late.token })).status,
    ).to.equal(410);
  });

  it('H213: of many that use a link at once, one gets in', async () => {
    const portal = use();
    const { token } = await portal.link();
    const all = await Promise.all(
      Array.from({ length: 8 }, () => portal.browser().send('POST', '/session', { token })),
    );
    expect(all.map(({ status }) => status).sort()).to.deep.equal([
      200, 410, 410, 410, 410, 410, 410, 410,
    ]);
  });

  it('H213: a link has a member or a role, and a member makes none for another', async () => {
    const portal = use();
    const member = await portal.sign.member(portal.account, 'ann@shop.example', 'owner');
    const other = await portal.sign.member(portal.account, 'bo@shop.example', 'developer');
    const accountant = await portal.sign.member(portal.account, 'cy@shop.example', 'accountant');
    const refusal = (input: PortalLinkInput, by: string | null = null) =>
      refusalOf(portal.database.transact((tx) => createPortalLink(tx, by, portal.account, input)));
    const paramOf = async (input: PortalLinkInput) => (await refusal(input)).errors[0]?.param;
    expect(await paramOf({})).to.equal('role');
    expect(await paramOf({ role: 'viewer', member })).to.equal('role');

    for (const role of ['owner', 'admin', 'accountant'] as const) {
      expect(await paramOf({ role }), role).to.equal('role');
    }

    expect(await paramOf({ member: accountant })).to.equal('member');

    for (const ttlSeconds of [59, 604_801]) {
      expect(await paramOf({ role: 'viewer', ttlSeconds })).to.equal('ttlSeconds');
    }

    expect(await paramOf({ role: 'viewer', theme: { accent: 'red;}' } })).to.equal('theme.accent');
    expect((await refusal({ member: other }, member)).code).to.equal('forbidden');

    const stranger = await portal.sign.member(await portal.sign.account('Other'), 'eve@x.example');
    expect((await refusal({ member: stranger })).code).to.equal('not_found');

    const made = await portal.database.transact((tx) =>
      createPortalLink(tx, member, portal.account, { member }),
    );
    expect(made.id).to.match(/^plk_/);
  });

  const statusOf = async (token: string) =>
    (await use().browser().send('POST', '/session', { token })).status;

  it('H245: lists the links that can still be used, and who made each', async () => {
    const portal = use();
    const { database, account } = portal;
    const owner = await portal.sign.member(account, 'ann@shop.example', 'owner');
    const mine = await portal.link({ member: owner }, account, owner);
    const operators = await portal.link({ role: 'developer' });
    const used = await portal.link();
    const late = await portal.link();

    expect(await statusOf(used.token)).to.equal(200);
    await portal.test.query('update portal_link set expires_at = now() where id = $1', [late.id]);

    const listed = await listPortalLinks(database.read, account);
    const shown = listed.map(({ id, makerId, memberId, role }) => [id, makerId, memberId, role]);
    expect(shown).to.have.deep.members([
      [operators.id, null, null, 'developer'],
      [mine.id, owner, owner, 'owner'],
    ]);

    const other = await portal.sign.account('Other');
    expect(await listPortalLinks(database.read, other)).to.deep.equal([]);
  });

  it('H245: deletes one unused link by its id, or all with the sessions', async () => {
    const portal = use();
    const { database, account } = portal;
    const one = await portal.link();
    const two = await portal.link();
    const three = await portal.link();
    const end = (id: string, of = account) =>
      database.transact((tx) => endPortalSession(tx, of, id));
    const foreign = end(one.id, await portal.sign.account('Other'));
    expect(await refusalOf(foreign)).to.include({ code: 'not_found' });
    await end(one.id);
    expect(await refusalOf(end(one.id))).to.include({ code: 'not_found' });
    expect(await statusOf(one.token)).to.equal(410);
    expect(await statusOf(two.token)).to.equal(200);

    const ended = await database.transact((tx) => endPortalSessions(tx, account));
    expect(ended).to.equal(1);
    expect(await statusOf(three.token)).to.equal(410);
  });

  it('H245: the audit log says which link was revoked, and how many', async () => {
    const portal = use();
    const { account } = portal;
    const actor = { ...commandActor, kind: 'operator' as const };
    const acting: Transact = (work) => portal.database.transact(work, { actor });
    const [one] = [await portal.link(), await portal.link(), await portal.link()];
    await acting((tx) => endPortalSession(tx, account, one.id));
    await acting((tx) => endPortalSessions(tx, account));

    const entries = await portal.test.query(
      `select action, resource_id as resource, changes from audit_entry
        where account_id = $1 and action = 'portal_link_revoked'`,
      [account],
    );

    expect(entries).to.have.deep.members([
      { action: 'portal_link_revoked', resource: one.id, changes: [] },
      { action: 'portal_link_revoked', resource: null, changes: [{ field: 'links', to: '2' }] },
    ]);
  });

  for (const [how, end] of Object.entries(endsOfAdministration)) {
    it(`H245: the links of a member go when the member ${how}, those of operators stay`, async () => {
      const portal = use();
      const { account } = portal;
      const owner = await portal.sign.member(account, 'ann@shop.example', 'owner');
      const admin = await portal.sign.member(account, 'bo@shop.example', 'admin');
      const mine = await portal.link({ role: 'viewer' }, account, admin);
      const others = await portal.link({ role: 'viewer' }, account, owner);
      const operators = await portal.link();

      await portal.database.transact((tx) => assignRole(tx, null, account, admin, 'owner'));
      expect(await listPortalLinks(portal.database.read, account)).to.have.length(3);
      await portal.database.transact((tx) => end(tx, account, admin));
      expect(await statusOf(mine.token)).to.equal(410);
      expect(await statusOf(others.token)).to.equal(200);
      expect(await statusOf(operators.token)).to.equal(200);
    });
  }

  it('H245: a link that was being made when its maker lost the role opens nothing', async () => {
    const portal = use();
    const { account } = portal;
    const former = await portal.sign.member(account, 'ann@shop.example', 'developer');
    const { id, token } = await portal.link();
    await portal.test.query('update portal_link set maker_id = $2 where id = $1', [id, former]);
    expect(await listPortalLinks(portal.database.read, account)).to.deep.equal([]);
    expect(await statusOf(token)).to.equal(410);
  });

  const ends = {
    'all sessions': async (tx: Tx, account: string) => {
      await endPortalSessions(tx, account);
    },
    'its link': (tx: Tx, account: string, link: string) => endPortalSession(tx, account, link),
  };
  for (const [what, end] of Object.entries(ends)) {
    it(`H245: ends the session of a link that is being used while ${what} ends`, async () => {
      const portal = use();
      const { account, database } = portal;
      const { id, token } = await portal.link();
      let ending: Promise<unknown> | undefined;
      const { cookie } = await database.transact(async (tx) => {
        const holder = await redeemPortalLink(tx, account, token);
        ending = database.transact((other) => end(other, account, id));
        await untilLockIsAwaited(portal.test);
        return openPortalSession(tx, holder!, { userAgent: '', replaced: undefined });
      });
      await ending;
      expect(await findPortalSession(database.read, cookie)).to.equal('invalid_credential');
    });
  }
});
