import { join } from 'node:path';
import { fileMailer } from './file-mailer.js';
import type { Mailer } from './mailer.js';
import { smtpMailer } from './smtp-mailer.js';

/** How mails are sent. */
export interface MailerOptions {
  /** Undefined: as files in `dataDir`. */
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string;
  readonly dataDir: string;
  /** For one mail, from the connection to the server's last answer. */
  readonly timeoutMs: number;
}

/** A mailer of these settings; it connects when there is something to send. */
export function createMailer({ smtpUrl, mailFrom, dataDir, timeoutMs }: MailerOptions): Mailer {
  return smtpUrl === undefined
    ? fileMailer(mailFrom, join(dataDir, 'mail'))
    : smtpMailer(mailFrom, smtpUrl, timeoutMs);
}
