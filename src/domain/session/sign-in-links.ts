// Creates links that sign a member in: mailed on request, for the browser that comes back from an OpenID provider,
// or printed by an operator. redeem-link.ts uses them.
//
// Anyone can request a mail to anyone's address, so requests of strangers must not lock its owner out. Strangers
// are limited by network, and part of the mails to an address is reserved for networks that requested few. A
// browser that has signed the address in before has its own limit and does not compete with strangers.
//
// A request sends one mail with a link for each account of the address, so limits of requests are limits of mails.
// All links of a request are bound to its browser. An address without a member gets a row that opens nothing: known
// and unknown addresses run the same statements and get the same answers.
//
// Links and their mail are one transaction; only hashes of the secrets are stored, and the mail is sealed.
import { Member } from '../account/account.entity.js';
import { getAccount } from '../account/accounts.js';
import { recordChange } from '../audit/audit-log.js';
import { DomainError, validationFailed, notFound } from '../errors.js';
import type { SignInMail, SignInRequested } from '../notice/mail.js';
import type { Statement, Tx } from '../transaction/tx.js';
import { emailIssues, mailboxIn, mailboxOf, storedMailbox } from '../values/email.js';
import { makeId, isId } from '../values/id.js';
import { hashSecret, makeCode, makeSecretToken } from './secret-tokens.js';
import { SignInLink } from './session.entity.js';

/** How long a link opens a session. */
export const linkLifetimeMs = 15 * 60_000;

/** One mail has at most this many accounts. The next mail begins with those that it leaves out. */
const accountsPerRequest = 10;
const recentAccounts = 5;

/**
 * Checks that members may sign in by links and codes, and not at the OpenID provider only.
 * @throws DomainError forbidden
 */
export function assertLinksSignIn({ rules }: Pick<Tx, 'rules'>): void {
  if (!rules.signInByProviderOnly) return;
  throw new DomainError('forbidden', 'Members sign in at the OpenID provider only (OIDC_ONLY).');
}

/** A request for a mail with links. */
export interface LinkRequest {
  readonly email: string;
  /** The secret in the cookie of the browser, to which the links are bound. */
  readonly browser: string;
  /** The networks of the client, narrowest first. */
  readonly networks: readonly string[];
  /** The id of the browser, if it has signed the address in before. */
  readonly knownBrowser: string | undefined;
}

/** Why an address gets no mail now. */
export interface RequestRefusal {
  /** Which limit is reached: that of the network, of all strangers for the address, or of the known browser. */
  readonly limit: 'network' | 'address' | 'browser';
  readonly retryAfterMs: number;
}

/** Requests for one address wait for each other here, so that each counts the ones before it. */
const lockStatement: Statement = {
  name: 'sign_in_link_lock',
  text: `select pg_advisory_xact_lock(hashtextextended('sign-in links ' || $1, 0))`,
};

const pastStatement: Statement = {
  name: 'sign_in_link_past',
  text: `
    select distinct on (l.browser_sha256) l.networks,
           encode(l.known_browser_sha256, 'hex') as "knownBrowser",
           (extract(epoch from $2::timestamptz - l.created_at) * 1000)::float8 as "ageMs"
      from sign_in_link l
     where l.address_sha256 = $1 and l.created_at > $2::timestamptz - interval '1 hour'
     order by l.browser_sha256`,
};

/** The offset keeps the planner from reading all members in the order of their ids. */
const holdersStatement: Statement = {
  name: 'sign_in_link_holders',
  text: `
    select m.id as "memberId", m.account_id as "accountId", m.email, a.name as account
      from (
        select c.*, row_number() over () as place
          from (select holder.* from (
                  select * from member where ${mailboxIn('email')} = $1 offset 0) holder
                 where holder.is_person
                   and exists (select from account a where a.id = holder.account_id and a.erased_at is null)
                 order by ${accountOrder('holder', '$2', '$4::timestamptz[]')} limit $3) c) m
     cross join lateral (select name from account where id = m.account_id limit 1) a
     order by m.place`,
};

const insertStatement: Statement = {
  name: 'sign_in_link_insert',
  text: `
    with mail as (
      insert into notice
        (id, account_id, kind, resource_id, data, recipient, mailbox, message_id, created_at, due_at)
      select $12, ($2::text[])[1], 'sign_in_link', ($1::text[])[1], $13::jsonb, $14, $16, $15, $10, $10
       where $14::text is not null
    )
    insert into sign_in_link
      (id, account_id, member_id, token_sha256, code_sha256, browser_sha256, address_sha256,
       networks, known_browser_sha256, created_at, expires_at)
    select l.id, l.account_id, l.member_id, l.token_sha256, l.code_sha256, $6, $7, $8, $9, $10, $11
      from unnest($1::text[], $2::text[], $3::text[], $4::bytea[], $5::bytea[])
        l (id, account_id, member_id, token_sha256, code_sha256)`,
};

