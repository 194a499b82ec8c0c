import { expect } from 'chai';
import { assignRole, removeMember } from '../../../src/domain/account/administer.js';
import { commandActor } from '../../../src/domain/transaction/actor.js';
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
import type { Transact, Tx } from '../../../src/domain/transaction/tx.js';
import {
  type Answer,
  DashboardClient,
  documentId,
  startDashboard,
} from '../../support/dashboard.js';
import { untilLockIsAwaited } from '../../support/engine.js';
import { refusalOf } from '../../support/refusal.js';
import { describePortal, dataOf, refusedAs } from '../../support/portal.js';
import { changeRole } from '../../../src/domain/account/accounts.js';
import { createCredential } from '../../../src/domain/account/credentials.js';
import type { Role } from '../../../src/domain/account/permission.js';
import { updatePortalSettings } from '../../../src/domain/portal/portal-settings.js';

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

/** How a member stops administering an account. */
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

  it('H213: a link of another account, or past its time, opens nothing', async () => {
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

  it('H213: one session opens when many use a link at once', async () => {
    const portal = use();
    const { token } = await portal.link();
    const all = await Promise.all(
      Array.from({ length: 8 }, () => portal.browser().send('POST', '/session', { token })),
    );
    expect(all.map(({ status }) => status).sort()).to.deep.equal([
      200, 410, 410, 410, 410, 410, 410, 410,
    ]);
  });

  it('H213: a link is for a member or a role, and a member creates none for another member', async () => {
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

    const created = await portal.database.transact((tx) =>
      createPortalLink(tx, member, portal.account, { member }),
    );
    expect(created.id).to.match(/^plk_/);
  });

  const statusOf = async (token: string) =>
    (await use().browser().send('POST', '/session', { token })).status;

  it('H245: lists the links that can still be used, and who created each', async () => {
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

  it('H245: the audit log says which link was revoked, or how many', async () => {
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
    it(`H245: the links of a member end when the member ${how}, and those of operators stay`, async () => {
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

  it('H245: a link that was being created when its creator lost the role opens nothing', async () => {
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

describePortal('sessions of the portal', documents, (use) => {
  it('H215: sets a partitioned cookie, and a new one at each use of a link', async () => {
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

    // A planted cookie never becomes the id of a session.
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

    const reopened = await safe.send('POST', '/session', { token: (await portal.link()).token });
    expect(reopened.headers['set-cookie']).to.match(/^__Host-signalpost-portal-/);
    await secure.close();
  });

  it('H215: accepts a token of the page in place of the cookie, until the cookie comes back', async () => {
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

  it('H215: a session acts for a role or a member, reads orders at most, and administers nothing', async () => {
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

  it('H215: a session ends with its member, its role, and when the account ends it', async () => {
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
    for (let count = 0; count < 21; count += 1)
      statuses.push((await portal.ask(browser, viewer)).status);
    expect(statuses.slice(0, 20)).to.deep.equal(Array.from({ length: 20 }, () => 200));
    expect(statuses[20]).to.equal(429);

    const keyClient = new DashboardClient(small.address, {});
    const headers = { authorization: `Bearer ${token}` };
    const asked = await keyClient.send('POST', '/graphql', { id: documentId(viewer) }, headers);
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

describePortal('attacks on the portal', [viewer], (use) => {
  const brief = ({ status, code }: Answer) => [status, code];

  it('H216: refuses what another site sends', async () => {
    const portal = use();
    const browser = portal.browser();
    await portal.open(browser);

    const { token } = await portal.link();
    const foreign = portal.browser(portal.account, { 'sec-fetch-site': 'cross-site' });

    for (const [name, value] of browser.cookies) foreign.cookies.set(name, value);

    const silent = portal.browser(portal.account, {});
    const other = portal.browser(portal.account, { origin: 'https://evil.example' });
    for (const visitor of [foreign, silent, other]) {
      for (const [path, body] of [
        ['/session', { token }],
        ['/session/kept', {}],
        ['/graphql', { id: documentId(viewer) }],
      ] as const) {
        expect(brief(await visitor.send('POST', path, body)), path).to.deep.equal([
          403,
          'forbidden',
        ]);
      }

      expect((await visitor.send('DELETE', '/session')).status).to.equal(403);
      expect((await visitor.send('GET', '/stream')).status).to.equal(403);
    }

    const form = await browser.send('POST', '/session', `token=${token}`, {
      'content-type': 'text/plain',
    });
    expect(form.status).to.equal(415);
    expect((await portal.browser().send('POST', '/session', { token })).status).to.equal(200);
  });

  it('H216: runs only documents of the release, and only for the account of the path', async () => {
    const portal = use();
    const browser = portal.browser();
    await portal.open(browser);

    const unknown = await portal.ask(browser, 'query { viewer { account { name } } }');
    expect(brief(unknown)).to.deep.equal([400, 'document_unknown']);

    const text = await browser.send('POST', '/graphql', { query: '{ accounts { id } }' });
    expect(text.status).to.equal(422);

    const other = await portal.sign.account('Other');
    const [value = ''] = browser.cookies.values();
    const elsewhere = portal.browser(other);
    const { token } = await portal.link({ role: 'viewer' }, other);
    const opened = await portal.browser(other).send('POST', '/session', { token });
    const [, name = ''] = /^([^=]+)=/.exec(String(opened.headers['set-cookie'])) ?? [];
    elsewhere.cookies.set(name, value);
    expect((await portal.ask(elsewhere, viewer)).status).to.equal(401);

    const header = { 'signalpost-portal-token': value };
    expect((await portal.ask(portal.browser(other), viewer, {}, header)).status).to.equal(401);
    expect((await portal.browser().send('GET', '/stream')).status).to.equal(401);
  });

  it('H216: the portal reads no session of the dashboard, and the dashboard none of the portal', async () => {
    const portal = use();
    const { browser } = await portal.sign.browser(
      portal.server,
      portal.account,
      'owner' satisfies Role,
    );

    const [name = ''] = browser.cookies.keys();
    const session = browser.cookies.get(name) ?? '';
    const inPortal = portal.browser();
    inPortal.cookies.set(name, session);
    expect((await portal.ask(inPortal, viewer)).status).to.equal(401);
    await portal.open(inPortal);

    const [cookieName = '', cookie = ''] = [...inPortal.cookies].at(-1) ?? [];
    inPortal.cookies.set(cookieName, session);
    expect((await portal.ask(inPortal, viewer)).status).to.equal(401);

    const dashboard = new DashboardClient(portal.server.address);
    dashboard.cookies.set(cookieName, cookie);
    expect((await portal.ask(dashboard, viewer)).status).to.equal(401);
    dashboard.cookies.set(name, cookie);
    expect((await portal.ask(dashboard, viewer)).status).to.equal(401);

    const bearer = { authorization: `Bearer ${cookie}` };
    expect((await portal.ask(portal.browser(), viewer, {}, bearer)).status).to.equal(401);
  });
});

describePortal('the page of the portal', [], (use) => {
  it('H214: only the origins of the account may frame the page', async () => {
    const portal = use();
    const policyOf = ({ headers }: Answer) => String(headers['content-security-policy']);
    const closed = await portal.browser(portal.account, {}).send('GET', '/');
    expect(policyOf(closed)).to.include("frame-ancestors 'none'");
    expect(closed.headers['x-frame-options']).to.equal('DENY');

    const origins = ['https://shop.example', 'http://localhost:3000'];
    await portal.database.transact((tx) => updatePortalSettings(tx, portal.account, { origins }));

    const page = await portal.browser(portal.account, {}).send('GET', '/endpoints');
    expect(page.status).to.equal(200);
    expect(policyOf(page)).to.match(
      /; frame-ancestors https:\/\/shop\.example http:\/\/localhost:3000$/,
    );
    expect(policyOf(page)).to.include("script-src 'self'").and.not.to.include('unsafe');
    expect(page.headers).not.to.have.property('x-frame-options');

    const unknown = await portal.browser('acc_000000000000000000000000', {}).send('GET', '/');
    expect([unknown.status, policyOf(unknown)]).to.deep.equal([200, policyOf(closed)]);

    const dashboard = await new DashboardClient(portal.server.address, {}).send('GET', '/');
    expect(policyOf(dashboard)).to.include("frame-ancestors 'none'");
    expect(dashboard.headers['x-frame-options']).to.equal('DENY');

    const bare = new DashboardClient(portal.server.address, {}, '/portal');
    expect((await bare.send('GET', '/x')).status).to.equal(404);
  });

  it('H214: gives the page the look of the account as text', async () => {
    const portal = use();
    const png = `data:image/png;base64,${Buffer.from('\x89PNG\r\n\x1a\nx', 'latin1').toString('base64')}`;
    const theme = { scheme: 'dark', accent: '#ABCDEF' } as const;
    await portal.database.transact((tx) =>
      updatePortalSettings(tx, portal.account, { theme, logo: png }),
    );

    const { text } = await portal.browser(portal.account, {}).send('GET', '/');
    const [, content = ''] = /<meta name="portal" content="([^"]*)">/.exec(text) ?? [];
    const meta = JSON.parse(content.replaceAll('&#34;', '"')) as { logo: string };
    expect(meta).to.deep.include({
      theme: { scheme: 'dark', accent: '#abcdef', background: null },
    });

    const logo = await portal.browser(portal.account, {}).send('GET', `/${meta.logo}`);
    expect(logo.headers).to.include({
      'content-type': 'image/png',
      'content-security-policy': "default-src 'none'; sandbox",
    });

    expect(
      (await portal.browser(await portal.sign.account(), {}).send('GET', '/logo')).status,
    ).to.equal(404);
  });
});
