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
import { DashboardClient } from './dashboard.js';
import type { TestDatabase } from './database.js';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import { testAuthority } from './authority.js';

/** The secret of the browser that asks. */
export const browser = 'b'.repeat(43);

/** The link to one account in a sign-in mail, and its recipient. */
interface SentLink {
  readonly url: string;
  readonly token: string;
  readonly code: string;
  readonly to: string;
}

/** Signs members in. Only `into` and `browser` use HTTP. */
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

  /** Creates ten more accounts that have a member with the address. */
  async tenAccountsAdd(email: string): Promise<void> {
    for (let count = 0; count < 10; count += 1) {
      await this.member(await this.account(`Stranger ${count}`), email);
    }
  }

  /** Returns the accounts to which the links lead. */
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

  /** Prints a link as an operator does. @returns its token */
  async printed(member: string): Promise<string> {
    const url = await this.#database.transact((tx) => printLink(tx, member));
    return new URL(url).hash.slice(1);
  }

  /** Signs a member in with a browser, over HTTP. */
  async into(browser: DashboardClient, member: string): Promise<void> {
    const token = await this.printed(member);
    const headers = { 'user-agent': 'Firefox' };
    const opened = await browser.send('POST', '/session', { token }, headers);
    if (opened.status !== 200) throw new Error(opened.text);
  }

  /** Returns a browser in which a new member is signed in. */
  async browser(server: { readonly address: string }, account: string, role: Role = 'owner') {
    const member = await this.member(account, 'ann@shop.example', role);
    const browser = new DashboardClient(server.address);
    await this.into(browser, member);
    return { member, browser };
  }

  /** Returns the links of the enqueued mails, account by account. */
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

/** A person whom the provider knows by the name typed at its login. */
interface ProviderPerson {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
}

/** An OpenID provider on this machine. */
export interface OpenIdProvider {
  readonly issuer: string;
  /** Settings of a service that signs members in here. */
  readonly environment: Readonly<Record<string, string>>;
  /** The people by the name that they type. */
  readonly people: Map<string, ProviderPerson>;
  /** Lets this service send browsers; set it before the first one comes. */
  readonly redirectUris: string[];
  close(): Promise<void>;
}

const clientId = 'signalpost';
const clientSecret = 'a secret that only the service and the provider have';

/**
 * Starts a provider that asks for a name and any password.
 * @param claimsInToken whether the address is in the ID token; else the service has to ask for it
 */
export async function startOpenIdProvider({ claimsInToken = false } = {}): Promise<OpenIdProvider> {
  let handle: ReturnType<Provider['callback']> | undefined;
  const authority = await testAuthority();
  const server = createServer(
    await authority.issue(),
    (request, response) => void handle?.(request, response),
  );

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const issuer = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const people = new Map<string, ProviderPerson>();
  const redirectUris: string[] = [];

  // The provider is created at the first request, because the service chooses its port when it starts.
  const make = () =>
    new Provider(issuer, {
      clients: [
        {
          client_id: clientId,
          client_secret: clientSecret,
          redirect_uris: redirectUris,
          token_endpoint_auth_method: 'client_secret_post',
        },
      ],
      claims: { openid: ['sub'], email: ['email', 'email_verified'] },
      conformIdTokenClaims: !claimsInToken,
      cookies: { keys: ['of the test'] },
      pkce: { required: () => true },
      findAccount: (_context, name) => {
        const person = people.get(name);
        return person && accountOf(name, person);
      },
      // The person agrees.
      loadExistingGrant: async ({ oidc }) => {
        const grant = new oidc.provider.Grant({
          clientId,
          ...(oidc.session?.accountId !== undefined && { accountId: oidc.session.accountId }),
        });
        grant.addOIDCScope('openid email');
        await grant.save();
        return grant;
      },
    });

  handle = (request, response) => {
    const callback = make().callback();
    handle = callback;
    return callback(request, response);
  };

  return {
    issuer,
    environment: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret,
      NODE_EXTRA_CA_CERTS: authority.caFile,
    },
    people,
    redirectUris,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/**
 * The provider names its person by the id of the account, and keeps that from step to step. So the id is the sub
 * only where claims are made of it: a sub may be one that no provider should have.
 */
function accountOf(name: string, person: ProviderPerson) {
  let isClaim = false;
  return {
    get accountId() {
      const id = isClaim ? person.sub : name;
      isClaim = false;
      return id;
    },
    claims: () => {
      isClaim = true;
      return Promise.resolve({ ...person });
    },
  };
}