/**
 * Sends one mail with a link and a code for each account of which the address is a member. An address without a
 * member gets no mail, and the caller the same answer.
 * @returns a refusal if a limit is reached, member or not
 * @throws DomainError validation_failed, forbidden
 */
export async function requestLinks(
  tx: Tx,
  { email, browser, networks, knownBrowser }: LinkRequest,
): Promise<RequestRefusal | undefined> {
  assertLinksSignIn(tx);

  const issues = emailIssues('email', email);
  if (issues.length > 0) throw validationFailed(issues);

  const address = hashAddress(email);
  const knownBrowserHash = knownBrowser === undefined ? null : hashSecret(knownBrowser);
  const lock = knownBrowserHash ?? address;
  await tx.sql(lockStatement, [lock.toString('hex')]);

  const past = await tx.sql<PastRequest>(pastStatement, [address, tx.now]);
  const refusal = decideRequest(past, {
    networks,
    knownBrowser: knownBrowserHash?.toString('hex') ?? null,
  });
  if (refusal) return refusal;

  const holders = await tx.sql<Holder>(holdersStatement, [
    mailboxOf(email),
    tx.now,
    accountsPerRequest,
    past.map(({ ageMs }) => new Date(tx.now.getTime() - ageMs)),
  ]);

  const links: NewLink[] = (holders.length === 0 ? [undefined] : holders).map((holder) => ({
    id: makeId('lnk', tx.now),
    token: makeSecretToken(),
    code: makeCode(),
    holder,
  }));

  const mail = mailOf(tx, links);
  const recipient = holders[0]?.email;
  await tx.sql(insertStatement, [
    links.map(({ id }) => id),
    links.map(({ holder }) => holder?.accountId ?? null),
    links.map(({ holder }) => holder?.memberId ?? null),
    links.map(({ token }) => hashSecret(token)),
    links.map(({ code }) => hashSecret(code)),
    hashSecret(browser),
    address,
    networks,
    knownBrowserHash,
    tx.now,
    new Date(tx.now.getTime() + linkLifetimeMs),
    mail.id,
    JSON.stringify(mail.data),
    recipient ?? null,
    mail.messageId,
    recipient === undefined ? null : storedMailbox(recipient),
  ]);

  // Also without a mail, so that an unknown address takes as long.
  tx.wake({ kind: 'notify' });

  return undefined;
}

interface Holder {
  readonly memberId: string;
  readonly accountId: string;
  readonly email: string;
  /** The name of the account. */
  readonly account: string;
}

interface NewLink {
  readonly id: string;
  readonly token: string;
  readonly code: string;
  readonly holder: Holder | undefined;
}

/** Composes the mail of these links. It belongs to the first account; the names of the others are sealed. */
function mailOf({ now, rules }: Tx, links: readonly NewLink[]) {
  const { sealer, baseUrl } = rules;
  const [first, ...others] = links.map(({ token, code, holder }) => ({
    account: holder?.account ?? '',
    url: signInUrl(baseUrl, token),
    code,
  }));
  if (!first) throw new Error('A request makes at least one link.');

  const mail: SignInMail = { url: first.url, code: first.code, others };
  const { keyId, sealed } = sealer.seal(JSON.stringify(mail), links[0]?.id ?? '');
  const data: SignInRequested = {
    account: first.account,
    keyId,
    sealed: sealed.toString('base64'),
  };

  const id = makeId('ntc', now);
  return { id, data, messageId: `<${id}@${new URL(baseUrl).hostname}>` };
}

const windowMs = 15 * 60_000;
const hourMs = 60 * 60_000;
/**
 * The narrowest network may request this many mails within {@link windowMs}, wider ones twice and three times as many.
 */
const requestsPerNetwork = 3;
/** A browser that has signed the address in before may request this many mails within {@link windowMs}. */
const requestsPerKnownBrowser = 3;
/** All strangers together may request this many mails to an address within an hour. */
const requestsPerAddress = 20;
/** The rest of these is for networks that requested few mails to this address within the hour. */
const sharedRequests = 10;

/** An earlier request for the same address, within the last hour. */
export interface PastRequest {
  readonly networks: readonly string[] | null;
  /** The hash of the browser, if it had signed the address in before. */
  readonly knownBrowser: string | null;
  readonly ageMs: number;
}

/**
 * Decides whether an address gets another mail.
 * @param past its requests within the last hour
 */
