import type { Message, NoticeOutcome } from '../domain/notice/mail.js';
/**
 * Sends mails by SMTP, or writes them to files where SMTP_URL is not set. Who sends decides when to retry:
 * an outcome says whether the mail was sent, failed for now, or was refused for good. Message-ID and bytes
 * stay the same, so a mail that was sent right before a crash may arrive twice but is recognisable.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport, type SendMailOptions } from 'nodemailer';

/** A message with an id and a date, which stay the same when it is sent again. */
export interface Mail extends Message {
  /** With angle brackets. */
  readonly messageId: string;
  readonly date: Date;
}

/** Sends mails by SMTP, or writes them to files. */
export interface Mailer {
  /** The server or folder that mails go to, without credentials. */
  readonly destination: string;
  /** How many mails it sends at a time. */
  readonly slots: number;
  /** Sends one mail, unless `signal` aborts it. A failure of the server is an outcome, not an exception. */
  send(mail: Mail, signal: AbortSignal): Promise<NoticeOutcome>;
  /** Closes all connections, including those in use. */
  close(): void;
}

/** The settings of a mailer. */
interface MailerOptions {
  /** Without it, mails are written to the folder `mail` of `dataDir`; mailWarning says so. */
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string;
  readonly dataDir: string;
  /** One timeout covers one mail, from connecting to the last reply of the server. */
  readonly timeoutMs: number;
}

/** Creates a mailer, which connects when it sends the first mail. */
export function createMailer({ smtpUrl, mailFrom, dataDir, timeoutMs }: MailerOptions): Mailer {
  return smtpUrl === undefined
    ? fileMailer(mailFrom, join(dataDir, 'mail'))
    : smtpMailer(mailFrom, smtpUrl, timeoutMs);
}

const slots = 5;

/**
 * Writes each mail to `folder` as an `.eml` file, named after its Message-ID. Each write is atomic, and a
 * mail that is sent again replaces its file.
 */
function fileMailer(from: string, folder: string): Mailer {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    destination: folder,
    slots,
    async send(mail) {
      try {
        const { message } = await composer.sendMail(composeMessage(mail, from));
        await writeAtomically(folder, `${fileNameOf(mail.messageId)}.eml`, message as Buffer);
        return { kind: 'sent' };
      } catch (error) {
        const { code = 'unknown', message: detail } = error as NodeJS.ErrnoException;
        return { kind: 'failed', reason: code, detail };
      }
    },
    close: () => composer.close(),
  };
}

function fileNameOf(messageId: string): string {
  return messageId.replace(/[<>]/g, '').replace(/[^\w.@-]/g, '_');
}

async function writeAtomically(folder: string, name: string, content: Buffer): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });

  const draft = join(folder, `.${randomUUID()}.tmp`);
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }

    await rename(draft, join(folder, name));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** A header line has at most 998 characters (RFC 5322, section 2.1.1). */
const maxPlainLength = 500;
/** An encoded word has at most 75 characters (RFC 2047, section 2), which hold this many bytes. */
const bytesPerWord = 42;

/**
 * Turns a mail into options of nodemailer; the same mail always gives the same bytes. It is marked as
 * automatic (RFC 3834), and nodemailer may neither read files nor fetch URLs for it.
 */
