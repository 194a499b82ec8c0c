import { emailIssues, mailboxIn, mailboxOf } from '../email.js';
import { makeId } from '../id.js';
import type { Statement, Tx } from '../tx.js';
import { accountOrder, accountsPerRequest } from './request-links.js';
import { hashSecret, makeSecretToken } from './secret-tokens.js';
import { SignInLink } from './sign-in-link.entity.js';

/** Whom an OpenID provider has signed in. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  /** Only if the provider has verified it. */
  readonly email: string | undefined;
}

/** A link that signs its holder in to one account. */
export interface AccountLink {
  /** The name of the account. */
  readonly account: string;
  readonly token: string;
}

/** The browser that comes from the provider uses its link at once, or chooses an account first. */
const lifetimeMs = 5 * 60_000;

/** In SQL: when this person got links within an hour. */
const signIns = `array(
  select distinct l.created_at from member_identity i join sign_in_link l on l.member_id = i.member_id
   where i.issuer = $1 and i.subject = $2 and l.created_at > $4::timestamptz - interval '1 hour')`;

/**
 * Members are found by issuer and subject. A verified address finds more, but only those that get this
 * identity now: a member has one for each issuer. So an address that a provider gives to another
 * person later opens nothing.
 * The offset keeps the planner from reading all members in the order of their ids.
 */
const membersStatement: Statement = {
  name: 'member_identity_find',
  text: `
    with known as (
      select i.member_id from member_identity i where i.issuer = $1 and i.subject = $2
    ), named as (
      select own.id, own.account_id from (
        select m.* from member m
         where ${mailboxIn('email', 'm.')} = $3 offset 0) own
       where own.is_person
         and exists (select from account a where a.id = own.account_id and a.erased_at is null)
         and not exists (select from member_identity i where i.member_id = own.id and i.issuer = $1)
       order by ${accountOrder('own', '$4', signIns)} limit $5
    ), added as (
      insert into member_identity (account_id, member_id, issuer, subject, created_at)
      select n.account_id, n.id, $1, $2, $4 from named n
      on conflict do nothing returning member_id
    )
    select m.id as "memberId", m.account_id as "accountId", a.name
      from unnest(array(select member_id from known union select member_id from added)) f (id)
     cross join lateral (select * from member where id = f.id limit 1) m
     cross join lateral (
       select * from account where id = m.account_id and erased_at is null limit 1) a
     order by ${accountOrder('m', '$4', signIns)} limit $5`,
};

interface MemberRow {
  readonly memberId: string;
  readonly accountId: string;
  readonly name: string;
}

/**
 * Makes a link for each account of which this person is a member. It works once, within 5 minutes.
 * @param browser the secret in the cookie of the browser, to which the links are bound
 * @returns no link for a person who is not a member: signing in makes no members
 */
export async function linksOfIdentity(
  tx: Tx,
  identity: Identity,
  browser: string,
): Promise<AccountLink[]> {
  const { issuer, subject, email } = identity;
  const address =
    email !== undefined && emailIssues('email', email).length === 0 ? mailboxOf(email) : null;
  const members = await tx.sql<MemberRow>(membersStatement, [
    issuer,
    subject,
    address,
    tx.now,
    accountsPerRequest,
  ]);
  const links: AccountLink[] = [];
  for (const { memberId, accountId, name } of members) {
    const token = makeSecretToken();
    await tx.manager.insert(SignInLink, {
      id: makeId('lnk', tx.now),
      accountId,
      memberId,
      tokenSha256: hashSecret(token),
      browserSha256: hashSecret(browser),
      createdAt: tx.now,
      expiresAt: new Date(tx.now.getTime() + lifetimeMs),
    });
    links.push({ account: name, token });
  }
  return links;
}
