import { expect } from 'chai';
import { type Environment, loadConfig } from '../../../src/config/config.js';
import { mailWarning } from '../../../src/config/mail-warning.js';

describe('the warning of mails that become files', () => {
  const DATABASE_URL = 'postgres://localhost/signalpost';
  const DATA_DIR = '/tmp/signalpost';
  const warning = (environment: Environment) =>
    mailWarning(environment, loadConfig({ DATA_DIR, ...environment, DATABASE_URL_FILE: '' }));

  it('H239: names the setting and the folder beside a database of one’s own', () => {
    const found = warning({ DATABASE_URL });
    expect(found).to.include('SMTP_URL is not set').and.include(' /tmp/signalpost/mail,');
    expect(warning({ DATABASE_URL_FILE: '/run/secrets/url' })).to.equal(found);
  });

  it('is absent with a mail server, in a trial, and where no mails are sent', () => {
    expect(warning({ DATABASE_URL, SMTP_URL: 'smtp://mail.example' })).to.equal(undefined);
    expect(warning({})).to.equal(undefined);
    expect(warning({ DATABASE_URL_FILE: `${DATA_DIR}/database-url` })).to.equal(undefined);
    expect(warning({ DATABASE_URL, WORKER_ROLES: 'deliver,replay' })).to.equal(undefined);
  });
});
