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

/** What only the mail says: how to sign in to the account that its notice names, and to others. */
export interface SignInMail {
  readonly url: string;
  readonly code: string;
  /** Absent in mails of the release before. */
  readonly others?: readonly AccountLink[];
}

/** How to sign in to one account. */
interface AccountLink {
  /** The name of the account. */
  readonly account: string;
  readonly url: string;
  readonly code: string;
}

/**
 * Renders the mail of a link.
 * @throws CannotOpen
 */
export function signInMail(
  { resourceId, data }: { readonly resourceId: string; readonly data: SignInRequested },
  sealer: Sealer,
): { readonly subject: string; readonly text: string } {
  const sealed = { keyId: data.keyId, sealed: Buffer.from(data.sealed, 'base64') };
  const mail = JSON.parse(sealer.open(sealed, resourceId)) as SignInMail;
  const { url, code, others = [] } = mail;
  const account = toSingleLine(data.account);
  if (others.length > 0) return mailOfSeveral([{ account: data.account, url, code }, ...others]);

  return {
    subject: `Sign in to ${account}`,
    text: joinLines(
      `Open this link in the browser that asked for it, to sign in to the dashboard of ${account}:`,
      '',
      url,
      '',
      'Or type this code on the page that waits:',
      '',
      `    ${code}`,
      '',
      'Link and code work once, within 15 minutes.',
      'If you did not ask for this mail, ignore it.',
    ),
  };
}

function mailOfSeveral(links: readonly AccountLink[]): {
  readonly subject: string;
  readonly text: string;
} {
  return {
    subject: `Sign in to one of ${links.length} accounts`,
    text: joinLines(
      `This address is a member of several accounts. Open the link of the one that you want, in the browser`,
      'that asked for it. Or type its code on the page that waits.',
      ...links.flatMap(({ account, url, code }) => [
        '',
        `${toSingleLine(account)}:`,
        url,
        `    ${code}`,
      ]),
      '',
      'Links and codes work once, within 15 minutes.',
      'If you did not ask for this mail, ignore it.',
    ),
  };
}
