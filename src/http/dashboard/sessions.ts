// Signs browsers in and out: those of members (dashboard.ts), of operators (operators.ts), and of the visitors of a portal
// (portal.ts). The three differ in what a {@link SessionKind} says.
//
// The order of the checks is the same for all, because it decides which error a client gets: a page of ours sent the
// request, its address is below the limit, the body holds one secret, the secret opens a session. The new session replaces
// the one that the browser had.
//
// The cookie holds the token of a session, and the database its hash. Opening a session, ending the earlier one and their
// audit entries are one transaction. After a crash between commit and response, the person signs in again.
import type { IncomingMessage } from 'node:http';
import type { Viewer } from '../../domain/account/credentials.js';
import { validationFailed, type Issue } from '../../domain/errors.js';
import { isSecretToken } from '../../domain/session/secret-tokens.js';
import { maxSessionDays, type SigningBrowser } from '../../domain/session/sessions.js';
import { type Actor, signingActor } from '../../domain/transaction/actor.js';
import type { Read, Transact, Tx } from '../../domain/transaction/tx.js';
import type { Authenticator } from '../authentication.js';
import { readJsonBody } from '../bodies.js';
import { jsonReply, type RequestState } from '../exchange.js';
import { ApiError } from '../problems.js';
import type { RateLimits } from '../rate-limits.js';
import { type CookieScope, readSecretCookie, rejectCrossSite, setCookie } from './cookies.js';
import type { Handler } from './pages.js';

/** What the requests of browsers need. */
export interface BrowserOptions {
  readonly read: Read;
  readonly transact: Transact;
  readonly limits: RateLimits;
  /** Finds the holders of session cookies. */
  readonly sessions: Authenticator;
  /** The base URL of the service, without a trailing slash. */
  readonly origin: string;
  /** Returns the client's address as the trusted proxies report it. */
  readonly addressOf: (request: IncomingMessage) => string;
}

/** What finds the viewer of a session. */
export type FinderOptions = Pick<BrowserOptions, 'read' | 'sessions' | 'origin' | 'addressOf'>;

/** How the sessions of members, of operators, or of one portal differ from the others. */
export interface SessionKind<SecretName extends string> {
  /** The author of a sign-in or sign-out in the audit log. */
  readonly actorKind: Parameters<typeof signingActor>[1];
  /** The members of the body that open a session. A request sends one of them. */
  readonly secretNames: readonly SecretName[];
  /** Returns the origin of the pages that may sign in and out. */
  readonly originOf: (request: IncomingMessage) => string;
  readonly cookieOf: (request: IncomingMessage) => SessionCookie;
  /** Returns the token of the session that a request carries; undefined without one. */
  readonly tokenOf: (request: IncomingMessage) => string | undefined;
  /** Opens a session. @throws ApiError or DomainError for a secret that opens none */
  readonly open: (attempt: SignInAttempt<SecretName>) => Promise<OpenedSession>;
  /** Ends the session of a token; does nothing if it has ended already. */
  readonly end: (tx: Tx, token: string) => Promise<void>;
}

/** The cookie that carries a session. */
export interface SessionCookie extends CookieScope {
  readonly name: string;
}

/** One attempt to sign in. */
interface SignInAttempt<SecretName extends string> {
  readonly req: IncomingMessage;
  readonly state: RequestState;
  readonly secret: { readonly name: SecretName; readonly text: string };
  readonly browser: SigningBrowser;
  /** Who signs in, for the audit log: the address and the program of the browser. */
  readonly actor: Actor;
}

interface OpenedSession {
  /** The value of the session cookie. */
  readonly token: string;
  /** The body of the response. Defaults to an empty object. */
  readonly body?: object;
  /** Further values of Set-Cookie. */
  readonly cookies?: readonly string[];
}

const sessionSeconds = maxSessionDays * 24 * 60 * 60;

