import { expect } from 'chai';
import { loadServiceConfig } from '../../src/config/config.js';
import { createFirstAccount } from '../../tools/launcher/create-first-account.js';
import { type FillResult, fillAccount } from '../../tools/seed/fill-account.js';
import { admin, adminJson } from '../support/admin.js';
import { numberedOf } from '../support/sales.js';
import { listDeliveries } from '../support/endpoints.js';
import { DashboardClient } from '../support/dashboard.js';
import { startProcess } from '../support/process.js';
import { RestClient } from '../support/rest-client.js';
import { type Service, startService } from '../support/service.js';
import { callGraphql } from '../support/tenants.js';
import { eventually } from '../support/eventually.js';
import { createAccount } from '../../src/domain/account/accounts.js';
import { createCredential } from '../../src/domain/account/credentials.js';
import type { Database } from '../../src/database/database.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { contentsOf } from '../support/erasure.js';
import { publishEvent } from '../../src/domain/event/publish.js';
import { insertAccount, insertEndpoint, eventType } from '../support/engine.js';

describe('npm run admin -- seed', () => {
  let service: Service;
  before(async () => (service = await startService()));
  after(() => service.stop());

  it('fills an account while the service runs, and its lists show the data', async () => {
    const filled = (await adminJson(service.environment, ['seed'])) as FillResult;
    expect(filled).to.deep.include({ orders: 500, complete: true });
    const { account } = filled;
    const args = ['credentials', 'create', '--account', account, '--kind', 'live'];
    const { token } = (await adminJson(service.environment, args)) as { token: string };
    const rest = new RestClient(service.url, token);
    for (const list of ['orders', 'payments', 'refunds', 'invoices'] as const) {
      const { pagination } = numberedOf(await rest.get(`/v1/commerce/${list}?page=2`));
      expect(pagination.total_count, list).to.equal(filled.made[list]);
    }
    expect(await listDeliveries(rest, '?limit=100&status=success')).not.to.deep.equal([]);
  });

  it('fills the first account minutes after a test sale, and its dashboard shows the history', async () => {
    const config = loadServiceConfig(service.environment);
    const first = await createFirstAccount(config);
    const internal = ['credentials', 'create', '--account', first.id, '--kind', 'internal'];
    const { token } = (await adminJson(service.environment, internal)) as { token: string };
    const { createCheckout } = await callGraphql<{ createCheckout: { id: string } }>(
      service,
      token,
      'mutation ($input: CreateCheckoutInput!) { createCheckout(input: $input) { id } }',
      {
        input: {
          account: first.id,
          successUrl: 'https://shop.example/thanks',
          currency: 'EUR',
          lineItems: [{ name: 'Mug', quantity: 1, unitAmountMinorUnits: 1_450 }],
        },
      },
    );

    await callGraphql(
      service,
      token,
      'mutation ($input: RecordPaymentInput!) { recordPayment(input: $input) { order { id } } }',
      {
        input: {
          account: first.id,
          checkout: createCheckout.id,
          buyerEmail: 'me@example.com',
        },
      },
    );

    const command = ['seed', '--size', 'small', '--account', first.id];
    const { code, stdout, stderr } = await admin(service.environment, ...command);
    expect(code, stderr).to.equal(0);
    expect(stdout).to.include('has 500 orders.').and.to.include('created 499 orders');
    expect(stdout).to.include('created 5 members');
    expect(stdout).to.include('Open its dashboard as mara@shop.example.');

    const [, link = ''] = /#(\w+)\n$/.exec(stdout) ?? [];
    const browser = new DashboardClient(service.url);
    expect((await browser.send('POST', '/session', { token: link })).status).to.equal(200);

    const rest = new RestClient(service.url, first.token);
    const failed = await listDeliveries(rest, '?limit=100&status=failed');
    const success = await listDeliveries(rest, '?limit=100&status=success');

    expect(failed).to.have.lengthOf.above(20);
    expect(success).to.have.lengthOf(100);

    expect(
      success.some(({ attempt }) => attempt > 1),
      'a retry that succeeded',
    ).to.equal(true);

    const oldest = new Date(Date.now() - 20 * 86_400_000).toISOString();
    const { webhookStatistics } = await callGraphql<{
      webhookStatistics: { success: number; latency: { p50Ms: number | null } | null }[];
    }>(
      service,
      token,
      `query ($account: ID!, $since: DateTime!) {
        webhookStatistics(account: $account, since: $since, by: day) {
          success latency { p50Ms } } }`,
      { account: first.id, since: oldest },
    );

    const days = webhookStatistics.filter(({ success: count }) => count > 0);
    expect(days).to.have.lengthOf.above(15);
  });

  it('prints its progress in plain lines, and fills no account twice', async () => {
    const first = await admin(service.environment, 'seed', '--size', 'small', '--seed', '7');
    expect(first.code, first.stderr).to.equal(0);
    expect(first.stderr).to.equal('500 of 500 orders\n');
    const account = /^(acc_\w+) has 500 orders\.\n/.exec(first.stdout)?.[1] ?? '';
    const again = ['seed', '--size', 'small', '--account', account];
    const repeated = (await adminJson(service.environment, again)) as FillResult;
    expect(repeated).to.deep.include({ account, orders: 500, complete: true });
    expect(new Set(Object.values(repeated.made))).to.deep.equal(new Set([0]));
  });

  it('refuses an invalid size, number and account in one line', async () => {
    for (const [args, reason] of [
      [['--size', 'huge'], 'Allowed choices are small, large'],
      [['--size', 'small', '--seed', '1.5'], 'Must be an integer'],
      [['--size', 'small', '--account', 'acc_none'], 'No account with this id'],
    ] as const) {
      const { code, stderr, stdout } = await admin(service.environment, 'seed', ...args);
      expect(code, stderr).to.equal(1);
      expect(stdout).to.equal('');
      expect(stderr).to.include(reason);
    }
  });

  it('stops after a whole batch at Ctrl-C, and says how to continue', async () => {
    const large = ['seed', '--size', 'large', '--json'];
    const running = startProcess('tools/admin/main.js', service.environment, large);
    await eventually(
      () => expect(running.lines.join()).to.include('5,000 of 100,000 orders'),
      'some batches are made',
    );

    expect(await running.end('SIGINT')).to.equal(1);

    const filled = JSON.parse(running.lines.at(-1) ?? '') as FillResult;
    expect(filled.complete).to.equal(false);
    expect(filled.orders % 500).to.equal(0);

    const [row] = await service.database.query<{ orders: string; invoices: string }>(
      `select (select count(*) from "order" where account_id = $1) as orders,
              (select count(*) from invoice where account_id = $1 and type = 'invoice') as invoices`,
      [filled.account],
    );

    expect(row).to.deep.equal({
      orders: String(filled.orders),
      invoices: String(filled.orders),
    });
  });
});

