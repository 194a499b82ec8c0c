import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createPortalLink } from '../../src/domain/portal/portal-links.js';
import { type Answer, DashboardClient } from '../support/dashboard.js';
import { makeSubjects, type Subjects } from '../support/every-operation.js';
import { startReceiver } from '../support/receiver.js';
import { repositoryRoot } from '../support/repository.js';
import { sharedService } from '../support/service.js';
import { createTenant, databaseOf, type Tenant } from '../support/tenants.js';

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

  it('H169: run for the command line and the dashboard', async () => {
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

  it('H169: are called by documentId, and by id as 2.0.0 does', async () => {
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

  it('H223: run for the pages of operators', async () => {
    expect((await ask(operator, 'other')).code).to.equal('document_unknown');
    expect(await unknownOf(operator, released.operators)).to.deep.equal([]);
  });

  it('H244: run for a portal if they are of its pages, and no others', async () => {
    const isOfPortal = (name: string) => ofPortal.includes(name);
    const others = Object.keys(released.dashboard).filter((name) => !isOfPortal(name));
    expect(await unknownOf(portal, released.dashboard)).to.have.members(others);
    expect(others).to.include('orders').and.not.include('delivery');

    const old = await ask(portal, released.dashboard['delivery'], { id: subjects.delivery });
    expect(dataOf(old)).to.have.nested.property('delivery.id', subjects.delivery);
  });
});
