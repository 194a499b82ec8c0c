import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createMailer, type Mail } from '../../../src/mail/mailer.js';
import { parseMail } from '../../support/mail.js';

const mail: Mail = {
  to: 'ops@shop.example',
  subject: 'Webhook endpoint disabled: https://shop.example/',
  text: 'Hello\n',
  messageId: '<ntc_1@[::1]>',
  date: new Date(0),
};
const never = new AbortController().signal;

describe('a mailer without a server', () => {
  let dataDir: string;

  beforeEach(() => (dataDir = mkdtempSync(join(tmpdir(), 'signalpost-mail-'))));
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  const mailer = (at = dataDir) =>
    createMailer({ smtpUrl: undefined, mailFrom: 'a@b.example', dataDir: at, timeoutMs: 1_000 });

  it('writes each mail as a file that only its owner reads, sent again the same file', async () => {
    const made = mailer();
    const sent = await Promise.all(Array.from({ length: 10 }, () => made.send(mail, never)));
    expect(new Set(sent.map(({ kind }) => kind))).to.deep.equal(new Set(['sent']));
    expect(made.destination).to.equal(join(dataDir, 'mail'));
    expect(readdirSync(join(dataDir, 'mail'))).to.deep.equal(['ntc_1@___1_.eml']);
    const file = join(dataDir, 'mail', 'ntc_1@___1_.eml');
    expect(statSync(file).mode & 0o077).to.equal(0);
    const { headers, text } = parseMail(readFileSync(file, 'utf8'));
    expect(headers).to.deep.include({ to: [mail.to], 'message-id': [mail.messageId] });
    expect(text).to.equal(mail.text);
  });

  it('stays in its folder, with any Message-ID', async () => {
    await mailer().send({ ...mail, messageId: '<../../escaped@x>' }, never);
    expect(readdirSync(dataDir)).to.deep.equal(['mail']);
    expect(readdirSync(join(dataDir, 'mail'))).to.have.length(1);
  });

  it('fails with the reason, and leaves nothing, where it cannot write', async () => {
    const file = join(dataDir, 'taken');
    writeFileSync(file, '');
    expect(await mailer(file).send(mail, never)).to.include({ kind: 'failed', reason: 'ENOTDIR' });
  });
});
