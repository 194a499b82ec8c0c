import { createTransport } from 'nodemailer';
import type { NoticeOutcome } from '../domain/notice/mail.js';
import { composeMessage } from './compose-message.js';
import type { Mailer } from './mailer.js';

const connections = 5;
const connectLimitMs = 10_000;

/**
 * Makes a mailer that sends over at most 5 connections, which it keeps open for a while.
 * @param smtpUrl its query holds options of nodemailer, such as `?requireTLS=true`; a user name makes
 *   encryption mandatory
 */
export function smtpMailer(from: string, smtpUrl: string, timeoutMs: number): Mailer {
  const transport = transportTo(smtpUrl, timeoutMs);
  return {
    destination: destinationOf(smtpUrl),
    slots: connections,
    async send(mail, stopping) {
      // The socket's own timeout is not enough: a server may trickle its reply without end.
      const limit = new AbortController();
      // A process that stood still runs its timers before it reads its sockets, where the reply may
      // lie already. So they are read once more: a mail that was accepted is not sent again.
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
 * Connects, and logs in when the URL has a user name; sends nothing.
 * @returns where mails go, without credentials
 * @throws Error when the server refuses the connection or the login
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
    // Only for an idle connection that the server has closed.
    maxRequeues: 1,
    requireTLS: new URL(smtpUrl).username !== '',
    connectionTimeout: phaseMs,
    dnsTimeout: phaseMs,
    greetingTimeout: phaseMs,
    // Ends later than the limit of one mail, which looks for a reply before it aborts.
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
  /** The server's whole reply. */
  readonly response?: string;
}

/** Replies to RCPT TO that concern the mailbox (RFC 5321, section 4.2.3; RFC 7504). */
const noSuchMailbox = new Set([550, 551, 553, 556]);
/** Enhanced codes that concern a policy, such as a refused relay, and not the mailbox (RFC 3463). */
const policy = /^\d{3}[ -]5\.7\./;

/**
 * Turns nodemailer's error into an outcome. Only a mailbox that does not exist is refused permanently.
 * Any other error may succeed later, wrong settings of the operator included.
 */
export function outcomeOf(error: SmtpError): NoticeOutcome {
  const { code, command, responseCode, response = '', message } = error;
  const reason = [code ?? 'internal_error', command, responseCode].filter(Boolean).join(' ');
  const refused =
    command === 'RCPT TO' && noSuchMailbox.has(responseCode ?? 0) && !policy.test(response);
  return { kind: refused ? 'refused' : 'failed', reason, detail: response || message };
}
