import { errorMessage } from '../../src/process/explain-error.js';
import { checkSmtp } from '../../src/mail/smtp-mailer.js';
import type { Finding } from './finding.js';

const timeoutMs = 3_000;

/** Checks that the mail server responds and accepts our password. Sends no mail. */
export async function checkMail(smtpUrl: string): Promise<Finding> {
  try {
    const destination = await checkSmtp(smtpUrl, timeoutMs);
    return { subject: 'mail', level: 'ok', detail: `${destination} accepts mail` };
  } catch (error) {
    const detail = `cannot send mail (${errorMessage(error)}); notices wait until the mail server works`;
    return { subject: 'mail', level: 'error', detail };
  }
}
