import type { IncomingMessage } from 'node:http';
import { jsonReply } from '../api/json-reply.js';
import { ApiError } from '../api/problem.js';
import type { Reply } from '../api/request-state.js';
import { type AccountLink, linksOfIdentity } from '../domain/session/sign-in-links.js';
import { makeSecretToken } from '../domain/session/secret-tokens.js';
import type { AbortState } from '../domain/tx.js';
import { cookieNames, readSecretCookie, setCookie } from './cookies.js';
import type { DashboardOptions } from './dashboard-options.js';
import { type OpenIdClient, OpenIdRefusal } from './open-id-client.js';

/** What the sign-in page says after a sign-in that failed. */
type Refusal = 'cancelled' | 'no_member' | 'provider_failed' | 'too_late';

/** The path to which the provider sends browsers back; the operator registers it there. */
export const openIdPath = '/dashboard/session/openid';

/** A person may have to find a second factor, and then chooses an account. */
const attemptSeconds = 900;

/** The requests that begin and end a sign-in at the operator's OpenID provider. */
export function openIdRoutes(
  options: Pick<DashboardOptions, 'transact' | 'limits' | 'origin' | 'addressOf'>,
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

  /** Makes links for the person, in exchange for the code in the query. */
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
        const detail = `${client.name} does not answer. Try again in a minute.`;
        throw new ApiError('service_unavailable', detail, { retryAfterSeconds: 30 });
      });
      const cookie = setCookie(browser, secret, { maxAgeSeconds: attemptSeconds, secure });
      return jsonReply(200, { url: url.href }, cookie);
    },
    /** The provider has sent the browser back: by a GET, which the cookie of the browser admits. */
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
