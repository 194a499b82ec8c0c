import { expect } from 'chai';
import { serverAudits } from 'graphql-http';
import { type Service, sharedService } from '../support/service.js';
import { createTenant, databaseOf, type Tenant } from '../support/tenants.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPortalLink } from '../../src/domain/portal/portal-links.js';
import { type Answer, DashboardClient } from '../support/dashboard.js';
import { makeSubjects, type Subjects } from '../support/every-operation.js';
import { startReceiver } from '../support/receiver.js';
import { repositoryRoot } from '../support/repository.js';

const json = 'application/json';
const graphqlResponse = 'application/graphql-response+json';

// `/graphql` takes POST only, so that no link can run an operation.
const ofGet = ['notice 5A70', 'notice D6D5', 'notice 6A70'];
// A validation error of the service is 422, here as on `/v1`.
const variablesOfAnotherType = ['notice 4760', 'notice 4761', 'notice 4762', 'notice 4763'];
// A document that cannot run is 400 for every client, so that logs, metrics and proxies see it.
const withoutOperation = ['warn 572B', 'warn FDE2', 'warn 7B9B'];

describe('GraphQL over HTTP', () => {
  let service: Service;
  let token: string;

  before(async () => {
    service = await sharedService();
    const tenant = await createTenant(service);
    ({ token } = await tenant.credential({ kind: 'internal' }));
  });

  const send: typeof fetch = (url, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${token}`);
    return fetch(url, { ...init, headers });
  };

  const negotiated = async (accept: string) => {
    const response = await send(`${service.internalUrl}/graphql`, {
      method: 'POST',
      headers: { 'content-type': json, accept },
      body: JSON.stringify({ query: '{ __typename }' }),
    });
    await response.text();
    return [response.status, response.headers.get('content-type')];
  };

  it('H267: passes the public audits except those that it declines', async () => {
    const failed: string[] = [];
    for (const audit of serverAudits({ url: `${service.internalUrl}/graphql`, fetchFn: send })) {
      const result = await audit.fn();
      if (result.status !== 'ok') failed.push(`${result.status} ${result.id}`);
    }
    expect(failed).to.have.members([...ofGet, ...variablesOfAnotherType, ...withoutOperation]);
  });

  it('H267: respects parameters, weights and the order of Accept', async () => {
    for (const [accept, type] of [
      [`${json}; charset=utf-8`, json],
      [`${graphqlResponse}; charset=utf-8`, graphqlResponse],
      [`${graphqlResponse};charset=utf-8, ${json};charset=utf-8`, graphqlResponse],
      [`${json}, ${graphqlResponse};q=0.5`, json],
      [`${json};q=0.5, ${graphqlResponse}`, graphqlResponse],
      [`${json};q=0, */*`, graphqlResponse],
      ['Application/*', json],
      ['', json],
    ] as const) {
      const expected = [200, `${type}; charset=utf-8`];
      expect(await negotiated(accept), accept).to.deep.equal(expected);
    }
  });

  it('H267: answers 406 to an Accept that excludes both types', async () => {
    for (const accept of ['text/html', `${json};q=0`, '*/*;q=0']) {
      expect((await negotiated(accept))[0], accept).to.equal(406);
    }
  });
});

/** The id of each document of a release, by the name of its operation. */
type Ids = Readonly<Record<string, string>>;

/** Made of the manifests of 2.0.0. Pages that are open during an upgrade, and older command lines, ask by these. */
const released = JSON.parse(
  readFileSync(join(repositoryRoot, 'test', 'support', 'documents-of-2.0.0.json'), 'utf8'),
) as Readonly<Record<'commandLine' | 'dashboard' | 'operators', Ids>>;

/** The names of the documents that a portal runs. */
const ofPortal = Object.values(
  JSON.parse(
    readFileSync(join(repositoryRoot, 'dist', 'dashboard', 'portal-documents.json'), 'utf8'),
  ) as Readonly<Record<string, string>>,
).map((text) => /^(?:query|mutation) (\w+)/.exec(text)?.[1]);

