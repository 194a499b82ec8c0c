import { expect } from 'chai';
import { createEndpoint, endpointInput, endpointsPath, toProblem } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { startService, type Service } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

describe('the API killed in the middle of a mutation', () => {
  let service: Service;
  let tenant: Tenant;

  before(async () => {
    service = await startService({ workers: 0 });
    tenant = await createTenant(service);
  });
  after(() => service.stop());

  const endpoints = () =>
    service.database.query<{ id: string; description: string | null }>(
      `select id, description from endpoint where deleted_at is null`,
    );

  /** Asks, waits until the request stands before `table` inside its transaction, and kills the API. */
  const killBefore = async (table: string, ask: () => Promise<unknown>) => {
    const holder = await service.database.hold(`lock table ${table} in access exclusive mode`);
    const asked = ask().then(
      () => 'answered',
      () => 'broken',
    );
    await eventually(async () => {
      const waiting = await service.database.query(
        `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      );
      expect(waiting).to.have.lengthOf(1);
    }, 'the request waits inside its transaction');
    await service.api.end('SIGKILL');
    expect(await asked).to.equal('broken');
    await holder.release();
    await service.startApi();
  };

  it('H49: leaves neither half an effect nor a locked key, before the effect', async () => {
    const before = await endpoints();
    const body = endpointInput({ description: 'killed before' });
    await killBefore('event_type', () => tenant.rest.post(endpointsPath, body, { key: 'k1' }));
    expect(await endpoints()).to.deep.equal(before);
    const again = await tenant.rest.post(endpointsPath, body, { key: 'k1' });
    expect(again.status, again.text).to.equal(201);
    expect(again.headers).not.to.have.property('idempotent-replayed');
    expect(await endpoints()).to.have.lengthOf(before.length + 1);
  });

  it('H49: leaves neither when the effect was there and its response was not stored', async () => {
    const { id } = await createEndpoint(tenant.rest, { description: 'first' });
    const path = `${endpointsPath}/${id}`;
    const before = await service.database.query(
      `select ctid, * from idempotency_record where key = 'k2'`,
    );
    expect(before).to.deep.equal([]);
    const holder = await service.database.hold(
      // The first look for the key passes, storing the response does not.
      `lock table idempotency_record in share row exclusive mode`,
    );
    const asked = tenant.rest
      .patch(path, { description: 'second' }, { key: 'k2' })
      .then(() => 'answered')
      .catch(() => 'broken');
    await eventually(async () => {
      const waiting = await service.database.query<{ query: string }>(
        `select query from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      );
      expect(waiting.map(({ query }) => query).join()).to.match(/insert into idempotency_record/);
    }, 'the response is about to be stored');
    const busy = await tenant.rest.patch(path, { description: 'second' }, { key: 'k2' });
    expect(toProblem(busy, 409).code).to.equal('idempotency_key_in_progress');
    await service.api.end('SIGKILL');
    expect(await asked).to.equal('broken');
    await holder.release();
    await service.startApi();
    expect((await endpoints()).find((one) => one.id === id)?.description).to.equal('first');
    const again = await tenant.rest.patch(path, { description: 'third' }, { key: 'k2' });
    expect(again.status, again.text).to.equal(200);
    expect((await endpoints()).find((one) => one.id === id)?.description).to.equal('third');
  });
});
