import { join } from 'node:path';
import { fileMailer } from './file-mailer.js';
import type { Mailer } from './mailer.js';
import { smtpMailer } from './smtp-mailer.js';

/** The settings of a mailer. */
export interface MailerOptions {
  /** Without it, the mailer writes files into the folder `mail` of `dataDir`, which mailWarning names. */
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string;
  readonly dataDir: string;
  /** One timeout covers one mail, from the connection to the server's last reply. */
  readonly timeoutMs: number;
}

/** Makes a mailer of these settings; it connects when it sends the first mail. */
export function createMailer({ smtpUrl, mailFrom, dataDir, timeoutMs }: MailerOptions): Mailer {
  return smtpUrl === undefined
    ? fileMailer(mailFrom, join(dataDir, 'mail'))
    : smtpMailer(mailFrom, smtpUrl, timeoutMs);
}
