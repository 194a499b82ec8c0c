import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadConfig } from '../../../src/config/config.js';
import { createEgressPolicy } from '../../../src/domain/endpoint/egress-policy.js';
import { checkAddresses } from '../../../src/outbound/ssrf-guard.js';
import { embeddedEnvironment, trialNotice } from '../../../tools/launcher/embedded-environment.js';

describe('the settings of the embedded default', () => {
  let dataDir: string;

  before(() => (dataDir = mkdtempSync(join(tmpdir(), 'signalpost-embedded-'))));
  after(() => rmSync(dataDir, { recursive: true, force: true }));

  const added = async (environment: Record<string, string> = {}) =>
    embeddedEnvironment({ ...loadConfig(environment), dataDir }, environment, () =>
      Promise.reject(new Error('there is no database to ask')),
    );

  it('allows deliveries to localhost (127.0.0.1, ::1 or both) and to no other private address', async () => {
    const { WEBHOOKS_ALLOW_PRIVATE_TARGETS } = await added();
    expect(trialNotice(loadConfig({}), {})).to.equal(undefined);
    const { webhooks } = loadConfig({ WEBHOOKS_ALLOW_PRIVATE_TARGETS });
    const mayConnect = createEgressPolicy(webhooks.allowPrivateTargets);
    const both = [
      { address: '::1', family: 6 },
      { address: '127.0.0.1', family: 4 },
    ] as const;
    expect(checkAddresses(both, mayConnect)).to.deep.equal(both);
    for (const address of ['::', '::2', 'fc00::1', '10.0.0.1', '169.254.169.254']) {
      expect(mayConnect(address), address).to.equal(false);
    }
  });

  it('allows sandbox payments, which DATABASE_URL does not', async () => {
    const { SANDBOX_PAYMENTS } = await added();
    expect(loadConfig({ SANDBOX_PAYMENTS })).to.include({ sandboxPayments: true });
    expect(loadConfig({})).to.include({ sandboxPayments: false });
  });

  it('sets the base URL, unless other machines can reach the service', async () => {
    expect(await added()).to.include({ BASE_URL: 'http://127.0.0.1:8080' });
    const HOST = '0.0.0.0';
    const BASE_URL = 'https://api.example';
    expect(await added({ HOST })).not.to.have.property('BASE_URL');
    expect(await added({ HOST, BASE_URL })).not.to.have.property('BASE_URL');
  });

  for (const [name, host] of Object.entries({ HOST: '0.0.0.0', INTERNAL_HOST: '10.0.0.5' })) {
    const environment = { [name]: host };

    it(`keeps the trial settings off where ${name} lets other machines in, and says so`, async () => {
      const settings = await added(environment);
      expect(settings).not.to.have.any.keys('SANDBOX_PAYMENTS', 'WEBHOOKS_ALLOW_PRIVATE_TARGETS');
      expect(trialNotice(loadConfig(environment), environment)).to.equal(
        `${name} is ${host}: the trial settings WEBHOOKS_ALLOW_PRIVATE_TARGETS and SANDBOX_PAYMENTS stay off unless you set them.`,
      );
      const given = { ...environment, SANDBOX_PAYMENTS: '1', WEBHOOKS_ALLOW_PRIVATE_TARGETS: '0' };
      expect(trialNotice(loadConfig(given), given)).to.equal(undefined);
    });
  }

  it('never replaces a setting of the user', async () => {
    for (const name of ['WEBHOOKS_ALLOW_PRIVATE_TARGETS', 'SANDBOX_PAYMENTS']) {
      expect(await added({ [name]: '0' })).not.to.have.property(name);
    }
  });
});
