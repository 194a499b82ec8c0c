import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { freePort } from '../../../tools/launcher/ports.js';
import { createMailer, type Mail, type Mailer } from '../../../src/mail/mailer.js';
import { testAuthority } from '../../support/authority.js';
import { eventually, standStill } from '../../support/eventually.js';
import {
  type MailServer,
  type MailStage,
  refuse,
  startMailServer,
  parseMail,
} from '../../support/mail.js';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const never = new AbortController().signal;

/**
 * A mail server that runs while this thread stands still. `steps` counts: the whole mail has been
 * read, it may be accepted, the reply has been sent.
 */
const threadedServer = `
const { createServer } = require('node:net');
const { parentPort, workerData: steps } = require('node:worker_threads');
const count = (step) => {
  Atomics.add(steps, step, 1);
  Atomics.notify(steps, step);
};
const server = createServer((socket) => {
  let text = '';
  let reading = false;
  const reply = (line, sent) => socket.write(line + '\\r\\n', sent);
  socket.on('error', () => undefined).on('data', (bytes) => {
    text += bytes;
    if (reading && !text.endsWith('\\r\\n.\\r\\n')) return;
    if (!text.endsWith('\\r\\n')) return;
    const data = /^data/i.test(text);
    text = '';
    if (data) reply('354 go on');
    else if (!reading) reply('250 ok');
    else {
      count(0);
      Atomics.wait(steps, 1, 0);
      reply('250 accepted', () => setImmediate(count, 2));
    }
    reading = data;
  });
  reply('220 ready');
});
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

describe('a mailer over SMTP', () => {
  const mail: Mail = {
    to: 'ops@shop.example',
    subject: 'Webhook endpoint disabled: https://shop.example/',
    text: 'Hello\n.\nDescription: grüßt\n',
    messageId: '<ntc_1@api.example>',
    date: new Date('2026-11-20T12:00:00.000Z'),
  };

  let server: MailServer;
  let mailers: Mailer[] = [];

  const mailer = (smtpUrl = server.url, timeoutMs = 5_000) => {
    const created = createMailer({
      smtpUrl,
      mailFrom: 'Signalpost <signalpost@api.example>',
      dataDir: '/nowhere',
      timeoutMs,
    });
    mailers.push(created);
    return created;
  };

  beforeEach(async () => {
    server = await startMailServer();
  });

  afterEach(async () => {
    for (const sender of mailers) sender.close();
    mailers = [];
    await server.close();
  });

  it('sends a mail unchanged to one recipient, with the same bytes each time', async () => {
    const sender = mailer();
    expect(await sender.send(mail, never)).to.deep.equal({ kind: 'sent' });
    expect(await sender.send(mail, never)).to.deep.equal({ kind: 'sent' });

    const [one, two] = server.taken;
    expect(one?.raw).to.equal(two?.raw);
    expect(one).to.include({ text: mail.text, from: 'signalpost@api.example' });
    expect(one?.to).to.deep.equal([mail.to]);

    expect(one?.headers).to.deep.include({
      to: [mail.to],
      from: ['Signalpost <signalpost@api.example>'],
      subject: [mail.subject],
      'message-id': [mail.messageId],
      date: ['Fri, 20 Nov 2026 12:00:00 +0000'],
      'auto-submitted': ['auto-generated'],
    });

    expect(server.connections.accepted).to.equal(1);
  });

  it('holds at most five connections', async () => {
    const sender = mailer();
    const sent = await Promise.all(Array.from({ length: 30 }, () => sender.send(mail, never)));
    expect(new Set(sent.map(({ kind }) => kind))).to.deep.equal(new Set(['sent']));
    expect(server.taken).to.have.length(30);
    expect(server.connections.most).to.be.at.most(sender.slots);
  });

  it('keeps a long subject whole and its lines short', async () => {
    for (const subject of [
      `Disabled: https://shop.example/${'a'.repeat(2_000)}`,
      'ü'.repeat(800),
    ]) {
      await mailer().send({ ...mail, subject }, never);
      expect(server.taken.at(-1)?.headers['subject']).to.deep.equal([subject]);
    }
  });

  it('lets no input add a header or a recipient', async () => {
    const injected = 'x\r\nBcc: evil@evil.example\r\n\r\nBuy';
    const hostile: Partial<Mail>[] = [
      { subject: injected },
      { to: 'ops@shop.example,evil@evil.example' },
      { to: 'ops@shop.example>\r\nRCPT TO:<evil@evil.example' },
      { to: '"evil@evil.example" <ops@shop.example>' },
      { messageId: `<${injected}>` },
    ];
    for (const change of hostile) {
      await mailer().send({ ...mail, ...change }, never);
    }

    expect(server.taken.length).to.be.greaterThan(1);

    for (const { headers, to, raw } of server.taken) {
      expect(headers, raw).not.to.have.property('bcc');
      expect(to.length, raw).to.equal(1);
      expect(raw).not.to.match(/^evil@evil.example$/m);
      expect(to, raw).not.to.include('evil@evil.example');
    }
  });

  it('reports what a server refused, and sends the next mail all the same', async () => {
    const sender = mailer();
    const refusals: [number, string, MailStage, string][] = [
      [450, '4.2.0 later', 'recipient', 'failed'],
      [550, '5.1.1 unknown', 'recipient', 'refused'],
      [550, '5.7.1 relay', 'recipient', 'failed'],
      [554, '5.6.0 spam', 'answer', 'failed'],
      [451, '4.3.0 full', 'answer', 'failed'],
      [421, 'busy', 'greeting', 'failed'],
    ];
    for (const [code, text, stage, kind] of refusals) {
      // Over a connection of its own, so that the greeting is refused too.
      const one = stage === 'greeting' ? mailer() : sender;
      server.script(refuse(code, text, stage));
      const outcome = await one.send(mail, never);
      expect(outcome, text).to.include({ kind });
      expect('reason' in outcome && outcome.reason, text).to.match(new RegExp(`${code}$`));
      expect('reason' in outcome && outcome.reason).not.to.include('@');
    }

    expect(server.taken).to.have.length(0);
    expect(await sender.send(mail, never)).to.deep.equal({ kind: 'sent' });
  });

  it('fails in time when a server hangs, trickles or disconnects', async () => {
    const timeoutMs = 3_000;
    const stages = ['greeting', 'recipient', 'answer'] as const;
    const outcomes = await Promise.all(
      stages.flatMap((stage) =>
        (['hang', 'trickle', 'drop'] as const).map(async (does) => {
          const odd = await startMailServer();
          odd.always({ stage, does });
          const startedAt = performance.now();
          const outcome = await mailer(odd.url, timeoutMs).send(mail, never);
          const tookMs = performance.now() - startedAt;
          await eventually(() => expect(odd.connections.open).to.equal(0), 'it is let go of');
          await odd.close();
          return { what: `${does} at ${stage}`, outcome, tookMs, arrived: odd.mails.length };
        }),
      ),
    );
    for (const { what, outcome, tookMs, arrived } of outcomes) {
      expect(outcome.kind, what).to.equal('failed');
      expect(tookMs, what).to.be.lessThan(timeoutMs + 5_000);
      expect(arrived > 0, what).to.equal(what.endsWith('answer'));
    }
  });

  it('counts a reply that arrived before the process noticed its timeout', async () => {
    const timeoutMs = 5_000;
    const steps = new Int32Array(new SharedArrayBuffer(12));
    const thread = new Worker(threadedServer, { eval: true, workerData: steps });
    try {
      const [port] = (await once(thread, 'message')) as [number];
      const sent = mailer(`smtp://127.0.0.1:${port}`, timeoutMs).send(mail, never);

      await eventually(() => expect(Atomics.load(steps, 0)).to.equal(1), 'the mail is read');

      // From here the event loop goes on with its timers, and reads sockets only then.
      await turn();
      Atomics.store(steps, 1, 1);
      Atomics.notify(steps, 1);
      Atomics.wait(steps, 2, 0, 60_000);
      standStill(timeoutMs + 100);
      expect(await sent).to.deep.equal({ kind: 'sent' });
    } finally {
      await thread.terminate();
    }
  });

  it('fails when no server listens, and stops when aborted', async () => {
    const absent = await mailer(`smtp://127.0.0.1:${await freePort()}`).send(mail, never);
    expect(absent).to.include({ kind: 'failed', reason: 'ESOCKET CONN' });
    server.always({ stage: 'answer', does: 'hang' });
    const stopping = new AbortController();
    const broken = mailer().send(mail, stopping.signal);
    await eventually(() => expect(server.mails).to.have.length(1), 'it is under way');
    stopping.abort(new Error('stopping'));
    expect(await broken).to.include({ kind: 'failed', reason: 'EABORT' });
  });

  it('sends over a new connection when the server has closed the one it kept', async () => {
    const sender = mailer();
    await sender.send(mail, never);
    const { port } = server;
    await server.close();
    server = await startMailServer({ port });
    expect(await sender.send(mail, never)).to.deep.equal({ kind: 'sent' });
  });

  it('sends its password only over an encrypted connection to a trusted server', async () => {
    const open = await startMailServer({ disabledCommands: ['STARTTLS'], allowInsecureAuth: true });
    const { cert, key } = await (await testAuthority()).issue();
    const stranger = await startMailServer({ disabledCommands: [], secure: true, cert, key });
    for (const [{ port }, scheme] of [
      [open, 'smtp'],
      [stranger, 'smtps'],
    ] as const) {
      const url = `${scheme}://signalpost:hunter2@127.0.0.1:${port}`;
      const sender = mailer(url);
      expect(sender.destination).to.equal(`${scheme}://127.0.0.1:${port}`);
      const outcome = await sender.send(mail, never);
      expect(outcome, scheme).to.include({ kind: 'failed' });
      expect(JSON.stringify(outcome)).not.to.include('hunter2');
    }

    expect([...open.logins, ...stranger.logins, ...open.mails]).to.deep.equal([]);

    const trusting = mailer(
      `smtps://signalpost:hunter2@127.0.0.1:${stranger.port}?tls.rejectUnauthorized=false`,
    );
    expect(await trusting.send(mail, never)).to.deep.equal({ kind: 'sent' });
    expect(stranger.logins).to.deep.equal(['signalpost']);
    await Promise.all([open.close(), stranger.close()]);
  });
});

