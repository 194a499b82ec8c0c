import { expect } from 'chai';
import { createPortalLink, type PortalLinkInput } from '../../../src/domain/portal/portal-links.js';
import { type Answer } from '../../support/dashboard-client.js';
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
  'mutation { createPortalLink(input: { role: developer }) { url } }',
  'query { accounts { id } }',
];
const documents = [viewer, rotate, ...administer];

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
      ...[410, 'link_expired'],
    ]);
    expect(thief.cookies.size).to.equal(0);
    expect(brief(await thief.send('POST', '/session', { token: 'x' }))).to.deep.equal([
      ...[410, 'link_expired'],
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
      ...[200, 410, 410, 410, 410, 410, 410, 410],
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
});
