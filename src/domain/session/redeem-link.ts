import { timingSafeEqual } from 'node:crypto';
import type { Read, Statement, Tx } from '../transaction/tx.js';
import { hashSecret, isSecretToken, normalizeCode } from './secret-tokens.js';
import { assertLinksSignIn } from './sign-in-links.js';

/** After this many wrong codes from one browser, no code opens its links. */
const maxTries = 5;

/** The member whom a redeemed link signs in. */
export interface LinkHolder {
  readonly linkId: string;
  readonly accountId: string;
  readonly memberId: string;
}

/** Why a link or a code opens no session. */
export type LinkRefusal =
  /** It was used, has expired, or never existed. */
  | { readonly refused: 'link_expired' }
  /** It belongs to another browser, and stays unused. */
  | { readonly refused: 'other_browser' }
  /** The browser has this many tries left. */
  | { readonly refused: 'wrong_code'; readonly triesLeft: number };

/**
 * In SQL: whether a link `l` is unused and valid. Erasing an account deletes its links, but not one that another
 * transaction is just creating, so the account is checked here. A link for an address without a member has none.
 */
const isOpen = `l.used_at is null and l.expires_at > now()
  and not exists (select from account a where a.id = l.account_id and a.erased_at is not null)`;

/**
 * In SQL: whether a link `l` may be used, where `only` is whether members sign in at the OpenID provider only. The
 * links that a sign-in there creates are bound to a browser and have no code.
 */
const mayBeUsed = (only: string) =>
  `(not ${only}::boolean or (l.browser_sha256 is not null and l.code_sha256 is null))`;

const redeemStatement: Statement = {
  name: 'sign_in_link_redeem',
  text: `
    update sign_in_link l set used_at = now()
     where l.token_sha256 = $1 and ${isOpen}
       and l.member_id is not null and (l.browser_sha256 is null or l.browser_sha256 = $2)
       and ${mayBeUsed('$3')}
    returning l.id as "linkId", l.account_id as "accountId", l.member_id as "memberId"`,
};

const isOpenStatement: Statement = {
  name: 'sign_in_link_is_open',
  text: `select true as open from sign_in_link l
          where l.token_sha256 = $1 and ${isOpen} and ${mayBeUsed('$2')}`,
};

const isUnusedStatement: Statement = {
  name: 'sign_in_link_is_unused',
  text: `select true as open
           from sign_in_link f join sign_in_link l on l.browser_sha256 = f.browser_sha256
          where f.id = $1 and ${isOpen} limit 1`,
};

/** Locks in the order of ids, so that two concurrent tries wait and do not deadlock. */
const ofBrowserStatement: Statement = {
  name: 'sign_in_link_of_browser',
  text: `select l.id, l.account_id as "accountId", l.member_id as "memberId",
                l.code_sha256 as "codeSha256", l.tries
           from sign_in_link l
          where l.browser_sha256 = $1 and l.code_sha256 is not null and ${isOpen}
          order by l.id for update`,
};

const useStatement: Statement = {
  name: 'sign_in_link_use',
  text: `update sign_in_link set used_at = now() where id = $1 returning id`,
};

const countTryStatement: Statement = {
  name: 'sign_in_link_count_try',
  text: `update sign_in_link set tries = tries + 1 where browser_sha256 = $1 returning id`,
};

/** An open link of the browser that sends a code. */
export interface OpenLink {
  readonly id: string;
  readonly accountId: string | null;
  readonly memberId: string | null;
  readonly codeSha256: Buffer;
  readonly tries: number;
}

/**
 * Redeems the link with this token. Of several concurrent calls, exactly one gets its holder.
 * @param browser the secret in the cookie of the browser; undefined without a cookie
 */
export async function redeemToken(
  tx: Tx,
  token: string,
  browser: string | undefined,
): Promise<LinkHolder | LinkRefusal> {
  if (!isSecretToken(token)) return { refused: 'link_expired' };
  const hash = hashSecret(token);
  const { signInByProviderOnly } = tx.rules;
  const browserHash = browser === undefined ? null : hashSecret(browser);
  const values = [hash, browserHash, signInByProviderOnly];
  const [holder] = await tx.sql<LinkHolder>(redeemStatement, values);
  if (holder) return holder;

  const open = await tx.sql(isOpenStatement, [hash, signInByProviderOnly]);
  return { refused: open.length > 0 ? 'other_browser' : 'link_expired' };
}

/**
 * Redeems the link whose mail has this code. Commit the transaction also after a refusal, because it counts the
 * wrong code.
 * @throws DomainError forbidden where members sign in at the provider only
 */
export async function redeemCode(
  tx: Tx,
  code: string,
  browser: string,
): Promise<LinkHolder | LinkRefusal> {
  assertLinksSignIn(tx);
  const links = await tx.sql<OpenLink>(ofBrowserStatement, [hashSecret(browser)]);
  const decided = decideCode(links, hashSecret(normalizeCode(code)));
  if ('link' in decided) {
    await tx.sql(useStatement, [decided.link]);
    return { linkId: decided.link, ...decided.holder };
  }
  if (decided.refused === 'wrong_code') await tx.sql(countTryStatement, [hashSecret(browser)]);
  return decided;
}

/**
 * Decides which link a code opens.
 * @param links the open links of the browser
 */
export function decideCode(
  links: readonly OpenLink[],
  codeSha256: Buffer,
): { readonly link: string; readonly holder: Omit<LinkHolder, 'linkId'> } | LinkRefusal {
  const tries = Math.max(0, ...links.map((link) => link.tries));
  if (links.length === 0 || tries >= maxTries) return { refused: 'link_expired' };
  const link = links.find((candidate) => timingSafeEqual(candidate.codeSha256, codeSha256));
  if (link?.accountId != null && link.memberId !== null) {
    const { id, accountId, memberId } = link;
    return { link: id, holder: { accountId, memberId } };
  }
  return { refused: 'wrong_code', triesLeft: maxTries - tries - 1 };
}

/**
 * Whether a mail is still worth sending, because one of its links is open.
 * @param id the id of its first link
 */
export async function isLinkOpen(read: Read, id: string): Promise<boolean> {
  return (await read.sql(isUnusedStatement, [id])).length > 0;
}
