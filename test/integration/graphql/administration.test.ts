import { expect } from 'chai';
import { createMember } from '../../../src/domain/account/accounts.js';
import { createCredential, type Viewer } from '../../../src/domain/account/credentials.js';
import { effectivePermissions, type Role, roles } from '../../../src/domain/account/permission.js';
import { Client, createFixture, type Fixture } from './fixture.js';

const credentialInput = 'mutation ($input: CreateCredentialInput!)';

describe('members and keys on GraphQL', () => {
  let fixture: Fixture;
  let client: Client;
  let memberCount = 0;

  before(async () => {
    fixture = await createFixture();
    client = new Client(fixture);
    await client.start();
  });

  after(async () => {
    await client.stop();
    await fixture.drop();
  });

  async function member(role: Role, account = fixture.account): Promise<string> {
    memberCount += 1;
    const email = `${role}-${memberCount}@shop.example`;
    const { id } = await fixture.database.transact((tx) =>
      createMember(tx, { account, email, role }),
    );
    return id;
  }

  /** The viewer of a session; `role` may be another one than the look-up finds. */
  async function session(role: Role): Promise<Viewer> {
    const full = { webhooks: 'write', orders: 'write' } as const;
    const permissions = effectivePermissions(full, role);
    const { account } = fixture;
    const holder = await member(role);
    return { credential: 'ses_1', kind: 'dashboard', account, member: holder, permissions };
  }

  const changeRole = (id: string, role: Role, account = fixture.account) =>
    `mutation { changeMemberRole(input: { account: "${account}", member: "${id}", role: ${role} }) { role } }`;
  const remove = (id: string) => `mutation { removeMember(id: "${id}") }`;
  const add = (role: Role) =>
    `mutation { createMember(input: { account: "${fixture.account}", email: "new@shop.example", role: ${role} }) { id } }`;
  const codeOf = async (viewer: Viewer, text: string, variables = {}) =>
    (await client.run(viewer, text, variables)).refusal?.code;

  it('only sessions of owners and admins administer members and keys', async () => {
    const id = await member('viewer');
    const documents = [
      '{ members { id } }',
      '{ apiKeys { id } }',
      add('viewer'),
      changeRole(id, 'viewer'),
      'mutation { revokeCredential(id: "crd_1") }',
    ];

    for (const role of roles) {
      const viewer = await session(role);
      const isAdministrator = role === 'owner' || role === 'admin';

      for (const text of documents) {
        const refused = (await codeOf(viewer, text)) === 'forbidden';
        expect(refused, `${role}: ${text}`).to.equal(!isAdministrator);
        const token = await fixture.viewer('dashboard', { role });
        expect(await codeOf(token, text), `token of ${role}`).to.equal('forbidden');
      }
    }
  });

  it('an admin neither adds, changes nor removes owners, and nobody changes themselves', async () => {
    const owner = await session('owner');
    const admin = await session('admin');
    const anOwner = await member('owner');
    const anAdmin = await member('admin');
    for (const text of [
      add('owner'),
      changeRole(anAdmin, 'owner'),
      changeRole(anOwner, 'viewer'),
      remove(anOwner),
      remove(admin.member ?? ''),
      changeRole(admin.member ?? '', 'viewer'),
    ]) {
      expect(await codeOf(admin, text), text).to.equal('forbidden');
    }

    expect(await codeOf(owner, remove(owner.member ?? ''))).to.equal('forbidden');
    expect(await codeOf(owner, changeRole(owner.member ?? '', 'admin'))).to.equal('forbidden');
    expect(await codeOf(admin, changeRole(anAdmin, 'viewer'))).to.equal(undefined);
    expect(await codeOf(owner, changeRole(anOwner, 'viewer'))).to.equal(undefined);
    expect(await codeOf(owner, add('owner'))).to.equal(undefined);
  });

  it('reaches no member and no key of another account', async () => {
    const owner = await session('owner');
    const stranger = await member('viewer', fixture.other);
    const { id } = await fixture.database.transact((tx) =>
      createCredential(tx, { account: fixture.other, kind: 'live' }),
    );
    expect(await codeOf(owner, changeRole(stranger, 'admin', fixture.other))).to.equal('forbidden');
    expect(await codeOf(owner, changeRole(stranger, 'admin'))).to.equal('not_found');
    expect(await codeOf(owner, remove(stranger))).to.equal('not_found');
    const revoke = 'mutation ($id: ID!) { revokeCredential(id: $id) }';
    expect(await codeOf(owner, revoke, { id })).to.equal('not_found');
  });

  it('creates only live keys, with the role of their creator, and they outlive that member', async () => {
    const owner = await session('owner');
    const admin = await session('admin');
    const create = `${credentialInput} { createCredential(input: $input) { id token } }`;
    const { account } = fixture;

    for (const kind of ['internal', 'dashboard', 'legacy']) {
      expect(await codeOf(admin, create, { input: { account, kind } }), kind).to.equal('forbidden');
    }

    const held = { account, kind: 'live', member: owner.member };
    expect(await codeOf(admin, create, { input: held })).to.equal('forbidden');

    const input = { account, kind: 'live', webhooks: 'read', role: 'viewer' };
    const answer = await client.answer(admin, create, { input });
    const id = String(answer['createCredential']?.['id']);

    expect(answer['createCredential']?.['token']).to.match(/^sk_live_/);
    await client.answer(owner, remove(admin.member ?? ''));

    const [row] = await fixture.test.query(
      'select m.role, c.level from credential c join member m on m.id = c.member_id where c.id = $1',
      [id],
    );

    expect(row).to.deep.equal({ role: 'admin', level: 'restricted' });

    const list = '{ apiKeys { id webhooks orders last4 } }';
    const keys = async () =>
      (await client.answer(owner, list))['apiKeys'] as unknown as { id: string }[];
    expect((await keys())[0]).to.deep.include({ id, webhooks: 'read', orders: 'none' });
    await client.answer(owner, `mutation { revokeCredential(id: "${id}") }`);
    expect((await keys()).map((key) => key.id)).not.to.include(id);
  });

  it('lists people without the holders of single credentials', async () => {
    await fixture.token('dashboard');
    const owner = await session('owner');
    const answer = await client.answer(owner, '{ members { id email } }');
    const members = answer['members'] as unknown as { id: string; email: string }[];
    expect(members.map(({ id }) => id)).to.include(owner.member ?? '');
    expect(members.filter(({ email }) => email.endsWith('.invalid'))).to.deep.equal([]);
  });

  it('ends the sessions and credentials of a removed member', async () => {
    const owner = await session('owner');
    const removed = await member('developer');
    const input = { account: fixture.account, kind: 'live', member: removed };
    const operator = await fixture.viewer('internal');
    await client.answer(operator, `${credentialInput} { createCredential(input: $input) { id } }`, {
      input,
    });
    await client.answer(owner, remove(removed));
    const left = await fixture.test.query('select from credential where member_id = $1', [removed]);
    expect(left).to.deep.equal([]);
  });
});
