import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  ConfigError,
  type Environment,
  loadConfig,
  loadServiceConfig,
  baseUrlWarning,
  mailWarning,
  summarize,
} from '../../../src/config/config.js';
import { baseAddress } from '../../../src/config/schemas.js';

const complete = {
  DATABASE_URL: 'postgres://localhost/signalpost',
  SECRET_KEY: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
};

/** The names of the settings that are refused, one per fault. */
function refused(load: (environment: Environment) => unknown, environment: Environment): string[] {
  try {
    load(environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    expect(error.message.split('\n')).to.have.lengthOf(error.problems.length + 1);
    return error.problems.map((issue) => issue.split(':', 1)[0] ?? '');
  }
  return [];
}

describe('the settings', () => {
  let folder: string;

  before(() => (folder = mkdtempSync(join(tmpdir(), 'signalpost-config-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('each setting that the launcher does not provide has a default', () => {
    expect(refused(loadConfig, {})).to.eql([]);
  });

  it('accepts URLs of hosts with umlauts, also after thousands of others', () => {
    for (let number = 0; number < 20_000; number += 1) {
      // A flat string, as the environment gives one, and not a concatenation.
      const url = Buffer.from(`https://bücher.example/${number}`).toString();
      expect(baseAddress.safeParse(url).success, url).to.equal(true);
    }
  });

  it('requires a database and keys from a process', () => {
    expect(refused(loadServiceConfig, {})).to.have.members(['DATABASE_URL', 'SECRET_KEY']);
    expect(refused(loadServiceConfig, complete)).to.eql([]);
    const { databaseUrl, secretKeys } = loadServiceConfig(complete);
    expect(databaseUrl).to.equal(complete.DATABASE_URL);
    expect(secretKeys).to.have.lengthOf(1);
  });

  it('accepts a proxy with credentials, and quotes them in no problem', () => {
    const url = 'https://shop:p%40ss@proxy.example:3128/';
    const { webhooks } = loadConfig({ WEBHOOKS_PROXY_URL: url, WEBHOOKS_PROXY_RESOLVES: '1' });
    expect(webhooks.proxy).to.eql({ url, sendsNames: true });

    for (const invalid of [
      'proxy.example:3128',
      'socks5://shop:secret@proxy.example',
      'http://shop:secret@proxy.example/path',
      'http://shop:secret@proxy.example/?query',
      'http://shop:sec%ret@proxy.example/',
    ]) {
      expect(() => loadConfig({ WEBHOOKS_PROXY_URL: invalid }), invalid)
        .to.throw(ConfigError, 'WEBHOOKS_PROXY_URL: must')
        .with.property('message')
        .that.does.not.match(/sec|shop/);
    }

    expect(summarize({ WEBHOOKS_PROXY_URL: url })).to.include({ WEBHOOKS_PROXY_URL: 'set' });
  });

  it('refuses half a client certificate, and a proxy that resolves where there is none', () => {
    const half = { WEBHOOKS_CLIENT_CERT_FILE: '/tls.crt', WEBHOOKS_PROXY_RESOLVES: '1' };
    const names = ['WEBHOOKS_CLIENT_KEY_FILE', 'WEBHOOKS_PROXY_RESOLVES'];
    expect(refused(loadConfig, half)).to.have.members(names);
    const other = { WEBHOOKS_CLIENT_KEY_FILE: '/tls.key' };
    expect(refused(loadConfig, other)).to.eql(['WEBHOOKS_CLIENT_CERT_FILE']);
  });

  it('reports all problems at once: invalid settings, missing settings and contradictions', () => {
    const invalid = {
      PORT: 'eighty',
      WEBHOOKS_TIMEOUT: '2m',
      WORKER_CONCURRENCY: '5',
      WORKER_ENDPOINT_CONCURRENCY: '6',
      REDIS_URL_FILE: join(folder, 'missing'),
    };

    expect(refused(loadServiceConfig, invalid)).to.have.members([
      'PORT',
      'WEBHOOKS_TIMEOUT',
      'WORKER_ENDPOINT_CONCURRENCY',
      'REDIS_URL_FILE',
      'DATABASE_URL',
      'SECRET_KEY',
    ]);
  });

  it('accepts OIDC_ONLY only with a provider', () => {
    expect(refused(loadConfig, { OIDC_ONLY: '1' })).to.eql(['OIDC_ONLY']);
    const provider = { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'signalpost' };
    expect(loadConfig(provider).openId?.only).to.equal(false);
    expect(loadConfig({ ...provider, OIDC_ONLY: '1' }).openId?.only).to.equal(true);
  });

  it('does not report an invalid setting as missing, too', () => {
    const invalid = { DATABASE_URL: 'mysql://x', SECRET_KEY_FILE: join(folder, 'missing') };
    expect(refused(loadServiceConfig, invalid)).to.eql(['DATABASE_URL', 'SECRET_KEY_FILE']);
  });

  it('turns the names of hosts into lower case', () => {
    const { internalHosts } = loadConfig({ INTERNAL_HOSTS: 'Metrics.shop.example, other' });
    expect(internalHosts).to.eql(['127.0.0.1', 'metrics.shop.example', 'other']);
    // The commands of operators ask under the name at which the process listens.
    const named = loadConfig({ INTERNAL_HOST: 'Ops.shop.example' });
    expect(named.internalHosts).to.eql(['ops.shop.example']);
    for (const INTERNAL_HOSTS of ['http://x', 'a b', '*.shop.example', 'x:80']) {
      expect(refused(loadConfig, { INTERNAL_HOSTS })).to.eql(['INTERNAL_HOSTS']);
    }
  });

  it('reads a secret from the variable or from a file, but not from both', () => {
    const file = join(folder, 'key');
    writeFileSync(file, `${complete.SECRET_KEY}\n`);
    const { DATABASE_URL } = complete;
    expect(refused(loadServiceConfig, { DATABASE_URL, SECRET_KEY_FILE: file })).to.eql([]);
    expect(refused(loadServiceConfig, { ...complete, SECRET_KEY_FILE: file })).to.eql([
      'SECRET_KEY',
    ]);
  });

  it('reads a SECRET_KEY without an id as k1, as earlier releases do', () => {
    const ring = ['k2', undefined].map((id, index) => {
      const bytes = Buffer.alloc(32, index).toString('base64');
      return id === undefined ? bytes : `${id}:${bytes}`;
    });
    const { secretKeys } = loadServiceConfig({ ...complete, SECRET_KEY: ring.join() });
    expect(secretKeys.map(({ id }) => id)).to.eql(['k2', 'k1']);
  });

  it('limits the retry schedule, so that it ends before retention deletes the event of the latest replay', () => {
    const ends = ['1s', '216h,1h', Array(100).fill('1s').join()];
    for (const WEBHOOKS_RETRY_SCHEDULE of ends) {
      expect(refused(loadConfig, { WEBHOOKS_RETRY_SCHEDULE }), 'ends').to.eql([]);
    }
    const doesNot = ['999999999d', '10d', '219h', '5d,5d', '1s,', Array(101).fill('1s').join()];
    for (const WEBHOOKS_RETRY_SCHEDULE of doesNot) {
      expect(refused(loadConfig, { WEBHOOKS_RETRY_SCHEDULE }), 'does not').to.eql([
        'WEBHOOKS_RETRY_SCHEDULE',
      ]);
    }
  });

  it('H304: accepts named retry schedules, each within the limits of the default one', () => {
    const accepted = ['fast=1s,5s', 'fast=1s; slow-2=1h,6h', 'a=1s', 'a=216h,1h'];
    for (const WEBHOOKS_RETRY_SCHEDULES of accepted) {
      expect(refused(loadConfig, { WEBHOOKS_RETRY_SCHEDULES }), 'accepted').to.eql([]);
    }

    const tooMany = Array.from({ length: 21 }, (_each, place) => `s${place}=1s`).join(';');
    const notAccepted = ['1s', 'default=1s', 'a=1s;a=2s', 'A=1s', 'a=', 'a=1s;', 'a=219h', tooMany];
    for (const WEBHOOKS_RETRY_SCHEDULES of notAccepted) {
      expect(refused(loadConfig, { WEBHOOKS_RETRY_SCHEDULES }), WEBHOOKS_RETRY_SCHEDULES).to.eql([
        'WEBHOOKS_RETRY_SCHEDULES',
      ]);
    }
  });

  it('accepts a sender of mails that fits into one header', () => {
    for (const MAIL_FROM of ['a@b.example', 'Shop <a@b.example>', '<a@localhost>', 'Ü. B <a@b>']) {
      expect(refused(loadConfig, { MAIL_FROM }), MAIL_FROM).to.eql([]);
    }
    const injected = 'Shop\r\nBcc: x@y.example <a@b.example>';
    for (const MAIL_FROM of ['Shop', 'a@b, c@d', 'Shop <a>', 'a@b.example <c@d>', injected]) {
      expect(refused(loadConfig, { MAIL_FROM }), MAIL_FROM).to.eql(['MAIL_FROM']);
    }
  });

  it('requires whole numbers within their limits, and the message names these', () => {
    for (const text of ['eighty', '1.5', '-1', '0x50', '1e3', '65536']) {
      expect(() => loadConfig({ PORT: text }), text).to.throw(
        ConfigError,
        'PORT: must be a whole number from 0 to 65535',
      );
    }
    expect(loadConfig({ PORT: '0', DATABASE_POOL: '7' })).to.include({ port: 0, databasePool: 7 });
    expect(refused(loadConfig, { DATABASE_POOL: '0' })).to.eql(['DATABASE_POOL']);
  });

  it('rejects a BASE_URL with anything after its path', () => {
    for (const BASE_URL of ['https://x', 'http://x:1/', 'https://x/pay/']) {
      expect(loadConfig({ BASE_URL }).baseUrl).to.equal(BASE_URL.replace(/\/$/, ''));
    }
    const others = ['x', 'ftp://x', 'https://x?', 'https://x/?y', 'https://x#', 'https://u:p@x'];
    for (const BASE_URL of [...others, 'https://u@x']) {
      expect(refused(loadConfig, { BASE_URL }), BASE_URL).to.eql(['BASE_URL']);
    }
  });

  it('accepts 0 or 1 for a switch', () => {
    for (const SANDBOX_PAYMENTS of ['yes', 'true', '2', ' 1']) {
      expect(refused(loadConfig, { SANDBOX_PAYMENTS }), SANDBOX_PAYMENTS).to.eql([
        'SANDBOX_PAYMENTS',
      ]);
    }
  });

  it('reveals no secret in a message', () => {
    try {
      loadServiceConfig({ DATABASE_URL: 'mysql://me:hidden@x/y', SECRET_KEY: 'hidden' });
      expect.fail('accepted');
    } catch (error) {
      expect(String(error)).to.include('SECRET_KEY').and.not.include('hidden');
    }
  });
});

describe('the warning about a missing BASE_URL', () => {
  const advice = (environment: Environment) =>
    baseUrlWarning(environment, loadConfig({ ...environment, DATABASE_URL_FILE: '' }));

  it('warns about a missing BASE_URL if other machines may reach the service, and names the URL that is used instead', () => {
    const DATABASE_URL = 'postgres://localhost/signalpost';
    expect(advice({ DATABASE_URL })).to.include('start with http://127.0.0.1:8080');
    expect(advice({ DATABASE_URL_FILE: '/run/secrets/url' })).to.be.a('string');
    expect(advice({ HOST: '0.0.0.0', PORT: '80' })).to.include('start with http://0.0.0.0:80');
    expect(advice({ DATABASE_URL, BASE_URL: 'https://api.example' })).to.equal(undefined);
    for (const HOST of ['127.0.0.1', '::1', 'localhost', '']) {
      expect(advice({ HOST }), HOST).to.equal(undefined);
    }
  });
});

describe('the warning about a missing SMTP_URL', () => {
  const DATABASE_URL = 'postgres://localhost/signalpost';
  const DATA_DIR = '/tmp/signalpost';
  const warning = (environment: Environment) =>
    mailWarning(environment, loadConfig({ DATA_DIR, ...environment, DATABASE_URL_FILE: '' }));

  it('H239: the warning about a missing SMTP_URL names the setting and the folder of the mails when DATABASE_URL is set', () => {
    const found = warning({ DATABASE_URL });
    expect(found).to.include('SMTP_URL is not set').and.include(' /tmp/signalpost/mail ');
    expect(warning({ DATABASE_URL_FILE: '/run/secrets/url' })).to.equal(found);
  });

  it('does not warn with a mail server, with the embedded PostgreSQL, or without the role notify', () => {
    expect(warning({ DATABASE_URL, SMTP_URL: 'smtp://mail.example' })).to.equal(undefined);
    expect(warning({})).to.equal(undefined);
    expect(warning({ DATABASE_URL_FILE: `${DATA_DIR}/database-url` })).to.equal(undefined);
    expect(warning({ DATABASE_URL, WORKER_ROLES: 'deliver,replay' })).to.equal(undefined);
  });
});