function composeMessage(mail: Mail, from: string): SendMailOptions {
  const { to, subject, text, html, messageId, date } = mail;
  return {
    from,
    text,
    messageId,
    date,
    // nodemailer parses a string as a list of addresses; an object stays one address.
    to: { name: '', address: to },
    subject: subject.length > maxPlainLength ? encodedWords(subject) : subject,
    ...(html !== undefined && { html, baseBoundary: messageId }),
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Splits the text into encoded words (RFC 2047), so that a header can be folded between them. */
function encodedWords(text: string): string {
  const words: string[] = [];
  let word = '';
  for (const character of text) {
    if (Buffer.byteLength(word + character) > bytesPerWord) {
      words.push(word);
      word = '';
    }
    word += character;
  }
  return [...words, word]
    .map((text) => `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`)
    .join(' ');
}

const connections = 5;
const connectLimitMs = 10_000;

/**
 * Sends over at most 5 connections, which stay open for a while.
 * @param smtpUrl its query may contain options of nodemailer, such as `?requireTLS=true`; a user name
 *   makes encryption mandatory
 */
function smtpMailer(from: string, smtpUrl: string, timeoutMs: number): Mailer {
  const transport = transportTo(smtpUrl, timeoutMs);
  return {
    destination: destinationOf(smtpUrl),
    slots: connections,
    async send(mail, stopping) {
      // The timeout of the socket is not enough: a server may trickle its reply for ever.
      const limit = new AbortController();
      // A process that was suspended runs its timers first, although the reply may already have arrived.
      // So the sockets are read once more: an accepted mail must not be sent again.
      const timer = setTimeout(() => setImmediate(() => limit.abort()), timeoutMs);
      const signal = AbortSignal.any([limit.signal, stopping]);

      try {
        await transport.sendMail({ ...composeMessage(mail, from), signal });
        return { kind: 'sent' };
      } catch (error) {
        if (!limit.signal.aborted) return outcomeOf(error as SmtpError);
        const detail = `The mail server did not finish its reply within ${timeoutMs} ms.`;
        return { kind: 'failed', reason: 'timeout', detail };
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => transport.close({ force: true }),
  };
}

/**
 * Connects, and logs in if the URL has a user name; sends nothing.
 * @returns the server, without credentials
 * @throws Error if the server refuses the connection or the login
 */
export async function checkSmtp(smtpUrl: string, timeoutMs: number): Promise<string> {
  const transport = transportTo(smtpUrl, timeoutMs);
  try {
    await transport.verify();
    return destinationOf(smtpUrl);
  } finally {
    transport.close({ force: true });
  }
}

function transportTo(smtpUrl: string, timeoutMs: number) {
  const phaseMs = Math.min(connectLimitMs, timeoutMs);
  return createTransport({
    pool: true,
    url: smtpUrl,
    maxConnections: connections,
    // For an idle connection that the server has closed meanwhile.
    maxRequeues: 1,
    requireTLS: new URL(smtpUrl).username !== '',
    connectionTimeout: phaseMs,
    dnsTimeout: phaseMs,
    greetingTimeout: phaseMs,
    // Longer than the limit of one mail, which reads the sockets once more before it aborts.
    socketTimeout: 2 * timeoutMs,
  });
}

function destinationOf(smtpUrl: string): string {
  const { protocol, host } = new URL(smtpUrl);
  return `${protocol}//${host}`;
}

/** The fields that nodemailer adds to its errors. */
export interface SmtpError extends Error {
  readonly code?: string;
  /** The last command that was sent, such as `RCPT TO`. */
  readonly command?: string;
  readonly responseCode?: number;
  /** The complete reply of the server. */
  readonly response?: string;
}

/** Replies to RCPT TO that mean the mailbox (RFC 5321, section 4.2.3; RFC 7504). */
const noSuchMailbox = new Set([550, 551, 553, 556]);
/** Enhanced codes that mean a policy, such as a refused relay, not the mailbox (RFC 3463). */
const policy = /^\d{3}[ -]5\.7\./;

/**
 * Turns an error of nodemailer into an outcome. Only a missing mailbox is refused permanently. After any
 * other error, also wrong settings of the operator, a retry may succeed.
 */
export function outcomeOf(error: SmtpError): NoticeOutcome {
  const { code, command, responseCode, response = '', message } = error;
  const reason = [code ?? 'internal_error', command, responseCode].filter(Boolean).join(' ');
  const refused =
    command === 'RCPT TO' && noSuchMailbox.has(responseCode ?? 0) && !policy.test(response);
  return { kind: refused ? 'refused' : 'failed', reason, detail: response || message };
}
