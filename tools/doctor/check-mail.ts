import { errorMessage } from '../../src/process/explain-error.js';
import { checkSmtp } from '../../src/mail/mailer.js';
import { type Finding, ok, problem } from './finding.js';

const timeoutMs = 3_000;

/** Checks that the mail server responds and accepts our password. Sends no mail. */
export async function checkMail(smtpUrl: string): Promise<Finding> {
  try {
    return ok('mail', `${await checkSmtp(smtpUrl, timeoutMs)} accepts mail`);
  } catch (error) {
    return problem(
      'mail',
      `cannot send mail (${errorMessage(error)}); notices wait until the mail server works`,
    );
  }
}
