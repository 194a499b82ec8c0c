import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type * as Library from 'openid-client';
import { makeSecretToken } from '../../domain/session/secret-tokens.js';
import {
  type Identity,
  type AccountLink,
  linksOfIdentity,
} from '../../domain/session/sign-in-links.js';
import type { AbortState } from '../../domain/transaction/tx.js';
import { jsonReply, type Reply } from '../exchange.js';
import { ApiError } from '../problems.js';
import { cookieNames, readSecretCookie, setCookie } from './cookies.js';
import type { BrowserOptions } from './sessions.js';

/** The operator's OpenID provider, where people sign in. */
export interface OpenIdOptions {
  readonly issuer: string;
  readonly clientId: string;
  /** Undefined for a public client, which has only PKCE. */
  readonly clientSecret: string | undefined;
  /** The name of the provider on the sign-in page. */
  readonly name: string;
  /** Whether members sign in there only. */
  readonly only: boolean;
  /** Called when the provider does not answer, or sends an invalid answer. */
  readonly onError: (error: unknown) => void;
}

/** What the sign-in page says after a sign-in that failed. */
type Refusal = 'cancelled' | 'no_member' | 'provider_failed' | 'too_late';

/** The path to which the provider sends browsers back; the operator registers it there. */
export const openIdPath = '/dashboard/session/openid';

/** How long a sign-in may take: a person may have to find a second factor, and then chooses an account. */
const attemptSeconds = 900;

/** The requests that begin and end a sign-in at the operator's OpenID provider. */
export function openIdRoutes(
  options: Pick<BrowserOptions, 'transact' | 'limits' | 'origin' | 'addressOf'>,
  {
    client,
    onError,
  }: { readonly client: OpenIdClient; readonly onError: (error: unknown) => void },
) {
  const { transact, limits, origin, addressOf } = options;
  const { browser, secure } = cookieNames(origin);
  const backTo = (fragment: string): Reply => ({
    status: 303,
    headers: {
      Location: `${origin}/dashboard/sign-in#${fragment}`,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
    },
    text: null,
  });

  const refuse = (refusal: Refusal) => backTo(`refused=${refusal}`);

  /** Creates links for the person, in exchange for the code in the query. */
  async function linksFor(
    secret: string,
    search: string,
    signal: AbortState,
  ): Promise<AccountLink[] | Refusal> {
    try {
      const identity = await client.identity(secret, search);
      const links = await transact((tx) => linksOfIdentity(tx, identity, secret), { signal });
      return links.length === 0 ? 'no_member' : links;
    } catch (error) {
      if (error instanceof OpenIdRefusal) return 'cancelled';
      onError(error);
      return 'provider_failed';
    }
  }

  return {
    /** Returns where the page sends the browser. @throws ApiError when the provider is away */
    begin: async (request: IncomingMessage): Promise<Reply> => {
      await limits.admit(addressOf(request));
      const secret = makeSecretToken();
      const url = await client.authorizationUrl(secret).catch((error: unknown) => {
        onError(error);
        const detail = `${client.name} is not responding. Try again in a minute.`;
        throw new ApiError('service_unavailable', detail, { retryAfterSeconds: 30 });
      });
      const cookie = setCookie(browser, secret, { maxAgeSeconds: attemptSeconds, secure });
      return jsonReply(200, { url: url.href }, cookie);
    },
    /** Handles the GET by which the provider sends the browser back. Its cookie shows that this browser began. */
    finish: async (request: IncomingMessage, signal: AbortState): Promise<Reply> => {
      await limits.admit(addressOf(request));
      const secret = readSecretCookie(request, browser);
      if (secret === undefined) return refuse('too_late');
      const { search, searchParams } = new URL(request.url ?? '', origin);
      const links = await linksFor(secret, search, signal);
      if (typeof links === 'string') return refuse(links);

      // The page redeems a link by a POST, as one from a mail. A fragment reaches no server and no log.
      const encoded = Buffer.from(JSON.stringify(links)).toString('base64url');
      // Only the tab that began with this state redeems it without a click.
      const state = searchParams.get('state') ?? '';
      return backTo(`links=${encoded}&state=${state}`);
    },
  };
}

