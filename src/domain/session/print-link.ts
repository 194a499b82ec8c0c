import { getAccount } from '../account/accounts.js';
import { Member } from '../account/member.entity.js';
import { recordChange } from '../audit/record-change.js';
import { notFound } from '../errors.js';
import { isId, makeId } from '../id.js';
import type { Tx } from '../tx.js';
import { assertLinksSignIn, linkLifetimeMs } from './request-links.js';
import { hashSecret, makeSecretToken } from './secret-tokens.js';
import { SignInLink } from './sign-in-link.entity.js';
import { signInUrl } from './sign-in-url.js';

/**
 * Makes a link that signs a member in once within 15 minutes, in the first browser that opens it. The audit
 * log tells who printed it: who opens it acts as the member.
 * @returns its address, which holds the secret
 * @throws DomainError not_found, forbidden
 */
export async function printLink(tx: Tx, memberId: string): Promise<string> {
  assertLinksSignIn(tx);
  const member = isId('mem', memberId)
    ? await tx.manager.findOneBy(Member, { id: memberId })
    : null;
  if (member === null) throw notFound('member');
  const { id: account } = await getAccount(tx, member.accountId);

  const token = makeSecretToken();
  const id = makeId('lnk', tx.now);
  await tx.manager.insert(SignInLink, {
    id,
    accountId: account,
    memberId: member.id,
    tokenSha256: hashSecret(token),
    createdAt: tx.now,
    expiresAt: new Date(tx.now.getTime() + linkLifetimeMs),
  });
  const changes = [{ field: 'member', to: member.id }];
  recordChange(tx, { action: 'sign_in_link_printed', account, resource: id, changes });

  return signInUrl(tx.rules.baseUrl, token);
}