describe('the documents of 2.0.0', () => {
  let tenant: Tenant;
  let subjects: Subjects;
  let member: DashboardClient;
  let operator: DashboardClient;
  let portal: DashboardClient;

  before(async () => {
    const service = await sharedService();
    tenant = await createTenant(service);

    const receiver = await startReceiver();
    subjects = await makeSubjects(tenant, receiver);
    await receiver.close();

    const { token } = await tenant.credential({ kind: 'live' });
    member = new DashboardClient(service.url, { authorization: `Bearer ${token}` });

    operator = new DashboardClient(service.internalUrl);

    const internal = await tenant.credential({ kind: 'internal' });
    await operator.send('POST', '/session', { token: internal.token });

    portal = new DashboardClient(
      service.url,
      { 'sec-fetch-site': 'same-origin' },
      `/portal/${tenant.account}`,
    );

    const { transact } = await databaseOf(service);
    const link = await transact((tx) =>
      createPortalLink(tx, null, tenant.account, { role: 'developer' }),
    );
    await portal.send('POST', '/session', { token: new URL(link.url).hash.slice(1) });
  });

  const ask = (client: DashboardClient, id: string | undefined, variables = {}): Promise<Answer> =>
    client.send('POST', '/graphql', { id, variables });
  const dataOf = ({ text }: Answer) => (JSON.parse(text) as { data: unknown }).data;

  /** The names of the documents that the listener does not know. */
  async function unknownOf(client: DashboardClient, ids: Ids): Promise<string[]> {
    const unknown: string[] = [];
    for (const [name, id] of Object.entries(ids)) {
      const { status, code, text } = await ask(client, id);
      expect(status, `${name}: ${text}`).to.be.oneOf([200, 400, 422]);
      if (code === 'document_unknown') unknown.push(name);
    }
    return unknown;
  }

  it('H169: documents of 2.0.0 run for the command line and the dashboard', async () => {
    expect((await ask(member, 'other')).code).to.equal('document_unknown');
    expect(await unknownOf(member, released.commandLine)).to.deep.equal([]);
    expect(await unknownOf(member, released.dashboard)).to.deep.equal([]);

    const { commandLine, dashboard } = released;
    const viewer = dataOf(await ask(member, commandLine['viewer']));
    expect(viewer).to.have.nested.property('viewer.account.id', tenant.account);
    for (const id of [commandLine['delivery'], dashboard['delivery']]) {
      const { text } = await ask(member, id, { id: subjects.delivery });
      expect(text).to.include(`"id":"${subjects.delivery}","status":"success"`);
    }
  });

  it('H169: documents of 2.0.0 are called by documentId, and by id as 2.0.0 did', async () => {
    const id = released.dashboard['viewer'];
    const { text } = await ask(member, id);
    const call = (body: object) => member.send('POST', '/graphql', body);
    expect((await call({ documentId: id, variables: {} })).text).to.equal(text);
    expect((await call({ documentId: 'other' })).code).to.equal('document_unknown');

    for (const body of [
      { documentId: id, id },
      { documentId: id, query: '{ viewer { role } }' },
      { query: '{ viewer { role } }' },
    ]) {
      const { status, code } = await call(body);
      expect([status, code], JSON.stringify(body)).to.deep.equal([422, 'validation_failed']);
    }
  });

  it('H223: documents of 2.0.0 run for the pages of operators', async () => {
    expect((await ask(operator, 'other')).code).to.equal('document_unknown');
    expect(await unknownOf(operator, released.operators)).to.deep.equal([]);
  });

  it('H244: a portal runs the documents of its pages, and no others', async () => {
    const isOfPortal = (name: string) => ofPortal.includes(name);
    const others = Object.keys(released.dashboard).filter((name) => !isOfPortal(name));
    expect(await unknownOf(portal, released.dashboard)).to.have.members(others);
    expect(others).to.include('orders').and.not.include('delivery');

    const old = await ask(portal, released.dashboard['delivery'], { id: subjects.delivery });
    expect(dataOf(old)).to.have.nested.property('delivery.id', subjects.delivery);
  });
});