export function decideRequest(
  past: readonly PastRequest[],
  {
    networks,
    knownBrowser,
  }: Pick<PastRequest, 'knownBrowser'> & {
    readonly networks: readonly string[];
  },
): RequestRefusal | undefined {
  const newestFirst = past.toSorted((one, other) => one.ageMs - other.ageMs);

  if (knownBrowser !== null) {
    const ofBrowser = newestFirst.filter((request) => request.knownBrowser === knownBrowser);
    return refuseBeyond(ofBrowser, requestsPerKnownBrowser, windowMs, 'browser');
  }

  const strangers = newestFirst.filter((request) => request.knownBrowser === null);
  const byNetwork = networks.map((network) =>
    strangers.filter((request) => request.networks?.includes(network)),
  );
  for (const [level, requests] of byNetwork.entries()) {
    const most = requestsPerNetwork * (level + 1);
    const refusal = refuseBeyond(requests, most, windowMs, 'network');
    if (refusal) return refusal;
  }

  const askedLittle = byNetwork.every((requests, level) => requests.length <= level);
  const most = askedLittle ? requestsPerAddress : sharedRequests;
  return refuseBeyond(strangers, most, hourMs, 'address');
}

/** @param requests the newest first */
function refuseBeyond(
  requests: readonly PastRequest[],
  most: number,
  withinMs: number,
  limit: RequestRefusal['limit'],
): RequestRefusal | undefined {
  const oldest = requests[most - 1];
  if (!oldest || oldest.ageMs >= withinMs) return undefined;
  return { limit, retryAfterMs: withinMs - oldest.ageMs };
}

/** A person whom an OpenID provider has signed in. */
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

/** The browser that comes back from the provider uses its link at once, or after its user has chosen an account. */
const providerLinkLifetimeMs = 5 * 60_000;

/** In SQL: when this person got links within the last hour. */
const signIns = `array(
  select distinct l.created_at from member_identity i join sign_in_link l on l.member_id = i.member_id
   where i.issuer = $1 and i.subject = $2 and l.created_at > $4::timestamptz - interval '1 hour')`;

/**
 * Finds members by issuer and subject. A verified address finds further members and gives them this identity,
 * unless they have one of this issuer. So an address that the provider later gives to somebody else opens nothing.
 * The offset keeps the planner from reading all members in the order of their ids.
 */
const membersStatement: Statement = {
  name: 'member_identity_find',
  text: `
    with by_identity as (
      select i.member_id from member_identity i where i.issuer = $1 and i.subject = $2
    ), by_address as (
      select holder.id, holder.account_id from (
        select m.* from member m
         where ${mailboxIn('email', 'm.')} = $3 offset 0) holder
       where holder.is_person
         and exists (select from account a where a.id = holder.account_id and a.erased_at is null)
         and not exists (select from member_identity i where i.member_id = holder.id and i.issuer = $1)
       order by ${accountOrder('holder', '$4', signIns)} limit $5
    ), added as (
      insert into member_identity (account_id, member_id, issuer, subject, created_at)
      select n.account_id, n.id, $1, $2, $4 from by_address n
      on conflict do nothing returning member_id
    )
    select m.id as "memberId", m.account_id as "accountId", a.name
      from unnest(array(select member_id from by_identity union select member_id from added)) f (id)
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
 * Creates a link for each account of which this person is a member. Each works once, within 5 minutes.
 * @param browser the secret in the cookie of the browser, to which the links are bound
 * @returns no links for a person who is not a member: signing in creates no members
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
      expiresAt: new Date(tx.now.getTime() + providerLinkLifetimeMs),
    });

    links.push({ account: name, token });
  }

  return links;
}

/**
 * Creates a link that signs a member in once, within 15 minutes, in the first browser that opens it. The audit log
 * records who printed it, because whoever opens it acts as the member.
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

/**
 * In SQL: the order in which the accounts of an address get links, given its members `m`. First come the
 * {@link recentAccounts} that it signed in to most recently. The others follow by the number of links within the
 * last hour (fewest first), the last sign-in and their age (newest first). So accounts that add the address cannot
 * hide its own. A mail from before the membership counts as a link: otherwise an account that removes and adds the
 * address after each mail would stay first.
 * @param now the placeholder of the present
 * @param mails in SQL: an array of the times of mails to the address within the last hour
 */
function accountOrder(m: string, now: string, mails: string): string {
  return `
    case when row_number() over (order by ${m}.signed_in_at desc nulls last) <= ${recentAccounts}
         then ${m}.signed_in_at end desc nulls last,
    (select count(*) from sign_in_link l
      where l.member_id = ${m}.id and l.created_at > ${now}::timestamptz - interval '1 hour')
      + (select count(*) from unnest(${mails}) mail (at) where mail.at < ${m}.created_at),
    ${m}.signed_in_at desc nulls last, ${m}.id desc`;
}

/** All spellings of an address have the same hash, and so share its limits. */
export function hashAddress(email: string): Buffer {
  return hashSecret(mailboxOf(email));
}

/** Returns the URL of a link. Its secret is the fragment, which browsers send to no server. */
function signInUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/dashboard/sign-in#${token}`;
}
