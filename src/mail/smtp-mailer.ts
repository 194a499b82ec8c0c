import { createTransport } from 'nodemailer';
import type { NoticeOutcome } from '../domain/notice/outcome.js';
import { composeMessage } from './compose-message.js';
import type { Mailer } from './mailer.js';

const connections = 5;
const connectLimitMs = 10_000;

/**
 * Sends mails over at most 5 connections that are kept for a while. What the URL says in its query
 * is nodemailer's, such as `?requireTLS=true`; with a user name the connection must be encrypted.
 */
export function smtpMailer(from: string, smtpUrl: string, timeoutMs: number): Mailer {
  const transport = transportTo(smtpUrl, timeoutMs);
  return {
    destination: destinationOf(smtpUrl),
    slots: connections,
    async send(mail, stopping) {
      // Not the socket's own limit alone: a server may trickle its answers for ever.
      const limit = AbortSignal.timeout(timeoutMs);
      const signal = AbortSignal.any([limit, stopping]);
      try {
        await transport.sendMail({ ...composeMessage(mail, from), signal });
        return { kind: 'sent' };
      } catch (error) {
        if (limit.aborted)
          return { kind: 'failed', reason: 'timeout', detail: 'no answer in time' };
        return outcomeOf(error as SmtpError);
      }
    },
    close: () => transport.close({ force: true }),
  };
}

/**
 * Connects, and logs in when a user name is given; sends nothing.
 * @returns where mails go, without credentials
 * @throws Error when the server does not take us
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
    // Only for a kept connection that the server has closed meanwhile.
    maxRequeues: 1,
    requireTLS: new URL(smtpUrl).username !== '',
    connectionTimeout: phaseMs,
    dnsTimeout: phaseMs,
    greetingTimeout: phaseMs,
    socketTimeout: timeoutMs,
  });
}

function destinationOf(smtpUrl: string): string {
  const { protocol, host } = new URL(smtpUrl);
  return `${protocol}//${host}`;
}

/** What nodemailer adds to its errors. */
export interface SmtpError extends Error {
  readonly code?: string;
  /** What was sent last, such as `RCPT TO`. */
  readonly command?: string;
  readonly responseCode?: number;
  /** What the server said. */
  readonly response?: string;
}

/** Replies to RCPT TO that tell of the mailbox (RFC 5321, section 4.2.3; RFC 7504). */
const noSuchMailbox = new Set([550, 551, 553, 556]);
/** Enhanced codes that tell of a policy, such as a refused relay, and not of the mailbox (RFC 3463). */
const policy = /^\d{3}[ -]5\.7\./;

/**
 * Only a mailbox that does not exist is refused for good. All else, wrong settings of ours included,
 * may succeed later.
 */
export function outcomeOf(error: SmtpError): NoticeOutcome {
  const { code, command, responseCode, response = '', message } = error;
  const reason = [code ?? 'fault', command, responseCode].filter(Boolean).join(' ');
  const refused =
    command === 'RCPT TO' && noSuchMailbox.has(responseCode ?? 0) && !policy.test(response);
  return { kind: refused ? 'refused' : 'failed', reason, detail: response || message };
}
