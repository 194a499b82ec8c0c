import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { acquirePostgres } from '../../tools/launcher/embedded-postgres.js';
import { adminJson } from '../support/admin.js';
import { createTestHome, type TestHome } from '../support/launcher.js';

interface Finding {
  readonly subject: string;
  readonly level: 'ok' | 'warning' | 'error';
  readonly detail: string;
}

const BASE_URL = 'https://api.example';
const SECRET_KEY = `k1:${Buffer.alloc(32, 1).toString('base64')}`;

describe('admin doctor, of an embedded PostgreSQL that does not run', () => {
  const runDoctor = async (environment: Record<string, string>, code: number) =>
    (await adminJson({ BASE_URL, SECRET_KEY, ...environment }, ['doctor'], code)) as Finding[];
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

  it('starts it only for the check, says so, and migrates nothing', async () => {
    for (const again of [false, true]) {
      const findings = await runDoctor({ DATA_DIR: home.dataDir }, 1);
      const first = findings.find(({ subject }) => subject === 'database');
      expect(first, String(again)).to.include({ level: 'warning' });
      expect(first?.detail).to.include('was not running');
      const payments = findings.find(({ subject }) => subject === 'payments');
      expect(payments).to.include({ level: 'ok' });
      expect(payments?.detail).to.include('SANDBOX_PAYMENTS is 1');
      expect(errorsOf(findings)).to.match(/^migrations: The database has no schema yet/m);
    }
  });

  it('finds that what is for trying is on where others reach it', async () => {
    const DATA_DIR = home.dataDir;
    const off = await runDoctor({ DATA_DIR, HOST: '0.0.0.0' }, 1);
    expect(errorsOf(off)).not.to.match(/^(?:payments|settings)/m);
    const on = { SANDBOX_PAYMENTS: '1', WEBHOOKS_ALLOW_PRIVATE_TARGETS: '1' };
    const errors = errorsOf(await runDoctor({ DATA_DIR, INTERNAL_HOST: '0.0.0.0', ...on }, 1));
    expect(errors).to.match(/^payments: INTERNAL_HOST is 0\.0\.0\.0 and SANDBOX_PAYMENTS is 1/m);
    expect(errors).to.match(/^settings: INTERNAL_HOST is .* allows loopback/m);
  });

  it('misses a lost key instead of making another', async () => {
    const findings = await runDoctor({ DATA_DIR: home.dataDir, SECRET_KEY: '' }, 1);
    expect(errorsOf(findings)).to.match(/^secrets: .*secret-key is missing/);
    expect(readdirSync(home.dataDir)).not.to.include('secret-key');
  });
});
