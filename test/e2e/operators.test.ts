import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { admin } from '../support/admin.js';
import { DashboardClient } from '../support/dashboard.js';
import { createEndpoint } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { repositoryRoot } from '../support/repository.js';
import { type Service, startService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

/** The id of a document of the pages of operators, by the name of its operation. */
function documentOf(name: string, manifest = 'operators/documents.json'): string {
  const text = readFileSync(join(repositoryRoot, 'dist/dashboard', manifest), 'utf8');
  const documents = Object.entries(JSON.parse(text) as Record<string, string>);
  const [id = ''] = documents.find(([, document]) => document.includes(` ${name}`)) ?? [];
  return id;
}

describe('the pages of operators, over HTTP', () => {
  let service: Service;
  let tenant: Tenant;
  let credential: { id: string; token: string };

  before(async () => {
    service = await startService({ environment: { RATE_LIMIT: '600' } });
    tenant = await createTenant(service);
  });

  after(() => service.stop());
  beforeEach(async () => (credential = await tenant.credential({ kind: 'internal' })));

  const signIn = async (token = credential.token) => {
    const browser = new DashboardClient(service.internalUrl);
    return { browser, answer: await browser.send('POST', '/session', { token }) };
  };

  const status = { id: documentOf('serviceStatus') };

  it('H222: an internal token opens a session by a cookie that scripts cannot read', async () => {
    const { browser, answer } = await signIn();
    expect([answer.status, answer.text]).to.deep.equal([200, '{}']);

    const cookie = String(answer.headers['set-cookie']);
    expect(cookie).to.match(/^signalpost-operator-\w{8}=\w{43}; /);
    expect(cookie).to.include('HttpOnly; SameSite=Lax').and.not.include('Secure');

    await eventually(async () => {
      const { text } = await browser.send('POST', '/graphql', status);
      expect(text).to.include('"deliver"').and.include('"version":"');
    }, 'the worker has reported');

    expect((await browser.send('DELETE', '/session')).status).to.equal(204);
    expect((await browser.send('POST', '/graphql', status)).status).to.equal(401);

    const log = await tenant.graphql<{ auditLog: { data: { action: string }[] } }>(
      'query ($account: ID!) { auditLog(account: $account) { data { action actorKind } } }',
      { account: tenant.account },
    );

    const actions = log.auditLog.data.map(({ action }) => action);
    expect(actions).to.include.members(['session_opened', 'session_ended']);
  });

  it('H222: sets a Secure __Host- cookie over TLS, and opens no session over plain HTTP from another machine', async () => {
    const tls = { 'sec-fetch-site': 'same-origin', origin: 'https://ops.example' };
    const secure = new DashboardClient(service.internalUrl, tls);
    const opened = await secure.send('POST', '/session', { token: credential.token });
    expect(String(opened.headers['set-cookie'])).to.match(/^__Host-.*; Secure$/);
    expect((await secure.send('POST', '/graphql', status)).status).to.equal(200);
    for (const origin of ['http://10.0.0.7:8081', 'http://127.0.0.1.evil.example']) {
      const headers = { 'sec-fetch-site': 'same-origin', origin };
      const plain = new DashboardClient(service.internalUrl, headers);
      const refused = await plain.send('POST', '/session', { token: credential.token });
      expect([refused.status, refused.code], origin).to.deep.equal([403, 'forbidden']);
    }
  });

  it('H222: a revoked credential ends its own sessions, and no other', async () => {
    const { browser } = await signIn();
    const other = await signIn((await tenant.credential({ kind: 'internal' })).token);
    expect((await browser.send('POST', '/graphql', status)).status).to.equal(200);
    const revoke = 'mutation ($id: ID!) { revokeCredential(id: $id) }';
    await tenant.graphql(revoke, { id: credential.id });
    await eventually(async () => {
      expect((await browser.send('POST', '/graphql', status)).status).to.equal(401);
    }, 'the session has ended');
    expect((await other.browser.send('POST', '/graphql', status)).status).to.equal(200);
    const again = await signIn();
    expect([again.answer.status, again.answer.code]).to.deep.equal([401, 'unauthorized']);
    expect(again.answer.text).to.include('revoked_credential');
  });

  it('H222: a session ends by its idle time and by its age', async () => {
    for (const column of ['last_used_at', 'created_at']) {
      const { browser } = await signIn();
      const past = column === 'created_at' ? '7 days' : '12 hours';
      const move = `update operator_session set ${column} = now() - $1::interval`;
      await service.database.query(move, [past]);
      await eventually(async () => {
        expect((await browser.send('POST', '/graphql', status)).status, column).to.equal(401);
      }, 'the session has ended');
    }
  });

  it('H222: refuses a key, a dashboard token, and a text that is no credential', async () => {
    const live = await tenant.credential({ kind: 'live' });
    const dashboard = await tenant.credential({ kind: 'dashboard' });
    for (const token of [live.token, dashboard.token, `int_${'x'.repeat(43)}`, 'int_', '']) {
      const { answer } = await signIn(token);
      expect([answer.status, answer.code], token).to.deep.equal([401, 'unauthorized']);
      expect(answer.headers).not.to.have.property('set-cookie');
    }
  });

  it('H222: limits wrong tokens by address', async () => {
    const statuses = new Set<number>();
    // Many at once, because one more is admitted each second.
    await eventually(async () => {
      const tries = Array.from({ length: 20 }, () => signIn(`int_${'y'.repeat(43)}`));
      for (const { answer } of await Promise.all(tries)) statuses.add(answer.status);
      expect([...statuses]).to.include.members([401, 429]);
    }, 'the limit is reached');
    // A new process, because the tests after this one would have to wait for the limit.
    await service.api.end('SIGTERM');
    await service.startApi();
  });

  it('H223: refuses requests from another site, and the cookie of a member', async () => {
    const { browser } = await signIn();
    const cookies = [...browser.cookies];

    for (const site of ['cross-site', 'same-site', 'none']) {
      const other = new DashboardClient(service.internalUrl, { 'sec-fetch-site': site });
      for (const [name, value] of cookies) other.cookies.set(name, value);
      const asked = await other.send('POST', '/graphql', status);
      expect([asked.status, asked.code], site).to.deep.equal([403, 'forbidden']);
      expect((await other.send('DELETE', '/session')).status, site).to.equal(403);
      const { token } = credential;
      expect((await other.send('POST', '/session', { token })).status, site).to.equal(403);
    }

    const member = await memberBrowser();
    const foreign = new DashboardClient(service.internalUrl);
    const [operator = ''] = browser.cookies.keys();

    for (const [name, value] of member.cookies) {
      foreign.cookies.set(name, value);
      foreign.cookies.set(operator, value);
    }

    expect((await foreign.send('POST', '/graphql', status)).status).to.equal(401);
  });

  it('H223: the public port has neither pages nor documents nor sessions of operators', async () => {
    const { browser } = await signIn();
    const outside = new DashboardClient(service.url);

    for (const [name, value] of browser.cookies) outside.cookies.set(name, value);
    expect((await outside.send('POST', '/graphql', status)).status).to.equal(401);

    const [value = ''] = browser.cookies.values();
    const member = await memberBrowser();
    const [session = ''] = member.cookies.keys();
    const unknown = await member.send('POST', '/graphql', status);
    expect([unknown.status, unknown.code]).to.deep.equal([400, 'document_unknown']);
    outside.cookies.set(session, value);
    expect((await outside.send('POST', '/graphql', status)).status).to.equal(401);

    const page = await new DashboardClient(service.internalUrl).send('GET', '/overview');
    const [, asset = ''] = /"\/dashboard(\/assets\/[^"]+\.js)"/.exec(page.text) ?? [];
    expect(asset).not.to.equal('');
    expect((await outside.send('GET', asset)).status).to.equal(404);

    const sent = await outside.send('POST', '/session', { token: credential.token });
    expect([sent.status, sent.code]).to.deep.equal([410, 'link_expired']);
  });

  it('H223: runs the documents of its pages and no other', async () => {
    const { browser } = await signIn();
    const others = [documentOf('refundPayment', 'documents.json'), 'a'.repeat(64), undefined];
    for (const id of others) {
      const answer = await browser.send('POST', '/graphql', { id });
      expect([answer.status, answer.code]).to.deep.equal([400, 'document_unknown']);
    }
    const query = '{ viewer { account { id } } }';
    expect((await browser.send('POST', '/graphql', { ...status, query })).status).to.equal(422);
    const none = await new DashboardClient(service.internalUrl).send('POST', '/graphql', status);
    expect(none.status).to.equal(401);
  });

  it('H272: looks up any id without its account, and refers to the logs for a request', async () => {
    const { browser } = await signIn();
    type Lookup = Record<string, string | null>;

    const lookUp = async (text: string) => {
      const asked = { id: documentOf('lookUpId'), variables: { text } };
      const answer = await browser.send('POST', '/graphql', asked);
      expect(answer.status, answer.text).to.equal(200);
      return (JSON.parse(answer.text) as { data: { lookup: Lookup | null } }).data.lookup;
    };

    const { id: endpoint } = await createEndpoint(tenant.rest, { url: 'https://127.0.0.1:1/' });
    const event = await tenant.publish({});
    const expected = { found: true, accountId: tenant.account, accountName: 'Test shop' };

    expect(await lookUp(endpoint)).to.include({ kind: 'endpoint', ...expected });

    expect(await lookUp(`webhook-id: ${event}`)).to.include({
      kind: 'event',
      id: event,
      eventId: event,
      ...expected,
    });

    const refused = await tenant.rest.get('/v1/webhooks/endpoints/whs_0000000000000000000000AB');
    const { request_id: request = '' } = refused.body as { request_id?: string };
    expect(await lookUp(request)).to.include({
      kind: 'request',
      logQuery: `grep -F ${request}`,
    });

    await eventually(() => {
      expect(service.api.lines.some((line) => line.includes(request))).to.equal(true);
    }, 'the log has the request');
    expect(await lookUp('whs_0000000000000000000000AB')).to.include({ found: false });
    expect(await lookUp('Test shop')).to.equal(null);

    interface Trail {
      readonly endpointId: string;
      readonly attempts: number;
      readonly pendingDeliveryId: string | null;
    }

    const asked = { id: documentOf('eventTrail'), variables: { id: event } };
    await eventually(async () => {
      const { text } = await browser.send('POST', '/graphql', asked);
      const { data } = JSON.parse(text) as { data: { trail: { endpoints: Trail[] } } };
      const first = data.trail.endpoints.find(({ endpointId }) => endpointId === endpoint);
      expect(first?.attempts).to.be.above(0);
      expect(first?.pendingDeliveryId).to.match(/^pdl_/);
    }, 'the first attempt has failed');

    const listed = {
      id: documentOf('accountEndpoint'),
      variables: { account: tenant.account, id: endpoint },
    };

    const { text } = await browser.send('POST', '/graphql', listed);
    expect(text).to.include('"backlog":{"pendingCount":1,"pendingCountIsComplete":true');
  });

  it('H223: serves pages that no site may frame and that run no inline code', async () => {
    const browser = new DashboardClient(service.internalUrl, {});
    const page = await browser.send('GET', '/overview');
    expect(page.status).to.equal(200);
    expect(page.text).to.include('Signalpost operations');
    expect(page.headers).to.include({ 'x-frame-options': 'DENY', 'cache-control': 'no-store' });
    const policy = String(page.headers['content-security-policy']);
    expect(policy).to.include("frame-ancestors 'none'").and.not.include('unsafe');
    expect(await browser.send('HEAD', '/overview')).to.include({ status: 200, text: '' });
    expect((await browser.send('PUT', '/graphql')).status).to.equal(405);
  });

  /** A browser in which the owner of the tenant is signed in to the dashboard of members. */
  async function memberBrowser(): Promise<DashboardClient> {
    const [{ id } = { id: '' }] = await service.database.query<{ id: string }>(
      'select id from member where account_id = $1 limit 1',
      [tenant.account],
    );
    const printed = await admin(service.environment, 'dashboard-link', '--member', id);
    const [, token] = /\/dashboard\/sign-in#(\w+)/.exec(printed.stdout) ?? [];
    const browser = new DashboardClient(service.url);
    expect((await browser.send('POST', '/session', { token })).status).to.equal(200);
    return browser;
  }
});
