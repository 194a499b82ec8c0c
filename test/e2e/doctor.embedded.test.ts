import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { runDoctor } from '../../tools/doctor/doctor.js';
import type { Finding } from '../../tools/doctor/finding.js';
import { acquirePostgres } from '../../tools/launcher/embedded-postgres.js';
import { createTestHome, type TestHome } from '../support/launcher.js';

const BASE_URL = 'https://api.example';
const SECRET_KEY = `k1:${Buffer.alloc(32, 1).toString('base64')}`;

describe('admin doctor with an embedded PostgreSQL that does not run', () => {
  /** Without the limit of a command: a busy machine may start PostgreSQL slowly. */
  const doctor = async (environment: Record<string, string>) => {
    const limits = { startMs: 60_000, allMs: 60_000 };
    let reported: readonly Finding[] = [];
    await runDoctor(
      { BASE_URL, SECRET_KEY, ...environment },
      (findings) => (reported = findings),
      limits,
    );
    return reported;
  };

  const errorsOf = (findings: readonly Finding[]) =>
    findings
      .filter(({ level }) => level === 'error')
      .map(({ subject, detail }) => `${subject}: ${detail}`)
      .join('\n');

  let home: TestHome;

  before(async () => {
    home = await createTestHome();
    await (await acquirePostgres(home.dataDir, 'test')).leave();
  });

  after(() => home.remove());

  it('starts PostgreSQL only for the check, says so, and migrates nothing', async () => {
    for (const again of [false, true]) {
      const findings = await doctor({ DATA_DIR: home.dataDir });
      const first = findings.find(({ subject }) => subject === 'database');
      expect(first, String(again)).to.include({ level: 'warning' });
      expect(first?.detail).to.include('was not running');
      const payments = findings.find(({ subject }) => subject === 'payments');
      expect(payments).to.include({ level: 'ok' });
      expect(payments?.detail).to.include('SANDBOX_PAYMENTS is 1');
      expect(errorsOf(findings)).to.match(/^migrations: The database has no schema yet/m);
    }
  });

  it('reports trial settings that are on where other machines reach the service', async () => {
    const DATA_DIR = home.dataDir;
    const off = await doctor({ DATA_DIR, HOST: '0.0.0.0' });
    expect(errorsOf(off)).not.to.match(/^(?:payments|settings)/m);
    const on = { SANDBOX_PAYMENTS: '1', WEBHOOKS_ALLOW_PRIVATE_TARGETS: '1' };
    const errors = errorsOf(await doctor({ DATA_DIR, INTERNAL_HOST: '0.0.0.0', ...on }));
    expect(errors).to.match(/^payments: INTERNAL_HOST is 0\.0\.0\.0 and SANDBOX_PAYMENTS is 1/m);
    expect(errors).to.match(/^settings: INTERNAL_HOST is .* allows loopback/m);
  });

  it('reports a lost key instead of creating another', async () => {
    const findings = await doctor({ DATA_DIR: home.dataDir, SECRET_KEY: '' });
    expect(errorsOf(findings)).to.match(/^secrets: .*secret-key is missing/);
    expect(readdirSync(home.dataDir)).not.to.include('secret-key');
  });
});