/** The provider says that it did not sign the person in: the person cancelled, or may not use the service. */
class OpenIdRefusal extends Error {}

/** A `sub` names the person for good; the bounds are those of OpenID Connect Core, section 2. */
const subjectPattern = /^[ -~]{1,255}$/;

/** Timeout of each request to the provider. */
const timeoutSeconds = 5;

/** A provider that rotates its keys or moves its endpoints is followed within this time. */
const maxAgeMs = 3_600_000;

/** Signs people in at an OpenID provider by the authorization code flow with PKCE (RFC 7636). */
export class OpenIdClient {
  readonly #settings: OpenIdOptions;
  readonly #redirectUri: string;
  #discovered:
    | { readonly configuration: Promise<Library.Configuration>; readonly at: number }
    | undefined;

  /** @param redirectUri where the provider sends the browser back to */
  constructor(settings: OpenIdOptions, redirectUri: string) {
    this.#settings = settings;
    this.#redirectUri = redirectUri;
  }

  get name(): string {
    return this.#settings.name;
  }

  /**
   * Returns the address at the provider where this browser signs in.
   * @param secret 43 characters that only this browser keeps; state, nonce and verifier come from it
   * @throws Error when the provider does not answer
   */
  async authorizationUrl(secret: string): Promise<URL> {
    const [library, configuration] = await this.#ready();
    return library.buildAuthorizationUrl(configuration, {
      redirect_uri: this.#redirectUri,
      scope: 'openid email',
      code_challenge: await library.calculatePKCECodeChallenge(secret),
      code_challenge_method: 'S256',
      state: derive(secret, 'state'),
      nonce: derive(secret, 'nonce'),
    });
  }

  /**
   * Exchanges the code with which the provider sent the browser back.
   * @param search the query of that request
   * @throws OpenIdRefusal; Error when the answer is not valid for this browser, or does not come
   */
  async identity(secret: string, search: string): Promise<Identity> {
    const [library, configuration] = await this.#ready();
    const url = new URL(this.#redirectUri);
    url.search = search;

    let tokens;
    try {
      tokens = await library.authorizationCodeGrant(configuration, url, {
        pkceCodeVerifier: secret,
        expectedState: derive(secret, 'state'),
        expectedNonce: derive(secret, 'nonce'),
        idTokenExpected: true,
      });
    } catch (error) {
      if (!(error instanceof library.AuthorizationResponseError)) throw error;
      throw new OpenIdRefusal(error.error, { cause: error });
    }

    const claims = tokens.claims();
    if (claims === undefined) throw new Error('The OpenID provider sent no ID token.');

    const { iss: issuer, sub: subject } = claims;

    // With an empty `sub`, all persons would count as one.
    if (!subjectPattern.test(subject)) {
      throw new Error('The sub of the ID token is not 1 to 255 printable ASCII characters.');
    }

    const person =
      claims['email'] === undefined
        ? await library.fetchUserInfo(configuration, tokens.access_token, subject)
        : claims;

    const { email, email_verified: verified } = person as Record<string, unknown>;
    const isUsable = typeof email === 'string' && verified === true;
    return {
      issuer,
      subject,
      email: isUsable ? email : undefined,
    };
  }

  /** Loads the library and asks the provider for its endpoints, once in an hour. */
  async #ready(): Promise<[library: typeof Library, Library.Configuration]> {
    const library = await import('openid-client');
    if (this.#discovered === undefined || performance.now() - this.#discovered.at > maxAgeMs) {
      const discovered = { configuration: this.#discover(library), at: performance.now() };
      this.#discovered = discovered;
      discovered.configuration.catch(() => {
        if (this.#discovered === discovered) this.#discovered = undefined;
      });
    }
    return [library, await this.#discovered.configuration];
  }

  #discover(library: typeof Library): Promise<Library.Configuration> {
    const { issuer, clientId, clientSecret } = this.#settings;
    return library.discovery(
      new URL(issuer),
      clientId,
      undefined,
      clientSecret === undefined ? library.None() : library.ClientSecretPost(clientSecret),
      { execute: [library.enableNonRepudiationChecks], timeout: timeoutSeconds },
    );
  }
}

function derive(secret: string, purpose: string): string {
  return createHash('sha256').update(`${purpose} ${secret}`).digest('base64url');
}
