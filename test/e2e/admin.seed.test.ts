import { expect } from 'chai';
import { type FillResult } from '../../tools/seed/fill-account.js';
import { admin, adminJson } from '../support/admin.js';
import { numberedOf } from '../support/commerce.js';
import { listDeliveries } from '../support/endpoints.js';
import { startProcess } from '../support/process.js';
import { RestClient } from '../support/rest-client.js';
import { type Service, startService } from '../support/service.js';
import { eventually } from '../support/eventually.js';

describe('npm run admin -- seed', () => {
  let service: Service;
  before(async () => (service = await startService()));
  after(() => service.stop());

  it('fills an account beside a running service, whose lists then show it', async () => {
    const made = (await adminJson(service.environment, ['seed', '--size', 'small'])) as FillResult;
    expect(made).to.deep.include({ orders: 500, complete: true });
    const { account } = made;
    const args = ['credentials', 'create', '--account', account, '--kind', 'live'];
    const { token } = (await adminJson(service.environment, args)) as { token: string };
    const rest = new RestClient(service.url, token);
    for (const list of ['orders', 'payments', 'refunds', 'invoices'] as const) {
      const { pagination } = numberedOf(await rest.get(`/v1/commerce/${list}?page=2`));
      expect(pagination.total_count, list).to.equal(made.made[list]);
    }
    expect(await listDeliveries(rest, '?limit=100&status=success')).not.to.deep.equal([]);
  });

  it('says how far it is in plain lines, and fills no account twice', async () => {
    const first = await admin(service.environment, 'seed', '--size', 'small', '--seed', '7');
    expect(first.code, first.stderr).to.equal(0);
    expect(first.stderr).to.equal('500 of 500 orders\n');
    const account = /^(acc_\w+) has 500 orders\.\n/.exec(first.stdout)?.[1] ?? '';
    const again = ['seed', '--size', 'small', '--account', account];
    const repeated = (await adminJson(service.environment, again)) as FillResult;
    expect(repeated).to.deep.include({ account, orders: 500, complete: true });
    expect(new Set(Object.values(repeated.made))).to.deep.equal(new Set([0]));
  });

  it('refuses in one line a size, a number and an account that are none', async () => {
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

  it('leaves whole batches at Ctrl-C and says how to go on', async () => {
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