/** Creates the requests that begin and end a session. Each throws ApiError or DomainError when it refuses. */
export function sessionRoutes<SecretName extends string>(
  { transact, limits, addressOf }: Pick<BrowserOptions, 'transact' | 'limits' | 'addressOf'>,
  kind: SessionKind<SecretName>,
): { readonly signIn: Handler; readonly signOut: Handler } {
  const admit = async (request: IncomingMessage) => {
    rejectCrossSite(request, kind.originOf(request));
    await limits.admit(addressOf(request));
  };
  const actorOf = (request: IncomingMessage) =>
    signingActor(
      { address: addressOf(request), userAgent: request.headers['user-agent'] },
      kind.actorKind,
    );

  return {
    signIn: async ({ req, state }) => {
      await admit(req);

      const secret = await readOneText(req, kind.secretNames);
      const { name, ...scope } = kind.cookieOf(req);

      const opened = await kind.open({
        req,
        state,
        secret,
        browser: {
          userAgent: req.headers['user-agent'] ?? '',
          replaced: readSecretCookie(req, name),
        },
        actor: actorOf(req),
      });

      const cookie = setCookie(name, opened.token, { maxAgeSeconds: sessionSeconds, ...scope });
      const { body = {}, cookies = [] } = opened;
      return { ...jsonReply(200, body, cookie), cookies };
    },
    signOut: async ({ req, state }) => {
      await admit(req);

      const token = kind.tokenOf(req);
      if (token !== undefined && isSecretToken(token)) {
        const { deadline: signal } = state;
        await transact((tx) => kind.end(tx, token), { signal, actor: actorOf(req) });
      }

      const { name, ...scope } = kind.cookieOf(req);
      const headers = setCookie(name, '', { maxAgeSeconds: 0, ...scope });
      return { status: 204, headers, text: null };
    },
  };
}

type Refusal = 'missing_credential' | 'expired_credential' | 'invalid_credential';

/** Creates the error for a browser without a session. */
type UnauthorizedError = (code: Refusal) => ApiError;

/** Creates the errors for browsers without a session. */
export function unauthorizedErrors(
  realm: string,
  details: Readonly<Record<Refusal, string>>,
): UnauthorizedError {
  return (code) => {
    const detail = details[code];
    return new ApiError('unauthorized', detail, {
      errors: [{ code, detail }],
      headers: { 'WWW-Authenticate': `Cookie realm="${realm}"` },
    });
  };
}

/** The errors of the pages of members and of operators. */
export const signedOutError = unauthorizedErrors('dashboard', {
  missing_credential: 'This browser is not signed in. Sign in.',
  expired_credential: 'The session has expired. Sign in again.',
  invalid_credential: 'The session has ended. Sign in again.',
});

/** What {@link authenticateSession} needs to know of a request. */
interface SessionUse {
  /** The token that it carries. */
  readonly token: string | undefined;
  /** Whether the request counts as use of the session. */
  readonly isUse: boolean;
  readonly unauthorized: UnauthorizedError;
}

/**
 * Finds the viewer of the session that a request carries.
 * @throws ApiError unauthorized, rate_limit_exceeded
 */
export async function authenticateSession(
  { read, sessions, addressOf }: FinderOptions,
  request: IncomingMessage,
  { token, isUse, unauthorized }: SessionUse,
): Promise<Viewer> {
  if (token === undefined) throw unauthorized('missing_credential');

  const viewer = await sessions.authenticate(read, addressOf(request), token, isUse);
  if (typeof viewer !== 'string') return viewer;

  throw unauthorized(viewer === 'expired_credential' ? viewer : 'invalid_credential');
}

/** Limits of a body that holds one text. */
const bodyLimits = { contentTypes: ['application/json'], maxBytes: 4_096, maxValues: 20 };

/**
 * Reads a JSON object with exactly one member, a text, of one of these names.
 * @throws ApiError unsupported_media_type, payload_too_large, invalid_json
 * @throws DomainError validation_failed
 */
export async function readOneText<Name extends string>(
  request: IncomingMessage,
  names: readonly Name[],
): Promise<{ readonly name: Name; readonly text: string }> {
  // A cross-site form can send no Content-Type or one of three others, never JSON.
  if (request.headers['content-type'] === undefined) {
    const headers = { Accept: 'application/json' };
    throw new ApiError('unsupported_media_type', 'Send the body as application/json.', { headers });
  }

  const body = await readJsonBody(request, bodyLimits);
  const entries: [string, unknown][] = Object.entries(
    typeof body === 'object' && body !== null ? body : {},
  );
  const [entry] = entries;
  if (entry && entries.length === 1) {
    const [, text] = entry;
    const name = names.find((known) => known === entry[0]);
    if (name !== undefined && typeof text === 'string') return { name, text };
  }

  throw validationFailed([issueOf(entries, names)]);
}

function issueOf(entries: readonly [string, unknown][], names: readonly string[]): Issue {
  const unknown = entries.find(([name]) => !names.includes(name));
  if (unknown) {
    return { code: 'unknown_property', detail: 'Unknown property.', param: unknown[0] };
  }

  const [first] = entries;
  if (first && entries.length === 1) {
    return { code: 'invalid_type', detail: 'Must be a string.', param: first[0] };
  }

  const [param = ''] = first ?? names;
  const code = first ? 'invalid_value' : 'required';
  return { code, detail: `Send one of: ${names.join(', ')}.`, param };
}
