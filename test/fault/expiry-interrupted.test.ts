import { expect } from 'chai';
import { atIntervals, eventually } from '../support/eventually.js';
import { createCheckout } from '../support/sales.js';
import { startService, type Service } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

const checkouts = 600;
const kills = 4;

describe('workers killed while checkouts expire', () => {
  let service: Service;
  let tenant: Tenant;

  before(async function () {
    service = await startService({ workers: 2, environment: { WORKER_ROLES: 'expire' } });
    tenant = await createTenant(service);
  });

  after(() => service.stop());

  it('publishes one event for each expired checkout', async function () {
    const pattern = await createCheckout(tenant);
    // Each second a few more reach their expiry, so that every kill finds some on their way.
    await service.database.query(
      `insert into checkout
       select (jsonb_populate_record(c, jsonb_build_object(
                'id', 'chk_many' || lpad(i::text, 6, '0'),
                'expires_at', now() + i * interval '5 milliseconds'))).*
         from checkout c, generate_series(1, ${checkouts}) i where c.id = $1`,
      [pattern],
    );

    for await (const workers of atIntervals(700, service.workers)) {
      const victim = workers.find((worker) => worker.running);
      if (!victim) continue;
      await victim.end('SIGKILL');
      await service.startWorker();
      if (workers.filter((worker) => !worker.running).length >= kills) break;
    }

    const subjects = await eventually(async () => {
      const rows = await service.database.query<{ subject: string }>(
        `select subject from event where account_id = $1 and type = 'cart.checkout.expired'`,
        [tenant.account],
      );
      expect(rows.length).to.be.at.least(checkouts);
      return rows.map(({ subject }) => subject);
    }, 'every expiry is published');

    expect(new Set(subjects).size).to.equal(checkouts);
    expect(subjects).to.have.length(checkouts);
  });
});