describe('npm run admin -- accounts erase and buyers erase', () => {
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

  it('H155: counts an account, asks for its id again, erases it at once, and keeps its books', async () => {
    const { read, transact } = domain;
    const { id } = await transact((tx) => createAccount(tx, { name: 'Shop' }));
    await transact((tx) => createCredential(tx, { account: id, kind: 'live' }));
    await fillAccount({ read, transact, since: new Date() }, { account: id, orders: 600, seed: 1 });

    const counts = await adminJson(environment, ['accounts', 'erase', id, '--dry-run']);
    expect(counts).to.include({ order: 600, credential: 1 });

    const refused = await admin(environment, 'accounts', 'erase', id, '--confirm', 'acc_other');
    expect(refused.code).to.equal(1);
    expect(refused.stderr).to.match(/The id was not confirmed, so nothing was erased/);

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

describe('npm run admin -- deliveries', () => {
  let database: TestDatabase;
  let domain: Database;

  before(async () => {
    database = await createTestDatabase();
    domain = await database.open();
  });

  after(() => database.drop());

  it('puts isolated deliveries back into their lane, however many there are', async () => {
    const account = await insertAccount(database);
    await insertEndpoint(database, account);

    const input = { type: eventType, subject: 's', data: {} };
    await domain.transact((tx) => publishEvent(tx, account, input));
    await database.query(`update pending_delivery set lane = 'isolated', interruptions = 3`);

    await database.query(
      `insert into pending_delivery select (jsonb_populate_record(c, jsonb_build_object('id', 'pdl_' || n))).*
         from pending_delivery c, generate_series(1, 2500) n`,
    );

    const environment = { BASE_URL: 'https://api.example', DATABASE_URL: database.url };
    const secret = { SECRET_KEY: `k1:${Buffer.alloc(32, 7).toString('base64')}` };
    const command = ['deliveries', 'release-isolated'];
    expect(await adminJson({ ...environment, ...secret }, command)).to.deep.equal({
      released: 2_501,
    });

    const [row] = await database.query(
      `select count(*)::int as count from pending_delivery where lane = 'isolated' or interruptions > 0`,
    );
    expect(row).to.deep.equal({ count: 0 });

    const { stdout } = await admin({ ...environment, ...secret }, ...command);
    expect(stdout).to.match(/^Released 0 isolated deliveries\. .+\n$/);
  });
});
