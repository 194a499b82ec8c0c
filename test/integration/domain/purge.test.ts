import { expect } from 'chai';
import type { Database } from '../../../src/database/database.js';
import { createAccount, createMember } from '../../../src/domain/account/accounts.js';
import { createCredential, purgeCredentials } from '../../../src/domain/account/credentials.js';
import { purgeAuditEntries } from '../../../src/domain/audit/audit-log.js';
import {
  deleteEndpoint,
  createEndpoint,
  purgeEndpoints,
} from '../../../src/domain/endpoint/change-endpoint.js';
import { smallestId } from '../../../src/domain/values/id.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { viewerOf } from '../../support/refusal.js';

describe('purging', () => {
  let test: TestDatabase;
  let database: Database;
  let account: string;

  before(async () => {
    test = await createTestDatabase();
    database = await test.open();
    account = (await database.transact((tx) => createAccount(tx, { name: 'Shop' }))).id;
  });

  after(() => test.drop());

  const idsOf = async (table: string) =>
    (await test.query<{ id: string }>(`select id from ${table} order by id`)).map(({ id }) => id);

  it('purges dashboard tokens 40 days after they expired, with the holders created for them', async () => {
    const issue = (kind: 'live' | 'dashboard', member?: string) =>
      database.transact((tx) => createCredential(tx, { account, kind, member }));
    const { id: ada } = await database.transact((tx) =>
      createMember(tx, { account, email: 'ada@shop.example', role: 'admin' }),
    );
    const aged = await issue('dashboard');
    const young = await issue('dashboard');
    const hers = await issue('dashboard', ada);
    const live = await issue('live');
    const memberOf = async (id: string) =>
      (
        await test.query<{ member_id: string }>('select member_id from credential where id = $1', [
          id,
        ])
      )[0]!.member_id;

    const shared = await issue('dashboard', await memberOf(live.id));
    const kept = [await memberOf(young.id), ada, await memberOf(live.id)];

    await test.query(
      `update credential set expires_at = now() - (case id when $1 then 39 else 41 end) * interval '1 day'
        where kind = 'dashboard'`,
      [young.id],
    );

    expect(await database.transact((tx) => purgeCredentials(tx, 2))).to.equal(2);
    expect(await database.transact((tx) => purgeCredentials(tx, 2))).to.equal(1);
    expect(await database.transact((tx) => purgeCredentials(tx, 2))).to.equal(0);
    expect(await idsOf('credential')).to.have.members([young.id, live.id]);
    expect(await idsOf('member')).to.have.members(kept);
    expect(await viewerOf(database.read, young.token)).to.equal('expired_credential');

    for (const { token } of [aged, hers, shared]) {
      expect(await viewerOf(database.read, token)).to.equal('invalid_credential');
    }

    expect(await viewerOf(database.read, live.token)).to.include({ account });
  });

  it('H250: keeps a person whose address looks like that of a holder, when the token is purged', async () => {
    const { id: eve } = await database.transact((tx) =>
      createMember(tx, { account, email: 'eve@shop.example', role: 'viewer' }),
    );
    await test.query(`update member set email = 'eve@acc-1.invalid' where id = $1`, [eve]);

    const { id } = await database.transact((tx) =>
      createCredential(tx, { account, kind: 'dashboard', member: eve }),
    );
    await test.query(
      `update credential set expires_at = now() - interval '41 days' where id = $1`,
      [id],
    );

    expect(await database.transact((tx) => purgeCredentials(tx, 1))).to.equal(1);
    expect(await idsOf('member')).to.include(eve);
  });

  it('purges endpoints 60 days after they were deleted, unless a pending delivery names them', async () => {
    await test.query(`update event_type set sent = true where id = 'cart.order.completed'`);

    const make = async () => {
      const { endpoint } = await database.transact((tx) =>
        createEndpoint(tx, account, {
          url: 'https://shop.example/hook',
          eventTypes: ['cart.order.completed'],
          notificationEmail: 'ops@shop.example',
        }),
      );
      return endpoint.id;
    };

    const there = await make();
    const aged = await make();
    const young = await make();
    const named = await make();
    for (const id of [aged, young, named]) {
      await database.transact((tx) => deleteEndpoint(tx, account, id));
    }

    await test.query(
      `update endpoint set deleted_at = now() - (case id when $1 then 59 else 61 end) * interval '1 day'
        where deleted_at is not null`,
      [young],
    );

    await test.query(
      `insert into pending_delivery (id, account_id, endpoint_id, event_id, event_type, lane, ready, due_at,
                          attempt, max_attempts, test, created_at)
       values ('pdl_1', $1, $2, 'evt_1', 'x', 'live', false, now(), 2, 10, false, now())`,
      [account, named],
    );

    expect(await database.transact((tx) => purgeEndpoints(tx, 10))).to.equal(1);
    expect(await idsOf('endpoint')).to.have.members([there, young, named]);
  });

  it('H192: purges audit entries after a year', async () => {
    await test.query(
      `insert into audit_entry (id, account_id, action, actor_kind, changes, created_at)
       select $2 || i, $1, 'offer_created', 'command', '[]'::jsonb, now() from generate_series(1, 3) i
        union all
       select $3 || i, $1, 'offer_created', 'command', '[]'::jsonb, now() from generate_series(1, 3) i`,
      [account, ...[367, 365].map((days) => smallestId('aud', daysAgo(days)))],
    );
    expect(await database.transact((tx) => purgeAuditEntries(tx, 2))).to.equal(2);
    expect(await database.transact((tx) => purgeAuditEntries(tx, 2))).to.equal(1);
    expect(await database.transact((tx) => purgeAuditEntries(tx, 2))).to.equal(0);
    expect(await idsOf('audit_entry')).to.have.length(3);
  });
});

function daysAgo(days: number): Date {
  return new Date(Date.now() - days * 86_400_000);
}
