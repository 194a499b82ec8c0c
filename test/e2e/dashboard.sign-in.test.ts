import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { request } from 'undici';
import { admin, adminJson } from '../support/admin.js';
import { DashboardClient } from '../support/dashboard.js';
import { eventually } from '../support/eventually.js';
import { type MailServer, startMailServer } from '../support/mail.js';
import { repositoryRoot } from '../support/repository.js';
import { type Service, startService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

describe('signing in to the dashboard by mail', () => {
  let service: Service;
  let mailServer: MailServer;
  let tenant: Tenant;
  let member: string;

  /** The secrets of the mails and cookies so far. */
  const secrets: string[] = [];

  before(async () => {
    mailServer = await startMailServer();
    service = await startService({ environment: { SMTP_URL: mailServer.url } });
    tenant = await createTenant(service);
    const mutation = 'mutation ($input: CreateMemberInput!) { createMember(input: $input) { id } }';
    const input = { account: tenant.account, email: 'ann@shop.example', role: 'developer' };
    const created = await tenant.graphql<{ createMember: { id: string } }>(mutation, { input });
    member = created.createMember.id;
  });

  after(async () => {
    await service.stop();
    await mailServer.close();
  });

  /** Asks for a link and reads the mail. */
  async function ask(browser: DashboardClient): Promise<{ token: string; code: string }> {
    const before = mailServer.taken.length;
    const asked = await browser.send('POST', '/session/link', { email: 'Ann@shop.example' });
    expect(asked.status, asked.text).to.equal(202);
    const [mail] = (await mailServer.took(before + 1)).slice(before);
    expect(mail?.to).to.deep.equal(['ann@shop.example']);
    expect(mail?.headers['subject']).to.deep.equal(['Sign in to Test shop']);
    const [, url = ''] = /^(http\S+)$/m.exec(mail?.text ?? '') ?? [];
    expect(url).to.include(`${service.url}/dashboard/sign-in#`);
    const [code = ''] = /[2-9A-Z]{4}-[2-9A-Z]{4}/.exec(mail?.text ?? '') ?? [];
    const token = new URL(url).hash.slice(1);
    secrets.push(token, code, ...browser.cookies.values());
    return { token, code };
  }

  const openSessions = () =>
    service.database.query('select id from session where member_id = $1', [member]);

  it('H166, H168: opens a session by the link, once and only in the browser that asked', async () => {
    const browser = new DashboardClient(service.url);
    const { token } = await ask(browser);
    const thief = await new DashboardClient(service.url).send('POST', '/session', { token });
    expect([thief.status, thief.code]).to.deep.equal([409, 'other_browser']);
    const opened = await browser.send('POST', '/session', { token });
    expect(opened.status, opened.text).to.equal(200);
    expect(String(opened.headers['set-cookie'])).to.include('HttpOnly; SameSite=Lax');
    const again = await browser.send('POST', '/session', { token });
    expect([again.status, again.code]).to.deep.equal([410, 'link_expired']);
    expect(await openSessions()).to.have.length(1);
    expect((await browser.send('DELETE', '/session')).status).to.equal(204);
    expect(await openSessions()).to.have.length(0);
  });

  it('H169: runs the documents of the pages for a signed-in member, and no other', async () => {
    const browser = new DashboardClient(service.url);
    const { token } = await ask(browser);
    await browser.send('POST', '/session', { token });

    const manifest = readFileSync(join(repositoryRoot, 'dist/dashboard/documents.json'), 'utf8');
    const documents = Object.entries(JSON.parse(manifest) as Record<string, string>);
    const [id] = documents.find(([, text]) => /\bviewer\b/.test(text)) ?? [];
    const asked = await browser.send('POST', '/graphql', { id });
    expect(asked.status, asked.text).to.equal(200);
    expect(JSON.parse(asked.text)).to.have.nested.property('data.viewer.account.name', 'Test shop');

    const other = await browser.send('POST', '/graphql', {
      query: '{ viewer { account { id } } }',
    });
    expect([other.status, other.code]).to.deep.equal([422, 'validation_failed']);
    await browser.send('DELETE', '/session');

    const after = await browser.send('POST', '/graphql', { id });
    expect([after.status, after.code]).to.deep.equal([401, 'unauthorized']);
  });

  it('H170: serves the built pages, and lets no site frame them', async () => {
    const browser = new DashboardClient(service.url, {});
    const page = await browser.send('GET', '/endpoints');
    expect(page.status).to.equal(200);
    expect(page.headers).to.include({ 'x-frame-options': 'DENY', 'cache-control': 'no-store' });
    expect(page.headers['content-security-policy']).to.include("frame-ancestors 'none'");
    const [, asset = ''] = /"\/dashboard(\/assets\/[^"]+\.js)"/.exec(page.text) ?? [];
    const script = await browser.send('GET', asset, undefined, { 'accept-encoding': 'br' });
    expect(script.status, asset).to.equal(200);
    expect(script.headers).to.include({
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
    });
  });

  it('H167: opens a session by the code of the mail', async () => {
    const browser = new DashboardClient(service.url);
    const { code } = await ask(browser);
    const wrong = await browser.send('POST', '/session', { code: '2222-2222' });
    expect([wrong.status, wrong.code]).to.deep.equal([422, 'validation_failed']);
    expect((await browser.send('POST', '/session', { code })).status).to.equal(200);
  });

  it('H169: refuses what another site sends', async () => {
    const other = new DashboardClient(service.url, { 'sec-fetch-site': 'cross-site' });
    const asked = await other.send('POST', '/session/link', { email: 'ann@shop.example' });
    expect([asked.status, asked.code]).to.deep.equal([403, 'forbidden']);
  });

  it('H166: opens a session by the link that an operator prints', async () => {
    const list = ['members', 'list', '--account', tenant.account];
    const members = (await adminJson(service.environment, list)) as { id: string; email: string }[];
    const { id = '' } = members.find(({ email }) => email === 'ann@shop.example') ?? {};
    const printed = await admin(service.environment, 'dashboard-link', '--member', id);
    const [, token] = /\/dashboard\/sign-in#(\w+)/.exec(printed.stdout) ?? [];
    const opened = await new DashboardClient(service.url).send('POST', '/session', { token });
    expect(opened.status, opened.text).to.equal(200);
  });

  it('H161: opens the live stream with a session, and ends it with the session', async () => {
    const browser = new DashboardClient(service.url);
    const printed = await admin(service.environment, 'dashboard-link', '--member', member);
    const [, token] = /\/dashboard\/sign-in#(\w+)/.exec(printed.stdout) ?? [];
    await browser.send('POST', '/session', { token });

    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const open = (site: string) =>
      request(`${service.url}/stream`, { headers: { cookie, 'sec-fetch-site': site } });
    const foreign = await open('cross-site');
    expect(foreign.statusCode).to.equal(403);
    await foreign.body.dump();

    const stream = await open('same-origin');
    expect(stream.statusCode).to.equal(200);

    const shown = stream.body.text();
    await browser.send('DELETE', '/session');
    expect(await shown).to.include('credential_revoked');
  });

  it('H168: an open stream does not keep its session alive', async () => {
    const open = async () => {
      const browser = new DashboardClient(service.url);
      const printed = await admin(service.environment, 'dashboard-link', '--member', member);
      const [, token] = /\/dashboard\/sign-in#(\w+)/.exec(printed.stdout) ?? [];
      await browser.send('POST', '/session', { token });
      const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const headers = { cookie, 'sec-fetch-site': 'same-origin' };
      const stream = await request(`${service.url}/stream`, { headers });
      const shown = stream.body.text();
      return { browser, shown };
    };

    const watching = await open();
    const ids = async () => (await openSessions()).map((row) => (row as { id: string }).id);
    const [watched = ''] = (await ids()).sort().slice(-1);
    const used = `last_used_at < now() - interval '1 hour' as old from session where id = $1`;

    await service.database.query(
      `update session set last_used_at = now() - interval '2 hours' where id = $1`,
      [watched],
    );

    // Each end of a session makes the process look all others up again, one round after the other.
    for (const other of [await open(), await open()]) {
      await other.browser.send('DELETE', '/session');
      expect(await other.shown).to.include('credential_revoked');
    }

    expect(await service.database.query(`select ${used}`, [watched])).to.deep.equal([
      { old: true },
    ]);
    await watching.browser.send('DELETE', '/session');
    expect(await watching.shown).to.include('credential_revoked');
  });

  it('H166: mails to a browser that signed in before, however much strangers have asked', async () => {
    const browser = new DashboardClient(service.url);
    const printed = await admin(service.environment, 'dashboard-link', '--member', member);
    const [, token] = /\/dashboard\/sign-in#(\w+)/.exec(printed.stdout) ?? [];
    await browser.send('POST', '/session', { token });
    await browser.send('DELETE', '/session');

    const email = 'ann@shop.example';
    const stranger = new DashboardClient(service.url);
    let refused = await stranger.send('POST', '/session/link', { email });
    for (let times = 0; times < 3; times += 1) {
      refused = await stranger.send('POST', '/session/link', { email });
    }

    expect([refused.status, refused.code]).to.deep.equal([429, 'rate_limit_exceeded']);
    await ask(browser);
  });

  it("H249: reaches the member's own account when ten others have the address", async () => {
    const email = 'eva@shop.example';
    await service.database.query(
      `with others as (
         insert into account (id, name, created_at)
         select 'acc_' || lpad(i::text, 24, '0'), 'Stranger ' || i, now() from generate_series(1, 10) i
         returning id)
       insert into member (id, account_id, email, role, created_at)
       select replace(id, 'acc', 'mem'), id, $1, 'owner', now() from others`,
      [email],
    );

    await tenant.graphql(
      'mutation ($input: CreateMemberInput!) { createMember(input: $input) { id } }',
      { input: { account: tenant.account, email, role: 'viewer' } },
    );

    const before = mailServer.taken.length;
    const browser = new DashboardClient(service.url, {
      'sec-fetch-site': 'same-origin',
    });
    await browser.send('POST', '/session/link', { email });

    const mails = (await mailServer.took(before + 1)).slice(before);
    expect(mails).to.have.length(1);

    const [, url = ''] = /^Test shop:\r?\n(http\S+)$/m.exec(mails[0]?.text ?? '') ?? [];
    const token = new URL(url).hash.slice(1);
    secrets.push(token);
    expect((await browser.send('POST', '/session', { token })).status).to.equal(200);
  });

  it('H274, H275: reaches a member whose domain another release stored in another spelling', async () => {
    // As a process of 2.0.0 beside this one does.
    await service.database.query(
      `insert into member (id, account_id, email, role, created_at)
       values ($1, $2, 'Zoe@m\u00fcnchen.example', 'viewer', now())`,
      [`mem_${'0'.repeat(23)}z`, tenant.account],
    );

    await eventually(async () => {
      const unread = await service.database.query(
        `select id from member where mailbox is null and octet_length(email) > char_length(email)`,
      );
      expect(unread).to.deep.equal([]);
    }, 'a worker stores the form of the address');

    const before = mailServer.taken.length;
    const browser = new DashboardClient(service.url, {
      'sec-fetch-site': 'same-origin',
    });
    const asked = { email: 'zoe@xn--mnchen-3ya.example' };
    expect((await browser.send('POST', '/session/link', asked)).status).to.equal(202);

    const [mail] = (await mailServer.took(before + 1)).slice(before);
    const token = /\/dashboard\/sign-in#(\w+)/.exec(mail?.text ?? '')?.[1] ?? '';
    secrets.push(token);
    expect((await browser.send('POST', '/session', { token })).status).to.equal(200);
  });

  it('writes neither links nor codes nor cookies to a log', async () => {
    const lines = () => [
      ...service.api.lines,
      ...service.workers.flatMap((worker) => worker.lines),
    ];
    await eventually(
      () => expect(lines().join('\n')).to.include('dashboard.sign-in'),
      'the request is logged',
    );
    expect(secrets).to.have.length.above(5);
    for (const secret of secrets) {
      expect(lines().join('\n')).not.to.include(secret);
    }
  });
});
