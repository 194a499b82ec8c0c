import { expect } from 'chai';
import { fetch } from 'undici';
import { freePort } from '../../tools/launcher/ports.js';
import { adminJson } from '../support/admin.js';
import { eventually } from '../support/eventually.js';
import { createTestHome, startWholeLauncher } from '../support/launcher.js';
import { createTcpProxy, type TcpProxy } from '../support/proxies.js';
import { type ServiceProcess, startProcess } from '../support/process.js';
import { type Service, startService } from '../support/service.js';
import { createTenant } from '../support/tenants.js';

const readiness = async (address: string) => {
  const response = await fetch(`${address}/readyz`);
  const { dependencies } = (await response.json()) as { dependencies: Record<string, string> };
  return { status: response.status, partitions: dependencies['partitions'] };
};

describe('a start', () => {
  let service: Service;
  let proxy: TcpProxy;
  const started: ServiceProcess[] = [];

  before(async () => {
    service = await startService({ workers: 0 });
    proxy = await createTcpProxy(Number(new URL(service.database.url).port));
    await proxy.refuse();
  });

  after(async () => {
    await Promise.all(started.filter(({ running }) => running).map((one) => one.end()));
    await proxy.close();
    await service.stop();
  });

  /** A process whose PostgreSQL is behind the gate. */
  async function start(entry: string, settings: Record<string, string>) {
    const port = String(await freePort());
    const url = new URL(service.database.url);
    url.port = String(proxy.port);
    const environment = { ...service.environment, DATABASE_URL: url.href, ...settings };
    const ports = { PORT: '0', INTERNAL_PORT: port, WORKER_PORT: port };
    const one = startProcess(entry, { ...environment, ...ports });
    started.push(one);
    return { one, address: `http://127.0.0.1:${port}` };
  }

  const waits = (lines: readonly string[]) =>
    lines.filter((line) => line.includes('PostgreSQL is not responding; waiting')).length;

  for (const entry of ['src/main.js', 'workers/main.js']) {
    it(`${entry} waits for PostgreSQL, and says so each second`, async () => {
      await proxy.refuse();
      const { one, address } = await start(entry, {});
      await eventually(() => expect(waits(one.lines)).to.be.at.least(2), 'it waits');
      expect(one.running).to.equal(true);
      await proxy.open();
      await eventually(
        async () => expect((await readiness(address)).status).to.equal(200),
        'ready',
      );
    });

    it(`${entry} ends at a signal while it waits`, async () => {
      await proxy.refuse();
      const { one } = await start(entry, {});
      await eventually(() => expect(waits(one.lines)).to.be.at.least(1), 'it waits');
      expect(await one.end()).to.equal(0);
    });
  }

  it('npm start prints its banner into a pipe before the log of its processes', async () => {
    const home = await createTestHome();
    const launcher = startWholeLauncher(home);
    try {
      await launcher.says('Ctrl-C stops everything');
      await launcher.says('"msg":"ready"');
      const lines = launcher.output().split('\n');
      const firstLog = lines.findIndex((line) => line.startsWith('{'));
      expect(lines.indexOf('Ctrl-C stops everything and keeps your data.')).to.be.below(firstLog);
      expect(JSON.parse(lines[firstLog] ?? '')).to.include({ msg: 'starting' });
    } finally {
      launcher.signalGroup('SIGTERM');
      await launcher.ended;
      await home.remove();
    }
  });

  it('the API says that this week has no partition, and a worker creates it', async () => {
    const partitions = async () =>
      (
        await service.database.query<{ name: string }>(
          `select inhrelid::regclass::text as name from pg_inherits
            where inhparent in ('event'::regclass, 'delivery'::regclass)`,
        )
      ).map(({ name }) => name);

    await service.database.query(`drop table ${(await partitions()).join(', ')}`);
    expect(await readiness(service.internalUrl)).to.eql({ status: 200, partitions: 'missing' });

    const findings = (await adminJson(service.environment, ['doctor'], 1)) as { detail: string }[];
    const [, ...missing] =
      /(event_\d{8}) and (delivery_\d{8}) is missing/.exec(JSON.stringify(findings)) ?? [];
    expect(missing).to.have.lengthOf(2);
    await service.startWorker();
    expect(await readiness(service.internalUrl)).to.eql({ status: 200, partitions: 'ok' });
    expect(await partitions()).to.include.members(missing);

    const tenant = await createTenant(service);
    expect(await tenant.publish({})).to.match(/^evt_/);
  });
});
