import { expect } from 'chai';
import type { Database } from '../../../src/database/database.js';
import { changeRole } from '../../../src/domain/account/accounts.js';
import { createCredential } from '../../../src/domain/account/credentials.js';
import type { CredentialKind } from '../../../src/domain/account/token.js';
import { createEndpoint } from '../../../src/domain/endpoint/change-endpoint.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import {
  type Answer,
  DashboardClient,
  documentId,
  startDashboard,
} from '../../support/dashboard.js';
import { SignIn } from '../../support/sign-in.js';

const viewer =
  'query { viewer { account { id } member { id role } permissions { webhooks orders } } }';
const endpoint = 'query ($id: ID!) { webhookEndpoint(id: $id) { id } }';
const create =
  'mutation ($input: CreateWebhookEndpointInput!) { createWebhookEndpoint(input: $input) { id } }';
const sessions = 'query { sessions { id userAgent current } }';
const endOthers = 'mutation { endOtherSessions }';
const endOne = 'mutation ($id: ID!) { endSession(id: $id) }';
const accounts = 'query { accounts { id } }';
const documents = [viewer, endpoint, create, sessions, endOthers, endOne, accounts];

const endpointInput = {
  url: 'https://shop.example/hook',
  eventTypes: ['cart.order.completed'],
  notificationEmail: 'ops@shop.example',
};

interface Result {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
}

