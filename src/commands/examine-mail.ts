import { reasonOf } from '../explain.js';
import { checkSmtp } from '../mail/smtp-mailer.js';
import type { Finding } from './finding.js';

const answerWithinMs = 3_000;

/** Examines the mail server: whether it answers and takes our password. Sends nothing. */
export async function examineMail(smtpUrl: string): Promise<Finding> {
  try {
    const destination = await checkSmtp(smtpUrl, answerWithinMs);
    return { subject: 'mail', level: 'ok', detail: `${destination} accepts mail` };
  } catch (error) {
    const detail = `cannot send mail (${reasonOf(error)}); notices wait until it works`;
    return { subject: 'mail', level: 'error', detail };
  }
}