describe('a mailer without a server', () => {
  const mail: Mail = {
    to: 'ops@shop.example',
    subject: 'Webhook endpoint disabled: https://shop.example/',
    text: 'Hello\n',
    messageId: '<ntc_1@[::1]>',
    date: new Date(0),
  };

  let dataDir: string;

  beforeEach(() => (dataDir = mkdtempSync(join(tmpdir(), 'signalpost-mail-'))));
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  const mailer = (at = dataDir) =>
    createMailer({ smtpUrl: undefined, mailFrom: 'a@b.example', dataDir: at, timeoutMs: 1_000 });

  it('writes each mail as a file that only its owner reads, and the same file when it is sent again', async () => {
    const sender = mailer();
    const sent = await Promise.all(Array.from({ length: 10 }, () => sender.send(mail, never)));
    expect(new Set(sent.map(({ kind }) => kind))).to.deep.equal(new Set(['sent']));
    expect(sender.destination).to.equal(join(dataDir, 'mail'));
    expect(readdirSync(join(dataDir, 'mail'))).to.deep.equal(['ntc_1@___1_.eml']);
    const file = join(dataDir, 'mail', 'ntc_1@___1_.eml');
    expect(statSync(file).mode & 0o077).to.equal(0);
    const { headers, text } = parseMail(readFileSync(file, 'utf8'));
    expect(headers).to.deep.include({ to: [mail.to], 'message-id': [mail.messageId] });
    expect(text).to.equal(mail.text);
  });

  it('stays in its folder with any Message-ID', async () => {
    await mailer().send({ ...mail, messageId: '<../../escaped@x>' }, never);
    expect(readdirSync(dataDir)).to.deep.equal(['mail']);
    expect(readdirSync(join(dataDir, 'mail'))).to.have.length(1);
  });

  it('fails with the reason, and leaves nothing, when it cannot write', async () => {
    const file = join(dataDir, 'taken');
    writeFileSync(file, '');
    expect(await mailer(file).send(mail, never)).to.include({ kind: 'failed', reason: 'ENOTDIR' });
  });
});
