import { expect } from 'chai';
import { createCheckout } from '../support/sales.js';
import { dataOf, deliveriesPath, endpointsPath } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { openPage } from '../support/dashboard.js';
import { type Service, startService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

/** More than the API has connections. */
const clients = 30;

describe('the shares of the listeners in the connections to PostgreSQL', () => {
  let service: Service;
  let tenant: Tenant;

  before(async () => {
    service = await startService({ workers: 0 });
    tenant = await createTenant(service);
  });

  after(() => service.stop());

  const waitingForLocks = async () => {
    const [row] = await service.database.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
        where wait_event_type = 'Lock' and datname = current_database()`,
    );
    return row?.count ?? 0;
  };

  /** Sends requests of all clients while `held` is locked, and does `meanwhile` once `most` hold a connection. */
  const sendConcurrently = async <T>(
    held: string,
    most: number,
    ask: (index: number) => Promise<T>,
    meanwhile: () => Promise<void>,
  ): Promise<T[]> => {
    const hold = await service.database.hold(`lock table ${held} in access exclusive mode`);
    const order: string[] = [];
    const requested = Array.from({ length: clients }, async (_, index) => {
      const answer = await ask(index);
      order.push('crowd');
      return answer;
    });

    try {
      await eventually(async () => {
        expect(await waitingForLocks()).to.be.at.least(most);
      }, 'they wait');
      await meanwhile();
      order.push('others');
      expect(await waitingForLocks(), 'that hold a connection').to.equal(most);
    } finally {
      await hold.release();
    }

    const answers = await Promise.all(requested);
    expect(order[0]).to.equal('others');

    return answers;
  };

  /** Reads lists at once, because a request that waits for a lock fails after 5 s. */
  const readAll = async () => {
    const replies = Array.from({ length: 20 }, () => tenant.rest.get(endpointsPath));
    for (const reply of await Promise.all(replies)) dataOf(reply, 200);
  };

  it('internal tools leave half of the connections to /v1', async () => {
    const checkouts = await sendConcurrently('checkout', 5, () => createCheckout(tenant), readAll);
    expect(new Set(checkouts).size).to.equal(clients);
  });

  it('internal publishers hold one connection, and another one for events without keys', async () => {
    const published = await sendConcurrently(
      'event',
      2,
      (index) => tenant.publish(index % 2 === 0 ? { key: `crowd-${index}` } : {}),
      readAll,
    );
    expect(new Set(published).size).to.equal(clients);
  });

  it('events whose keys other transactions hold wait with a fifth of the connections', async () => {
    const keys = Array.from({ length: 10 }, (_, index) => `held-${index}`);
    const hold = await service.database.hold(
      `insert into publish_key (account_id, key, fingerprint, event_id, expires_at)
       select '${tenant.account}', 'held-' || n, '', 'evt_' || n, now() + interval '1 day'
         from generate_series(0, 9) n`,
    );

    const published = Promise.all(keys.map((key) => tenant.publish({ key })));

    try {
      await eventually(async () => expect(await waitingForLocks()).to.equal(2), 'they wait');
      await readAll();
      await createCheckout(tenant);

      // Besides, the statement of a group may wait for a key for 25 ms before the key is held.
      await eventually(
        async () => expect(await waitingForLocks()).to.equal(2),
        'two of them hold a connection',
      );
    } finally {
      await hold.release();
    }

    expect(new Set(await published).size).to.equal(keys.length);
  });

  it('requests of /v1 leave a fifth of the connections to internal publishers and pages', async () => {
    const page = `${service.url}/checkout/${await createCheckout(tenant)}`;
    const listed = await sendConcurrently(
      'delivery',
      8,
      () => tenant.rest.get(deliveriesPath),
      async () => {
        await tenant.publish({ key: 'beside /v1' });
        expect((await openPage(page)).status).to.equal(200);
      },
    );
    expect(new Set(listed.map(({ status }) => status))).to.deep.equal(new Set([200]));
  });

  it('pages leave two thirds of the connections to /v1 and internal tools', async () => {
    const page = `${service.url}/checkout/${await createCheckout(tenant)}`;
    const pages = await sendConcurrently(
      'checkout',
      3,
      () => openPage(page),
      async () => {
        await readAll();
        await tenant.publish({ key: 'beside the pages' });
      },
    );
    expect(new Set(pages.map(({ status }) => status))).to.deep.equal(new Set([200]));
  });
});
