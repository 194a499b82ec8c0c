import { expect } from 'chai';
import { changeRole } from '../../../src/domain/account/accounts.js';
import { createCredential } from '../../../src/domain/account/credentials.js';
import type { PortalLinkInput } from '../../../src/domain/portal/portal-links.js';
import { endPortalSessions } from '../../../src/domain/portal/portal-sessions.js';
import { DashboardClient, documentId, startDashboard } from '../../support/dashboard.js';

import { dataOf, describePortal, refusedAs } from '../../support/portal.js';

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

describePortal('sessions of the portal', documents, (use) => {
  it('H215: the cookie is partitioned, and new at each use of a link', async () => {
    const portal = use();
    const browser = portal.browser();
    const { opened } = await portal.open(browser);
    const name = `signalpost-portal-[0-9a-f]{8}-${portal.account}`;
    expect(opened.headers['set-cookie']).to.match(
      new RegExp(
        `^${name}=[0-9A-Za-z]{43}; Path=/; Max-Age=604800; HttpOnly; SameSite=None; Secure; Partitioned$`,
      ),
    );

    const [first] = browser.cookies.values();

    // What an attacker planted stays as it was: it is no session, and is not made one.
    const planted = 'p'.repeat(43);
    const victim = portal.browser();

    for (const cookie of browser.cookies.keys()) victim.cookies.set(cookie, planted);
    await portal.open(victim);
    expect([...victim.cookies.values()]).not.to.include(planted);
    await portal.open(browser);
    expect([...browser.cookies.values()]).not.to.include(first);

    const old = portal.browser();
    for (const cookie of browser.cookies.keys()) old.cookies.set(cookie, first ?? '');
    expect((await portal.ask(old, viewer)).status).to.equal(401);

    const secure = await startDashboard(portal.database, { origin: 'https://hooks.example' });
    const safe = new DashboardClient(
      secure.address,
      { 'sec-fetch-site': 'same-origin' },
      `/portal/${portal.account}`,
    );

    const made = await safe.send('POST', '/session', { token: (await portal.link()).token });
    expect(made.headers['set-cookie']).to.match(/^__Host-signalpost-portal-/);
    await secure.close();
  });

  it('H215: without a cookie a token of the page does, until the cookie comes back', async () => {
    const portal = use();
    const browser = portal.browser();
    const { page } = await portal.open(browser);
    const header = { 'signalpost-portal-token': page };
    const blocked = portal.browser();
    expect((await portal.ask(blocked, viewer)).status).to.equal(401);
    expect((await portal.ask(blocked, viewer, {}, header)).status).to.equal(200);
    expect((await blocked.send('POST', '/session/kept', {}, header)).status).to.equal(401);
    expect((await browser.send('POST', '/session/kept', {})).status).to.equal(204);
    expect((await portal.ask(blocked, viewer, {}, header)).status).to.equal(401);
    expect((await portal.ask(browser, viewer)).status).to.equal(200);
  });

  it('H215: acts for a role or a member, reads orders at most, and administers nothing', async () => {
    const portal = use();
    const seen = async (input: PortalLinkInput) => {
      const browser = portal.browser();
      await portal.open(browser, input);
      return { browser, viewer: dataOf(await portal.ask(browser, viewer))?.['viewer'] };
    };

    const accent = '#336699';
    const ofRole = await seen({ role: 'viewer', theme: { accent } });
    expect(ofRole.viewer).to.deep.equal({
      account: { id: portal.account },
      member: null,
      permissions: { webhooks: 'read', orders: 'read' },
      portal: { role: 'viewer', theme: { scheme: null, accent, background: null } },
    });

    expect(refusedAs(await portal.ask(ofRole.browser, rotate, { id: 'whs_1' }))).to.equal(
      'forbidden',
    );

    const owner = await portal.sign.member(portal.account, 'ann@shop.example', 'owner');
    const ofOwner = await seen({ member: owner });
    expect(ofOwner.viewer).to.deep.include({
      member: { id: owner },
      permissions: { webhooks: 'write', orders: 'read' },
    });

    for (const text of administer) {
      for (const { browser } of [ofRole, ofOwner]) {
        expect(refusedAs(await portal.ask(browser, text)), text).to.equal('forbidden');
      }
    }
  });

  it('H215: ends with its member, its role and when the account ends it', async () => {
    const portal = use();
    const changes: readonly ((member: string) => Promise<unknown>)[] = [
      (member) =>
        portal.database.transact((tx) => changeRole(tx, portal.account, member, 'viewer')),
      (member) =>
        portal.test
          .query('delete from member where id = $1', [member])
          .then(portal.server.invalidate),
      () => portal.database.transact((tx) => endPortalSessions(tx, portal.account)),
      () =>
        portal.test
          .query(`update portal_session set last_used_at = now() - interval '12 hours'`)
          .then(portal.server.invalidate),
    ];
    for (const [place, change] of changes.entries()) {
      const member = await portal.sign.member(
        portal.account,
        `m${place}@shop.example`,
        'developer',
      );

      const browser = portal.browser();
      await portal.open(browser, { member });
      expect((await portal.ask(browser, viewer)).status).to.equal(200);
      await change(member);
      expect((await portal.ask(browser, viewer)).status, `change ${place}`).to.equal(401);
    }

    const leaving = portal.browser();
    await portal.open(leaving);
    expect((await leaving.send('DELETE', '/session')).status).to.equal(204);
    expect(leaving.cookies.size).to.equal(0);
  });

  it('H215: an account has at most 200 sessions and 1,000 links; one more ends the oldest', async () => {
    const portal = use();
    const insert = (table: string, columns: string, count: number) =>
      portal.test.query(
        `insert into ${table} (id, account_id, role, token_sha256, created_at, ${columns})
         select substr('${table}', 8, 3) || '_' || lpad(i::text, 5, '0') || $1, $1, 'viewer',
                sha256((i || $1)::bytea), now(), ${table === 'portal_link' ? 'now()' : `'plk_1', '', now()`}
           from generate_series(1, ${count}) i`,
        [portal.account],
      );

    await insert('portal_link', 'expires_at', 1_000);
    await insert('portal_session', 'link_id, user_agent, last_used_at', 200);
    await portal.open();

    const counts = await portal.test.query(
      `select (select count(*)::int from portal_link where account_id = $1) as links,
              (select count(*)::int from portal_session where account_id = $1) as sessions`,
      [portal.account],
    );
    expect(counts).to.deep.equal([{ links: 1_000, sessions: 200 }]);
  });

  it('H215: a portal uses at most half of the requests of its account', async () => {
    const portal = use();
    const { token } = await portal.database.transact((tx) =>
      createCredential(tx, { account: portal.account, kind: 'live' }),
    );
    const small = await startDashboard(portal.database, { documents, perMinute: 40 });
    const sameOrigin = { 'sec-fetch-site': 'same-origin' };
    const browser = new DashboardClient(small.address, sameOrigin, `/portal/${portal.account}`);
    await browser.send('POST', '/session', { token: (await portal.link()).token });

    const statuses = [];
    for (let each = 0; each < 21; each += 1)
      statuses.push((await portal.ask(browser, viewer)).status);
    expect(statuses.slice(0, 20)).to.deep.equal(Array.from({ length: 20 }, () => 200));
    expect(statuses[20]).to.equal(429);

    const own = new DashboardClient(small.address, {});
    const headers = { authorization: `Bearer ${token}` };
    const asked = await own.send('POST', '/graphql', { id: documentId(viewer) }, headers);
    expect(asked.status, asked.text).to.equal(200);
    await small.close();
  });

  it('H215: the audit log names link and session, and the member if there is one', async () => {
    const portal = use();
    const member = await portal.sign.member(portal.account, 'ann@shop.example', 'developer');
    const session = portal.browser();
    const { id, token } = await portal.link({ member });
    await session.send('POST', '/session', { token });
    await portal.open();

    const rows = await portal.test.query<Readonly<Record<string, unknown>>>(
      `select action, actor_kind as kind, member_email as email, changes,
              resource_id = credential_id as own
         from audit_entry where account_id = $1 and action = 'portal_session_opened' order by id`,
      [portal.account],
    );

    expect(rows[0]).to.deep.equal({
      action: 'portal_session_opened',
      kind: 'portal',
      email: 'ann@shop.example',
      own: true,
      changes: [{ field: 'link', to: id }],
    });

    expect(rows[1]).to.include({ kind: 'portal', email: null });
  });
});
