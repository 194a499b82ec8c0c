import { expect } from 'chai';
import type { Database } from '../../../src/database/database.js';
import { changeRole, createAccount, createMember } from '../../../src/domain/account/accounts.js';
import {
  type CredentialInput,
  createCredential,
  revokeCredential,
  listCredentials,
} from '../../../src/domain/account/credentials.js';
import { credentialKinds } from '../../../src/domain/account/token.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { issuesOf, refusalOf, viewerOf } from '../../support/refusal.js';

describe('accounts and credentials', () => {
  let test: TestDatabase;
  let database: Database;
  let account: string;

  before(async () => {
    test = await createTestDatabase();
    database = await test.open();
    account = (await database.transact((tx) => createAccount(tx, { name: 'Shop' }))).id;
  });

  after(() => test.drop());

  const issue = (input: Partial<CredentialInput> = {}) =>
    database.transact((tx) => createCredential(tx, { account, kind: 'live', ...input }));

  it('H86: authenticates every kind of credential as its holder, and stores only its hash', async () => {
    for (const kind of credentialKinds) {
      const { id, token } = await issue({ kind });
      const [holder] = await test.query<{ id: string }>(
        'select member_id as id from credential where id = $1',
        [id],
      );

      expect(await viewerOf(database.read, token)).to.deep.equal({
        credential: id,
        kind,
        account,
        member: holder?.id,
        permissions: { webhooks: 'write', orders: 'write' },
      });

      const [row] = await test.query<{ text: string }>(
        `select row_to_json(c)::text as text from credential c where id = $1`,
        [id],
      );
      expect(row?.text).to.not.contain(token);
    }
  });

  it('H86: a dashboard token ends after one hour, a key does not', async () => {
    const { id, token } = await issue({ kind: 'dashboard' });
    // Cut off, because a column of milliseconds rounds, and may say what is still ahead.
    const age = (minutes: number) =>
      test.query(
        `update credential set expires_at = date_trunc('milliseconds', now()) + (60 - $2) * interval '1 minute' where id = $1`,
        [id, minutes],
      );

    const [row] = await test.query<{ lifetime: string }>(
      `select (expires_at - created_at)::text as lifetime from credential where id = $1`,
      [id],
    );

    expect(row?.lifetime).to.equal('01:00:00');
    await age(59);
    expect(await viewerOf(database.read, token)).to.have.property('account', account);
    await age(60);
    expect(await viewerOf(database.read, token)).to.equal('expired_credential');
  });

  it('H90: distinguishes revoked, expired, unknown and test credentials', async () => {
    const { id, token } = await issue();
    await database.transact((tx) => revokeCredential(tx, account, id));
    await database.transact((tx) => revokeCredential(tx, account, id));
    expect(await viewerOf(database.read, token)).to.equal('revoked_credential');
    const { token: other } = await issue();
    expect(await viewerOf(database.read, `${other.slice(0, -1)}-`)).to.equal('invalid_credential');
    expect(await viewerOf(database.read, `sk_live_${'0'.repeat(43)}`)).to.equal(
      'invalid_credential',
    );
    expect(await viewerOf(database.read, `sk_test_${'0'.repeat(43)}`)).to.equal(
      'credential_kind_not_accepted',
    );
  });

  it('H89: what a key may do follows its holder’s role at once', async () => {
    const member = await database.transact((tx) =>
      createMember(tx, { account, email: 'dev@shop.example', role: 'developer' }),
    );
    const { token } = await issue({ member: member.id });
    const { token: readOnly } = await issue({ member: member.id, level: 'read' });
    const may = async (bearer: string) => {
      const viewer = await viewerOf(database.read, bearer);
      return typeof viewer === 'string' ? viewer : viewer.permissions;
    };

    expect(await may(token)).to.deep.equal({ webhooks: 'write', orders: 'read' });
    expect(await may(readOnly)).to.deep.equal({ webhooks: 'read', orders: 'read' });
    await database.transact((tx) => changeRole(tx, account, member.id, 'accountant'));
    expect(await may(token)).to.deep.equal({ webhooks: 'none', orders: 'read' });
    expect(await may(readOnly)).to.deep.equal({ webhooks: 'none', orders: 'read' });
  });

  it('creates a holder with the role for a credential that names no member', async () => {
    const { token } = await issue({ kind: 'dashboard', role: 'viewer' });
    expect(await viewerOf(database.read, token)).to.have.deep.property('permissions', {
      webhooks: 'read',
      orders: 'read',
    });
  });

  it('stores levels of areas for restricted keys only', async () => {
    const stored = async (input: Partial<CredentialInput>) => {
      const { id } = await issue(input);
      const [row] = await test.query(
        'select level, webhooks_level as webhooks, orders_level as orders from credential where id = $1',
        [id],
      );
      return row;
    };

    const unrestricted = { webhooks: null, orders: null };

    expect(await stored({})).to.eql({ level: 'full', ...unrestricted });
    expect(await stored({ level: 'read' })).to.eql({ level: 'read', ...unrestricted });

    const restricted = { level: 'restricted', webhooks: 'none', orders: 'write' };
    expect(await stored({ orders: 'write' })).to.eql(restricted);
    expect(await stored({ orders: 'write', level: 'restricted' })).to.eql(restricted);
  });

  it('lists credentials without their hashes', async () => {
    const listed = await listCredentials(database.read, account);
    expect(listed.length).to.be.greaterThan(3);
    expect(listed.every((credential) => !('tokenSha256' in credential))).to.equal(true);
  });

  it('H91: another account’s credential, member and account are not found', async () => {
    const other = (await database.transact((tx) => createAccount(tx, { name: 'Other' }))).id;
    const { id } = await issue();
    const code = async (work: Promise<unknown>) => (await refusalOf(work)).code;
    expect(await code(database.transact((tx) => revokeCredential(tx, other, id)))).to.equal(
      'not_found',
    );
    expect(await code(issue({ account: 'acc_0' }))).to.equal('not_found');
    expect(await code(issue({ account: 'acc_\0' }))).to.equal('not_found');
    const member = await database.transact((tx) =>
      createMember(tx, { account: other, email: 'a@b.example', role: 'owner' }),
    );
    expect(await code(issue({ member: member.id }))).to.equal('not_found');
  });

  it('reports each invalid field', async () => {
    const odd = { kind: 'gold', role: 'king', level: 'some' } as unknown as CredentialInput;
    expect(await issuesOf(issue(odd))).to.deep.equal([
      'invalid_value kind',
      'invalid_value role',
      'invalid_value level',
    ]);

    expect(await issuesOf(issue({ webhooks: 'all' as never, orders: 'some' as never }))).to.eql([
      'invalid_value webhooks',
      'invalid_value orders',
    ]);

    expect(await issuesOf(issue({ level: 'full', orders: 'read' }))).to.eql([
      'invalid_value level',
    ]);
    expect(await issuesOf(issue({ level: 'restricted' }))).to.eql(['invalid_value level']);
    expect(await issuesOf(issue({ kind: 'internal', orders: 'read' }))).to.eql([
      'invalid_value kind',
    ]);
    expect(
      await issuesOf(database.transact((tx) => createAccount(tx, { name: 'a\0' }))),
    ).to.deep.equal(['invalid_value name']);
  });
});
