import type { Database } from '../../src/database/database.js';
import { createAccount, createMember } from '../../src/domain/account/accounts.js';
import type { Role } from '../../src/domain/account/permission.js';
import type { SignInMail } from '../../src/domain/notice/mail.js';
import { hashSecret } from '../../src/domain/session/secret-tokens.js';
import {
  printLink,
  type LinkRequest,
  requestLinks,
} from '../../src/domain/session/sign-in-links.js';
import { openSession } from '../../src/domain/session/sessions.js';
import { redeemCode, redeemToken } from '../../src/domain/session/redeem-link.js';
import { DashboardClient } from './dashboard-client.js';
import type { TestDatabase } from './database.js';

/** The secret of the browser that asks. */
export const browser = 'b'.repeat(43);

/** What a mail to sign in says of one account, and to whom. */
export interface SentLink {
  readonly url: string;
  readonly token: string;
  readonly code: string;
  readonly to: string;
}

/** Signs members in, without HTTP where nothing else is said. */
export class SignIn {
  readonly #test: TestDatabase;
  readonly #database: Database;

  constructor(test: TestDatabase, database: Database) {
    this.#test = test;
    this.#database = database;
  }

  async account(name = 'Shop'): Promise<string> {
    return (await this.#database.transact((tx) => createAccount(tx, { name }))).id;
  }

  async member(account: string, email: string, role: Role = 'owner'): Promise<string> {
    return (await this.#database.transact((tx) => createMember(tx, { account, email, role }))).id;
  }

  /** Asks for a mail. @returns whether it is sent */
  async request(email: string, from = browser, changes: Partial<LinkRequest> = {}) {
    return (await this.refusal(email, from, changes)) === undefined;
  }

  /** Asks for a mail from one network, unless told otherwise. @returns why it is not sent */
  refusal(email: string, from = browser, changes: Partial<LinkRequest> = {}) {
    return this.#database.transact((tx) =>
      requestLinks(tx, {
        email,
        browser: from,
        networks: ['192.0.2.1'],
        knownBrowser: undefined,
        ...changes,
      }),
    );
  }

  /** Ten accounts that have the address too. */
  async tenAccountsAdd(email: string): Promise<void> {
    for (let count = 0; count < 10; count += 1) {
      await this.member(await this.account(`Stranger ${count}`), email);
    }
  }

  /** The accounts to which the links lead. */
  async accountsOf(tokens: readonly string[]): Promise<string[]> {
    const rows = await this.#test.query<{ account_id: string }>(
      'select account_id from sign_in_link where token_sha256 = any ($1)',
      [tokens.map(hashSecret)],
    );
    return rows.map(({ account_id }) => account_id);
  }

  byToken(token: string, from: string | undefined) {
    return this.#database.transact((tx) => redeemToken(tx, token, from));
  }

  byCode(code: string, from = browser) {
    return this.#database.transact((tx) => redeemCode(tx, code, from));
  }

  /** Opens a session and returns its cookie. */
  session(accountId: string, memberId: string, replaced?: string): Promise<string> {
    const signing = { userAgent: 'Chrome', replaced };
    return this.#database.transact((tx) =>
      openSession(tx, { linkId: 'lnk_1', accountId, memberId }, signing),
    );
  }

  /** The token of a printed link. */
  async printed(member: string): Promise<string> {
    const url = await this.#database.transact((tx) => printLink(tx, member));
    return new URL(url).hash.slice(1);
  }

  /** Signs a member in with this browser. */
  async into(browser: DashboardClient, member: string): Promise<void> {
    const token = await this.printed(member);
    const headers = { 'user-agent': 'Firefox' };
    const opened = await browser.send('POST', '/session', { token }, headers);
    if (opened.status !== 200) throw new Error(opened.text);
  }

  /** A browser in which a new member is signed in. */
  async browser(server: { readonly address: string }, account: string, role: Role = 'owner') {
    const member = await this.member(account, 'ann@shop.example', role);
    const browser = new DashboardClient(server.address);
    await this.into(browser, member);
    return { member, browser };
  }

  /** What the mails say that are enqueued, account by account. */
  async mails(): Promise<SentLink[]> {
    const rows = await this.#test.query<{
      link: string;
      to: string;
      data: { keyId: string; sealed: string };
    }>('select resource_id as link, recipient as to, data from notice order by id');
    return rows.flatMap(({ link, to, data: { keyId, sealed } }) => {
      const secret = { keyId, sealed: Buffer.from(sealed, 'base64') };
      const mail = JSON.parse(this.#database.read.rules.sealer.open(secret, link)) as SignInMail;
      const { others = [], ...first } = mail;
      return [first, ...others].map(({ url, code }) => {
        const token = new URL(url).hash.slice(1);
        return { url, code, to, token };
      });
    });
  }

  async mail(): Promise<SentLink> {
    const [mail] = await this.mails();
    if (!mail) throw new Error('no mail is enqueued');
    return mail;
  }
}
