import { expect } from 'chai';
import type { Database } from '../../../../src/database/database.js';
import {
  changeRole,
  createAccount,
  createMember,
} from '../../../../src/domain/account/accounts.js';
import {
  type CredentialInput,
  createCredential,
  revokeCredential,
  listCredentials,
} from '../../../../src/domain/account/credentials.js';
import { credentialKinds } from '../../../../src/domain/account/token.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import { issuesOf, refusalOf, viewerOf } from '../../../support/refusal.js';
import { type ExportedRow, exportAccount } from '../../../../src/domain/account/export-account.js';
import { publishEvent } from '../../../../src/domain/event/publish.js';
import { recordBatch } from '../../../../src/domain/delivery/recording.js';
import { requestLinks } from '../../../../src/domain/session/sign-in-links.js';
import { makeId } from '../../../../src/domain/values/id.js';
import { fillAccount } from '../../../../tools/seed/fill-account.js';
import { claimAll, end, eventType, insertEndpoint, outcomes } from '../../../support/engine.js';

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

  it('H86: a dashboard token expires after one hour, an API key never', async () => {
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

  it('H90: tells why a credential is rejected: revoked, expired, unknown or for tests', async () => {
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

  it('H89: the permissions of a key follow the role of its holder at once', async () => {
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

  it('creates a holder with the role if a credential names no member', async () => {
    const { token } = await issue({ kind: 'dashboard', role: 'viewer' });
    expect(await viewerOf(database.read, token)).to.have.deep.property('permissions', {
      webhooks: 'read',
      orders: 'read',
    });
  });

  it('stores a level for each area for restricted keys only', async () => {
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

  it('H91: issues and revokes no credential of another account or of one that does not exist', async () => {
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

  it('reports every invalid field of a credential, and of an account', async () => {
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

describe('exportAccount', () => {
  let test: TestDatabase;
  let database: Database;
  let account: string;
  let token: string;

  before(async () => {
    test = await createTestDatabase();
    database = await test.open();
    account = (await database.transact((tx) => createAccount(tx, { name: 'Shop' }))).id;
    await database.transact((tx) =>
      createMember(tx, { account, email: 'ann@shop.example', role: 'owner' }),
    );
    ({ token } = await database.transact((tx) => createCredential(tx, { account, kind: 'live' })));
  });

  after(() => test.drop());

  async function exported(id = account): Promise<ExportedRow[]> {
    const rows: ExportedRow[] = [];
    for await (const page of exportAccount(database.read, id)) {
      expect(page.length).to.be.within(1, 100);
      rows.push(...page);
    }
    return rows;
  }

  const publish = (data: object) =>
    database.transact((tx) =>
      publishEvent(tx, account, { type: eventType, subject: 's', data: { ...data } }),
    );

  it('exports what an account owns, and nothing of other accounts', async () => {
    const other = (await database.transact((tx) => createAccount(tx, { name: 'Other' }))).id;
    await database.transact((tx) =>
      createMember(tx, { account: other, email: 'bob@other.example', role: 'owner' }),
    );
    await insertEndpoint(test, other);
    await insertEndpoint(test, account);
    await publish({ note: 'Grüße' });

    const claims = await claimAll(database.read);
    await recordBatch(database, [end(claims[0]!, outcomes.down)]);

    const rows = await exported();
    expect(rows[0]).to.include({ table: 'account', id: account, name: 'Shop' });

    const tables = new Set(rows.map(({ table }) => table));

    expect([...tables]).to.include.members([
      'account',
      'credential',
      'delivery',
      'endpoint',
      'event',
      'member',
      'pending_delivery',
    ]);

    const text = JSON.stringify(rows);
    expect(text).to.include('ann@shop.example').and.not.to.include('bob@other.example');

    const event = rows.find(({ table }) => table === 'event');
    expect(event?.['body']).to.have.nested.property('data.note', 'Grüße');
  });

  it('exports neither secrets nor hashes', async () => {
    const rows = await exported();
    const names = new Set(rows.flatMap((row) => Object.keys(row)));
    for (const name of ['token_sha256', 'sealed', 'fingerprint', 'lease_token', 'place'])
      expect([...names]).not.to.include(name);
    expect(JSON.stringify(rows)).not.to.include(token);
    expect(rows.map(({ table }) => table)).not.to.include('endpoint_secret');
  });

  it('H152: exports no sealed mail to sign in', async () => {
    await database.transact((tx) =>
      requestLinks(tx, {
        email: 'ann@shop.example',
        browser: 'b'.repeat(43),
        networks: ['192.0.2.1'],
        knownBrowser: undefined,
      }),
    );

    const [mail] = await test.query<{ id: string }>(
      `select id from notice where account_id = $1 and kind = 'sign_in_link'`,
      [account],
    );

    const text = JSON.stringify(await exported());
    expect(text).not.to.include(mail!.id).and.not.to.include('sealed');
    await test.query('delete from notice where id = $1', [mail!.id]);
  });

  it('exports every row once, over many pages', async () => {
    const before = (await exported()).filter(({ table }) => table === 'event').length;
    for (let count = 0; count < 230; count += 1) await publish({ count });
    const events = (await exported()).filter(({ table }) => table === 'event');
    expect(events).to.have.length(before + 230);
    expect(new Set(events.map(({ id }) => id)).size).to.equal(events.length);
  });

  /** One row of each table that nothing else here fills. */
  const plant = async () => {
    const later = `now() + interval '1 day'`;
    const planted = {
      audit_entry: `(id, account_id, action, actor_kind, changes, created_at)
        values ('aud_1', $1, 'member.created', 'command', '{}', now())`,
      delivery_statistics: `values ($1, 'whs_1', 'hour', now(), 1, 0, 0, 0, '{1}', '{1}')`,
      erasure: `(id, account_id, kind, requested_by, status, include_invoices, stage, pass_started_at,
          found_in_pass, counts, next_step_at, created_at, updated_at, completed_at)
        values ('era_1', $1, 'buyer', 'command', 'completed', false, '', now(), 0, '{}', now(),
          now(), now(), now())`,
      full_account: `values ($1, 1, now())`,
      test_event_bytes: `values ($1, current_date, 1)`,
      idempotency_record: `(account_id, key, fingerprint, status, body, created_at, expires_at)
        values ($1, 'k', '', 201, '{}', now(), ${later})`,
      member_identity: `select $1, id, 'https://id.example', 'ann', now() from member
         where account_id = $1 limit 1`,
      notice: `(id, account_id, kind, resource_id, data, recipient, message_id, created_at, due_at)
        values ('ntc_1', $1, 'endpoint_disabled', 'whs_1', '{}', 'a@x.example', 'm', now(), now())`,
      portal_link: `(id, account_id, role, token_sha256, created_at, expires_at)
        values ('plk_1', $1, 'viewer', '\\x01', now(), ${later})`,
      portal_session: `values ('pse_1', $1, 'plk_1', null, 'viewer', '\\x01', '\\x02', null, 'Firefox',
        now(), now())`,
      portal_settings: `values ($1, '["https://shop.example"]', '{}', null, now())`,
      publish_key: `values ($1, 'k', '', 'evt_1', ${later})`,
      session: `select 'ses_1', $1, id, '\\x01', 'Firefox', now(), now() from member
         where account_id = $1 limit 1`,
      stream_slot: `values ($1, 'p_1', 1)`,
      sign_in_link: `(id, account_id, member_id, token_sha256, created_at, expires_at)
        select 'lnk_1', $1, id, '\\x01', now(), ${later} from member
         where account_id = $1 limit 1`,
    };

    await test.query(`insert into stream_process values ('p_1', now())`);
    for (const [table, row] of Object.entries(planted))
      await test.query(`insert into ${table} ${row}`, [account]);
  };

  it('exports every row of every table that belongs to the account', async () => {
    const { read, transact } = database;
    await fillAccount({ read, transact, since: new Date() }, { account, orders: 150, seed: 1 });
    await plant();

    const recovery = `(id, account_id, endpoint_id, what, since, until, include_before,
      rate_per_second, idempotency_key, fingerprint, status, position, credited_at, next_step_at,
      created_at, updated_at)`;
    await test.query(
      `insert into recovery ${recovery}
       select 'rcv_' || i, $1, 'whs_1', 'both', now(), now(), false, 1, i::text, '', 'completed',
              'evt_1', now(), now(), now(), now() from generate_series(1, 150) i`,
      [account],
    );

    const rows = await exported();
    const tables = database.read.manager.dataSource.entityMetadatas.filter(({ columns }) =>
      columns.some(({ databaseName }) => databaseName === 'account_id'),
    );
    for (const { tableName } of tables) {
      const [own] = await test.query<{ count: number }>(
        `select count(*)::int as count from "${tableName}" where account_id = $1`,
        [account],
      );
      const found = rows.filter(({ table }) => table === tableName);
      expect(own!.count, `rows of ${tableName}: plant one in this test`).to.be.above(0);
      expect(found, tableName).to.have.length(own!.count);
    }
  });

  it('leaves out no table that names something of an account', async () => {
    const others = await test.query<{ name: string }>(
      `select c.relname as name from pg_class c
        where c.relkind in ('r', 'p') and not c.relispartition
          and c.relnamespace = 'public'::regnamespace
          and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname ~ '_ids?$')
          and not exists (select from pg_attribute a
                           where a.attrelid = c.oid and a.attname = 'account_id')`,
    );

    // Another table here is one that the export must have, or one of the service itself.
    expect(others.map(({ name }) => name)).to.have.members([
      'delivery_evidence',
      'delivery_statistics_delta',
      'endpoint_rate',
      'endpoint_secret',
      'erasure_subject',
      'event_type_version',
      'lease',
      'operator_session',
    ]);
  });

  it('exports the evidence of an attempt with its record', async () => {
    const [failed] = await test.query<{ id: string }>(
      `select id from delivery where account_id = $1 and status <> 'success' limit 1`,
      [account],
    );
    await test.query(
      `insert into delivery_evidence (delivery_id, url, request_headers, body_truncated)
       values ($1, 'https://marker.example/', '{}', false)`,
      [failed!.id],
    );
    expect(JSON.stringify(await exported())).to.include('https://marker.example/');
  });

  it('refuses to export an account that does not exist', async () => {
    expect(await refusalOf(exported(makeId('acc', new Date())))).to.include({ code: 'not_found' });
    expect(await refusalOf(exported('nonsense'))).to.include({ code: 'not_found' });
  });
});
