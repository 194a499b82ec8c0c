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

  it('H49: leaves neither half an effect nor a locked key when the API is killed before the effect', async () => {
    const before = await endpoints();
    const body = endpointInput({ description: 'killed before' });
    await killBefore('event_type', () => tenant.rest.post(endpointsPath, body, { key: 'k1' }));
    expect(await endpoints()).to.deep.equal(before);
    const again = await tenant.rest.post(endpointsPath, body, { key: 'k1' });
    expect(again.status, again.text).to.equal(201);
    expect(again.headers).not.to.have.property('idempotent-replayed');
    expect(await endpoints()).to.have.lengthOf(before.length + 1);
  });

  /** Changes a new endpoint under `key`, up to the statement that stores the response. */
  const changeUntilStored = async (key: string) => {
    const { id } = await createEndpoint(tenant.rest, { description: 'first' });
    const change = () =>
      tenant.rest.patch(`${endpointsPath}/${id}`, { description: 'second' }, { key });

    // The first look for the key passes, storing the response does not.
    const holder = await service.database.hold(
      'lock table idempotency_record in share row exclusive mode',
    );
    const asked = change().catch(() => 'broken' as const);
    const pid = await eventually(async () => {
      const waiting = await service.database.query<{ pid: number; query: string }>(
        `select pid, query from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      );
      expect(waiting.map(({ query }) => query).join()).to.match(/insert into idempotency_record/);
      return waiting[0]?.pid;
    }, 'the response is about to be stored');

    const busy = await change();
    expect(toProblem(busy, 409).code).to.equal('idempotency_key_in_progress');

    const description = async () =>
      (await endpoints()).find((one) => one.id === id)?.description ?? '';
    return { holder, asked, pid, change, description };
  };

  it('H49: leaves effect and response when the API is killed after it sent their commit', async () => {
    const { holder, asked, change, description } = await changeUntilStored('k2');
    await service.api.end('SIGKILL');
    expect(await asked).to.equal('broken');
    expect(await description()).to.equal('first');
    await holder.release();
    await service.startApi();
    await eventually(async () => {
      const again = await change();
      expect(again.status, again.text).to.equal(200);
      expect(again.headers).to.have.property('idempotent-replayed', 'true');
    }, 'the stored response is found');
    expect(await description()).to.equal('second');
  });

  it('H49: leaves neither effect nor response when PostgreSQL ends the connection before their commit', async () => {
    const { holder, asked, pid, change, description } = await changeUntilStored('k3');
    await service.database.query('select pg_terminate_backend($1)', [pid]);

    const reply = await asked;
    expect(reply).not.to.equal('broken');
    expect(toProblem(reply as Exclude<typeof reply, 'broken'>, 503).code).to.equal(
      'service_unavailable',
    );
    await holder.release();
    expect(await description()).to.equal('first');

    const again = await change();
    expect(again.status, again.text).to.equal(200);
    expect(again.headers).not.to.have.property('idempotent-replayed');
    expect(await description()).to.equal('second');
  });
});
