import { emailIssues } from '../email.js';
import { DomainError, validationFailed } from '../errors.js';
import { makeId } from '../id.js';
import type { SignInMail } from '../notice/sign-in-mail.js';
import type { Statement, Tx } from '../tx.js';
import { hashSecret, makeCode, makeSecretToken } from './secret-tokens.js';
import { signInUrl } from './sign-in-url.js';

/** How long a link opens a session. */
export const linkLifetimeMs = 15 * 60_000;

/** One address may be a member of this many accounts and sign in to each. */
const maxAccounts = 10;

/** Requests that mail an address within 15 minutes; its other mails stay below 20 an hour, too. */
const requestsPerAddress = 3;

/**
 * Writes a link and its mail for each account of an address. An address without a member gets a row
 * that opens nothing: known and unknown addresses cost the same, and their codes are refused alike.
 * Members that were made for a credential have no mailbox.
 * The offset keeps the planner from reading all members in the order of their ids.
 */
const requestStatement: Statement = {
  name: 'sign_in_link_request',
  text: `
    with recent as (
      select count(distinct l.browser_sha256) as requests from sign_in_link l
       where l.address_sha256 = $1 and l.created_at > $3::timestamptz - interval '15 minutes'
    ), holder as (
      select row_number() over (order by m.id) as place, m.id, m.account_id, m.email, a.name
        from (select * from (
                select * from member
                 where lower(email collate "C") = lower($2::text collate "C") offset 0) own
               where own.is_person
                 and exists (select from account a where a.id = own.account_id and a.erased_at is null)
               order by own.id limit $5) m
        join account a on a.id = m.account_id
    ), link as (
      select p.*, h.id as member_id, h.account_id, h.email, h.name
        from unnest($7::text[], $8::bytea[], $9::bytea[], $10::text[], $11::text[], $12::text[])
             with ordinality p (id, token_sha256, code_sha256, notice_id, message_id, sealed, place)
        left join holder h on h.place = p.place
       where (p.place = 1 or h.id is not null) and (select requests from recent) < $6
    ), mail as (
      insert into notice
        (id, account_id, kind, resource_id, data, recipient, message_id, created_at, due_at)
      select l.notice_id, l.account_id, 'sign_in_link', l.id,
             jsonb_build_object('account', l.name, 'sealed', l.sealed, 'keyId', $13::text),
             l.email, l.message_id, $3, $3
        from link l where l.member_id is not null
    )
    insert into sign_in_link
      (id, account_id, member_id, token_sha256, code_sha256, browser_sha256, address_sha256,
       created_at, expires_at)
    select l.id, l.account_id, l.member_id, l.token_sha256, l.code_sha256, $14, $1, $3, $4
      from link l
    returning id`,
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
}

/**
 * Mails one link with a code for each account that the address is a member of. The answer is the same
 * for an address without a member, which gets no mail.
 * @returns false when the address has had its mails of the last 15 minutes, member or not
 * @throws DomainError validation_failed, forbidden
 */
export async function requestLinks(tx: Tx, { email, browser }: LinkRequest): Promise<boolean> {
  assertLinksSignIn(tx);
  const issues = emailIssues('email', email);
  if (issues.length > 0) throw validationFailed(issues);
  const expiresAt = new Date(tx.now.getTime() + linkLifetimeMs);
  const prepared = Array.from({ length: maxAccounts }, () => prepare(tx));
  const made = await tx.sql(requestStatement, [
    ...[hashAddress(email), email, tx.now, expiresAt, maxAccounts, requestsPerAddress],
    prepared.map(({ id }) => id),
    prepared.map(({ token }) => hashSecret(token)),
    prepared.map(({ code }) => hashSecret(code)),
    prepared.map(({ notice }) => notice),
    prepared.map(({ messageId }) => messageId),
    prepared.map(({ sealed }) => sealed),
    ...[tx.rules.sealer.newestKeyId, hashSecret(browser)],
  ]);
  // Without a mail too, so that an unknown address takes as long.
  tx.wake({ kind: 'notify' });
  return made.length > 0;
}

function prepare({ now, rules }: Tx) {
  const [id, notice] = [makeId('lnk', now), makeId('ntc', now)];
  const [token, code] = [makeSecretToken(), makeCode()];
  const messageId = `<${notice}@${new URL(rules.baseUrl).hostname}>`;
  const mail: SignInMail = { url: signInUrl(rules.baseUrl, token), code };
  const { sealed } = rules.sealer.seal(JSON.stringify(mail), id);
  return { id, notice, messageId, token, code, sealed: sealed.toString('base64') };
}

/** In lower case, so that spellings of one mailbox share its limit. */
function hashAddress(email: string): Buffer {
  return hashSecret(email.toLowerCase());
}
