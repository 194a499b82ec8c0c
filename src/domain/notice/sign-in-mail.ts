import type { Sealer } from '../sealer.js';
import { joinLines, toSingleLine } from './mail-text.js';

/** A link to sign in as its notice has it: its secrets are sealed for the id of the link. */
export interface SignInRequested {
  /** The name of the account. */
  readonly account: string;
  readonly keyId: string;
  /** Base64 of a {@link SignInMail} as JSON. */
  readonly sealed: string;
}

/** What only the mail says. */
export interface SignInMail {
  readonly url: string;
  readonly code: string;
}

/**
 * Renders the mail of a link.
 * @throws Error when the key ring lacks the key that sealed it
 */
export function signInMail(
  { resourceId, data }: { readonly resourceId: string; readonly data: SignInRequested },
  sealer: Sealer,
): { readonly subject: string; readonly text: string } {
  const sealed = { keyId: data.keyId, sealed: Buffer.from(data.sealed, 'base64') };
  const { url, code } = JSON.parse(sealer.open(sealed, resourceId)) as SignInMail;
  const account = toSingleLine(data.account);
  return {
    subject: `Sign in to ${account}`,
    text: joinLines(
      `Open this link in the browser that asked for it, to sign in to the dashboard of ${account}:`,
      ...['', url, ''],
      'Or type this code on the page that waits:',
      ...['', `    ${code}`, ''],
      'Link and code work once, within 15 minutes.',
      'If you did not ask for this mail, ignore it.',
    ),
  };
}
