import { expect } from 'chai';
import { fetch } from 'undici';
import { adminJson } from '../support/admin.js';
import { createEndpoint } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { startReceiver } from '../support/receiver.js';
import { type Service, startService } from '../support/service.js';
import { createTenant } from '../support/tenants.js';

interface Status {
  readonly status: string;
  readonly problems: readonly string[];
  readonly workers: readonly { id: string; roles: string[]; started_at: string }[];
  readonly pending_deliveries: Readonly<Record<string, number>>;
  readonly notices: Readonly<Record<string, number>>;
}

describe('workers, as the API and doctor see them', () => {
  let service: Service;

  before(async () => (service = await startService({ workers: 2 })));
  after(() => service.stop());

  const metric = async (name: string): Promise<number | undefined> => {
    const text = await (await fetch(`${service.internalUrl}/metrics`)).text();
    const line = text.split('\n').find((row) => row.startsWith(`${name} `));
    return line === undefined ? undefined : Number(line.split(' ')[1]);
  };

  const workersAlive = (count: number) =>
    eventually(
      async () => expect(await metric('signalpost_workers_alive')).to.equal(count),
      `${count} workers are alive`,
    );

  const status = async () =>
    (await (await fetch(`${service.internalUrl}/status`)).json()) as Status;
  const doctor = async (code: number) => {
    const findings = (await adminJson(service.environment, ['doctor'], code)) as {
      readonly subject: string;
      readonly level: string;
      readonly detail: string;
    }[];
    return findings.find(({ subject }) => subject === 'workers');
  };

  it('H196: a stopped worker no longer counts as alive, and a killed one only for 30 seconds', async () => {
    await workersAlive(2);
    expect(await doctor(0)).to.include({ level: 'ok' });
    const [first, second] = service.workers;
    await first?.end('SIGTERM');
    await workersAlive(1);
    await second?.end('SIGKILL');
    expect(await service.database.query('select from worker_heartbeat')).to.have.lengthOf(1);
    // Repeated, because PostgreSQL may still run the last poll of the killed worker.
    await eventually(async () => {
      await passSeconds(31);
      expect(await metric('signalpost_workers_alive')).to.equal(0);
    }, 'no worker is alive');
  });

  it('H283: doctor exits with 1 when no worker is alive while an API is', async () => {
    const finding = await doctor(1);
    expect(finding).to.include({ level: 'error' });
    expect(finding?.detail).to.include('no worker has polled within 30 s, but the service runs');
  });

  it('H196: doctor and the API show how long a delivery has been due without a worker', async () => {
    const receiver = await startReceiver();
    try {
      const tenant = await createTenant(service);
      await createEndpoint(tenant.rest, { url: receiver.url() });
      await tenant.publish({ key: 'k' });
    } finally {
      await receiver.close();
    }

    await service.database.query(
      `update pending_delivery set due_at = due_at - interval '10 minutes'`,
    );
    expect((await doctor(1))?.detail).to.match(
      /1 are due and the oldest due delivery has waited (?:[6-9]\d\d|\d{4,}) s/,
    );

    await eventually(async () => {
      expect(await metric('signalpost_oldest_due_seconds')).to.be.above(300);
      expect(await metric('signalpost_backlog_oldest_seconds')).to.be.above(300);
      expect(await metric('signalpost_pending_deliveries_ready')).to.equal(1);
      expect(await metric('signalpost_postgresql_up')).to.equal(1);
      expect(await metric('signalpost_queue_up')).to.equal(1);
    }, 'the API shows the lag');
  });

  it('H197, H283: /status shows workers, backlog and dependencies, and does not change /readyz', async () => {
    const ready = await fetch(`${service.internalUrl}/readyz`);
    expect(ready.status).to.equal(200);
    expect(await ready.json()).to.have.all.keys('status', 'dependencies');

    const without = await status();
    expect(without).to.have.all.keys(members);
    expect(without).to.deep.include({ status: 'ready', workers: [] });
    expect(without.problems).to.deep.equal([
      'No worker has polled within 30 s: deliveries, mails and expiries wait. Start a worker.',
    ]);
    expect(without.pending_deliveries).to.include({ ready: 1, dead_letters: 0 });
    expect(without.notices).to.include({ refused: 0 });
    await service.startWorker();
    await workersAlive(1);

    const { workers, problems } = await status();
    expect(problems).to.deep.equal([]);

    const [worker, ...others] = workers;
    expect(others).to.deep.equal([]);
    expect(worker?.roles).to.deep.equal(['deliver', 'replay', 'notify', 'expire']);
    expect((await fetch(`${service.url}/status`)).status).to.equal(404);
  });

  /** Lets time pass for workers that are gone. */
  const passSeconds = (seconds: number) =>
    service.database.query(
      `update worker_heartbeat set seen_at = seen_at - $1::float8 * interval '1 second'`,
      [seconds],
    );
});

const members = [
  'status',
  'problems',
  'dependencies',
  'workers',
  'pending_deliveries',
  'notices',
  'recoveries',
  'accounts_full',
  'queue_depth',
];