describe('documents of the dashboard', () => {
  let test: TestDatabase;
  let database: Database;
  let sign: SignIn;
  let server: Awaited<ReturnType<typeof startDashboard>>;
  let account: string;

  before(async () => {
    test = await createTestDatabase();
    await test.query(`update event_type set sent = true where id = 'cart.order.completed'`);
    database = await test.open({ credentialsChanged: () => server.invalidate() });
    sign = new SignIn(test, database);
    server = await startDashboard(database, { documents });
    account = await sign.account();
  });

  after(async () => {
    await server.close();
    await test.drop();
  });

  const signedIn = (role: 'owner' | 'viewer' = 'owner') => sign.browser(server, account, role);
  const ask = (browser: DashboardClient, text: string, variables?: object, headers = {}) =>
    browser.send('POST', '/graphql', { id: documentId(text), variables }, headers);
  const resultOf = ({ text }: Answer) => JSON.parse(text) as Result;
  const codeOf = (answer: Answer) => resultOf(answer).errors?.[0]?.extensions.code;

  it('H169: runs a document for the signed-in member, with the permissions of the role', async () => {
    const { member, browser } = await signedIn('viewer');
    const asked = await ask(browser, viewer);
    expect(asked.status, asked.text).to.equal(200);
    expect(resultOf(asked).data).to.deep.equal({
      viewer: {
        account: { id: account },
        member: { id: member, role: 'viewer' },
        permissions: { webhooks: 'read', orders: 'read' },
      },
    });
    expect(asked.headers).to.include({ 'content-type': 'application/json; charset=utf-8' });
    expect(asked.headers['ratelimit']).to.match(/^"default";r=/);
  });

  it('H169: refuses a mutation that a viewer forges, and an internal operation', async () => {
    const { browser } = await signedIn('viewer');
    expect(codeOf(await ask(browser, create, { input: endpointInput }))).to.equal('forbidden');
    expect(codeOf(await ask(browser, accounts))).to.equal('forbidden');
    const owner = await signedIn();
    const created = await ask(owner.browser, create, { input: endpointInput });
    expect(resultOf(created).data, created.text).to.have.nested.property(
      'createWebhookEndpoint.id',
    );
  });

  it('H169: finds nothing of another account', async () => {
    const other = await sign.account('Other');
    const { endpoint: foreign } = await database.transact((tx) =>
      createEndpoint(tx, other, endpointInput),
    );
    const { browser } = await signedIn();
    const theirs = await ask(browser, endpoint, { id: foreign.id });
    const none = await ask(browser, endpoint, { id: 'whs_0' });
    expect(codeOf(theirs)).to.equal('not_found');
    expect(theirs.text).to.equal(none.text);
  });

  it('H169: runs no other text, by id or as a query', async () => {
    const { browser } = await signedIn();
    const unknown = await ask(browser, '{ viewer { account { name } } }');
    expect([unknown.status, unknown.code]).to.deep.equal([400, 'document_unknown']);

    for (const id of ['constructor', '__proto__', 'toString', 1, null, undefined]) {
      const sent = await browser.send('POST', '/graphql', { id });
      expect([sent.status, sent.code], String(id)).to.deep.equal([400, 'document_unknown']);
    }

    for (const body of [
      { query: viewer },
      { id: documentId(viewer), query: '{ accounts { id } }' },
    ]) {
      const sent = await browser.send('POST', '/graphql', body);
      expect([sent.status, sent.code]).to.deep.equal([422, 'validation_failed']);
    }
  });

  it('H169: refuses a request without a session, of another site, or of another type', async () => {
    const stranger = await ask(new DashboardClient(server.address), viewer);
    expect([stranger.status, stranger.code]).to.deep.equal([401, 'unauthorized']);
    expect(stranger.headers['www-authenticate']).to.equal('Cookie realm="dashboard"');
    const { browser } = await signedIn();
    const forged = await ask(browser, viewer, {}, { 'sec-fetch-site': 'cross-site' });
    expect([forged.status, forged.code]).to.deep.equal([403, 'forbidden']);
    const text = JSON.stringify({ id: documentId(viewer) });
    const form = await browser.send('POST', '/graphql', text, { 'content-type': 'text/plain' });
    expect(form.status).to.equal(415);
    expect((await browser.send('GET', '/graphql')).status).to.equal(405);
  });

  it('H168: refuses documents once the session ends, in this process at once', async () => {
    for (const end of ['sign-out', 'role', 'elsewhere'] as const) {
      const { member, browser } = await signedIn();
      expect((await ask(browser, viewer)).status).to.equal(200);

      const stolen = new DashboardClient(server.address);
      for (const [name, value] of browser.cookies) stolen.cookies.set(name, value);
      if (end === 'sign-out') await browser.send('DELETE', '/session');

      if (end === 'role') {
        await database.transact((tx) => changeRole(tx, account, member, 'admin'));
      }

      if (end === 'elsewhere') {
        const other = new DashboardClient(server.address);
        await sign.into(other, member);
        expect(resultOf(await ask(other, endOthers)).data).to.deep.equal({ endOtherSessions: 1 });
        expect((await ask(other, viewer)).status).to.equal(200);
      }

      expect((await ask(stolen, viewer)).status, end).to.equal(401);
    }
  });

  it('H168: lists the sessions of the member, and ends one of them', async () => {
    const { member, browser } = await signedIn();
    const other = new DashboardClient(server.address);
    await sign.into(other, member);

    const listed = resultOf(await ask(browser, sessions)).data?.['sessions'] as {
      id: string;
      userAgent: string;
      current: boolean;
    }[];

    expect(listed.map(({ current }) => current)).to.have.members([true, false]);
    expect(listed[0]?.userAgent).to.equal('Firefox');

    const { id = '' } = listed.find(({ current }) => !current) ?? {};
    const stranger = await signedIn();
    expect(codeOf(await ask(stranger.browser, endOne, { id }))).to.equal('not_found');
    expect(resultOf(await ask(browser, endOne, { id })).data).to.deep.equal({ endSession: true });
    expect((await ask(other, viewer)).status).to.equal(401);
  });

  it('runs documents with an API key in place of a session, but with no internal credential', async () => {
    const bearer = async (kind: CredentialKind) => {
      const { token } = await database.transact((tx) => createCredential(tx, { account, kind }));
      return ask(new DashboardClient(server.address, {}), viewer, undefined, {
        authorization: `Bearer ${token}`,
      });
    };

    for (const kind of ['live', 'legacy', 'dashboard'] as const) {
      expect((await bearer(kind)).status, kind).to.equal(200);
    }

    const internal = await bearer('internal');
    expect([internal.status, internal.code]).to.deep.equal([401, 'unauthorized']);

    const { browser } = await signedIn();
    const [cookie = ''] = browser.cookies.values();
    const asToken = await ask(new DashboardClient(server.address), viewer, undefined, {
      authorization: `Bearer ${cookie}`,
    });
    expect(asToken.status).to.equal(401);
  });

  it('counts documents against the rate limit of the account', async () => {
    const limited = await startDashboard(database, { documents, perMinute: 2 });
    const token = await sign.printed(await sign.member(account, 'eve@shop.example'));
    const browser = new DashboardClient(limited.address);
    await browser.send('POST', '/session', { token });
    const statuses = [];
    for (let times = 0; times < 3; times += 1) {
      statuses.push((await ask(browser, viewer)).status);
    }
    expect(statuses).to.deep.equal([200, 200, 429]);
    await limited.close();
  });
});
