import { expect } from 'chai';
import { createAccount } from '../../src/domain/account/accounts.js';
import { createCredential } from '../../src/domain/account/credentials.js';
import type { Database } from '../../src/database/database.js';
import { fillAccount } from '../../tools/seed/fill-account.js';
import { admin, adminJson } from '../support/admin.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { contentsOf } from '../support/erasure.js';

describe('npm run admin, to erase', () => {
  let test: TestDatabase;
  let domain: Database;
  let environment: Record<string, string>;

  before(async () => {
    test = await createTestDatabase();
    domain = await test.open();
    const secret = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
    environment = { BASE_URL: 'https://api.example', DATABASE_URL: test.url, SECRET_KEY: secret };
  });

  after(() => test.drop());

  it('H155: counts, wants the id again, erases at once what it finds, and keeps books', async () => {
    const { read, transact } = domain;
    const { id } = await transact((tx) => createAccount(tx, { name: 'Shop' }));
    await transact((tx) => createCredential(tx, { account: id, kind: 'live' }));
    await fillAccount({ read, transact, since: new Date() }, { account: id, orders: 600, seed: 1 });

    const counts = await adminJson(environment, ['accounts', 'erase', id, '--dry-run']);
    expect(counts).to.include({ order: 600, credential: 1 });

    const refused = await admin(environment, 'accounts', 'erase', id, '--confirm', 'acc_other');
    expect(refused.code).to.equal(1);
    expect(refused.stderr).to.match(/The id was not repeated, so nothing was erased/);

    const erasure = await adminJson(environment, ['accounts', 'erase', id, '--confirm', id]);
    expect(erasure).to.include({ accountId: id, kind: 'account', requestedBy: 'command' });
    expect(erasure).to.deep.include({ status: 'running', waiting: true });
    expect(erasure).to.have.nested.include({ 'counts.order': 600, 'counts.credential': 1 });

    const [left] = await test.query(
      `select (select count(*)::int from "order" where account_id = $1) as orders,
              (select count(*)::int from checkout where account_id = $1) as checkouts,
              (select count(*)::int from endpoint where account_id = $1) as endpoints,
              (select name from account where id = $1) as name`,
      [id],
    );

    expect(left).to.deep.equal({ orders: 600, checkouts: 0, endpoints: 0, name: 'Erased account' });

    const gone = await admin(environment, 'accounts', 'erase', id, '--dry-run');
    expect(gone.stderr).to.match(/No account with this id/);
  });

  it('H186: counts what the erasure of a buyer would change, and changes nothing', async () => {
    const { read, transact } = domain;
    const { id: account } = await transact((tx) => createAccount(tx, { name: 'Shop' }));
    await fillAccount({ read, transact, since: new Date() }, { account, orders: 50, seed: 2 });

    const [order] = await test.query<{ email: string }>(
      `select buyer ->> 'email' as email from "order" where account_id = $1 limit 1`,
      [account],
    );

    const { email } = order!;
    const erase = ['buyers', 'erase', '--account', account, '--email', email];
    const before = await contentsOf(domain, account);
    const counted = await adminJson(environment, [...erase, '--dry-run']);
    expect(counted).to.have.property('order').above(0);
    expect(await contentsOf(domain, account)).to.deep.equal(before);

    const { stdout } = await admin(environment, ...erase, '--dry-run');
    expect(stdout).to.match(/^(\w+ {2}\d+\n)*Nothing was erased\.\n$/);
    expect(await adminJson(environment, erase)).to.have.deep.property('counts', counted);
  });
});
