import { emailIssues, mailboxIn, mailboxOf, storedMailbox } from '../email.js';
import { DomainError, validationFailed } from '../errors.js';
import { makeId } from '../id.js';
import type { SignInMail, SignInRequested } from '../notice/sign-in-mail.js';
import type { Statement, Tx } from '../tx.js';
import { hashSecret, makeCode, makeSecretToken } from './secret-tokens.js';
import { signInUrl } from './sign-in-url.js';

// Anyone may ask for a mail to anyone's address, so what strangers ask for must not keep its owner out. A
// stranger is counted by network, and a part of the mails is for networks that asked little. A browser that
// has signed the address in before is counted by itself and waits for no stranger.
//
// A request mails one message with a link for each account of the address, so that the limits of requests are
// those of mails. All rows of a request have its browser; an address without a member gets one row that opens
// nothing. Known and unknown addresses run the same statements and are refused alike.

/** How long a link opens a session. */
export const linkLifetimeMs = 15 * 60_000;

/** A mail has the links of this many accounts. Those that it leaves out come first in the next one. */
export const accountsPerRequest = 10;
const recentAccounts = 5;

const windowMs = 15 * 60_000;
const hourMs = 60 * 60_000;
/** In {@link windowMs}: of an IPv6 network of twice the size twice as many, and so on. */
const requestsPerNetwork = 3;
/** In {@link windowMs}, of a browser that has signed the address in before. */
const requestsPerKnownBrowser = 3;
/** In an hour, of all strangers. */
const requestsPerAddress = 20;
/** Of these; the others are for networks that asked little for this address within the hour. */
const sharedRequests = 10;

/** Requests for the mails of one address queue here: each counts what the one before has stored. */
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

/**
 * In SQL: in which order the accounts of an address get links, of members `m`. The {@link recentAccounts} come
 * first that it signed in to last. Of the others those come first that got the fewest links within an hour, then
 * those that it signed in to last, then the youngest. So accounts that add the address hide none of its own. A mail
 * before the membership counts as a link, or an account that adds the address again after each mail would stay first.
 * @param now the placeholder of the present
 * @param mails in SQL: when the address got mails within an hour, an array
 */
export function accountOrder(m: string, now: string, mails: string): string {
  return `
    case when row_number() over (order by ${m}.signed_in_at desc nulls last) <= ${recentAccounts}
         then ${m}.signed_in_at end desc nulls last,
    (select count(*) from sign_in_link l
      where l.member_id = ${m}.id and l.created_at > ${now}::timestamptz - interval '1 hour')
      + (select count(*) from unnest(${mails}) mail (at) where mail.at < ${m}.created_at),
    ${m}.signed_in_at desc nulls last, ${m}.id desc`;
}

/** The offset keeps the planner from reading all members in the order of their ids. */
const holdersStatement: Statement = {
  name: 'sign_in_link_holders',
  text: `
    select m.id as "memberId", m.account_id as "accountId", m.email, a.name as account
      from (
        select c.*, row_number() over () as place
          from (select own.* from (
                  select * from member where ${mailboxIn('email')} = $1 offset 0) own
                 where own.is_person
                   and exists (select from account a where a.id = own.account_id and a.erased_at is null)
                 order by ${accountOrder('own', '$2', '$4::timestamptz[]')} limit $3) c) m
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
 * Refuses to make a link, or to take its code, where members sign in at the provider only.
 * @throws DomainError forbidden
 */
export function assertLinksSignIn({ rules }: Pick<Tx, 'rules'>): void {
  if (!rules.signInByProviderOnly) return;
  throw new DomainError('forbidden', 'Members sign in at the OpenID provider only (OIDC_ONLY).');
}

/** Who asks for a link. */
export interface LinkRequest {
  readonly email: string;
  /** The secret in the cookie of the browser, to which the links are bound. */
  readonly browser: string;
  /** The networks of the client, narrowest first. */
  readonly networks: readonly string[];
  /** The id of the browser if it has signed the address in before. */
  readonly knownBrowser: string | undefined;
}

/** Why an address gets no mail now. */
export interface RequestRefusal {
  /** Which limit is reached: of the network, of all strangers, or of the browser that is known. */
  readonly limit: 'network' | 'address' | 'browser';
  readonly retryAfterMs: number;
}

/**
 * Mails a link with a code for each account that the address is a member of, all in one mail. The answer is
 * the same for an address without a member, which gets no mail.
 * @returns a refusal when a limit is reached, member or not
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
  const known = knownBrowser === undefined ? null : hashSecret(knownBrowser);
  const lock = known ?? address;
  await tx.sql(lockStatement, [lock.toString('hex')]);

  const past = await tx.sql<PastRequest>(pastStatement, [address, tx.now]);
  const refusal = decideRequest(past, {
    networks,
    knownBrowser: known?.toString('hex') ?? null,
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
    known,
    tx.now,
    new Date(tx.now.getTime() + linkLifetimeMs),
    mail.id,
    JSON.stringify(mail.data),
    recipient ?? null,
    mail.messageId,
    recipient === undefined ? null : storedMailbox(recipient),
  ]);
  // Without a mail too, so that an unknown address takes as long.
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

/** Makes the mail of these links. It belongs to the first account, and names the others only sealed. */
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

/** A request for the mail of an address within the last hour. */
export interface PastRequest {
  readonly networks: readonly string[] | null;
  /** The hash of a browser that had signed the address in before. */
  readonly knownBrowser: string | null;
  readonly ageMs: number;
}

/** Decides whether an address gets one more mail. @param past its requests of the last hour */
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
    const own = newestFirst.filter((request) => request.knownBrowser === knownBrowser);
    return refuseBeyond(own, requestsPerKnownBrowser, windowMs, 'browser');
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

/** Spellings of one address have one hash, and share its limit. */
export function hashAddress(email: string): Buffer {
  return hashSecret(mailboxOf(email));
}
