import type { IncomingMessage } from 'node:http';
import type { Viewer } from '../../domain/account/credentials.js';
import { signingActor } from '../../domain/transaction/actor.js';
import { validationFailed, type Issue } from '../../domain/errors.js';
import {
  type KnownBrowser,
  knowsAddress,
  openKnownBrowser,
  sealKnownBrowser,
  withMember,
} from '../../domain/session/known-browser.js';
import { type LinkRefusal, redeemCode, redeemToken } from '../../domain/session/redeem-link.js';
import { makeSecretToken } from '../../domain/session/secret-tokens.js';
import { maxSessionDays, endSessionOf, openSession } from '../../domain/session/sessions.js';
import {
  hashAddress,
  linkLifetimeMs,
  type RequestRefusal,
  requestLinks,
} from '../../domain/session/sign-in-links.js';
import type { AbortState, Read, Transact, Tx } from '../../domain/transaction/tx.js';
import type { Authenticator } from '../authentication.js';
import { readJsonBody } from '../bodies.js';
import { networksOf } from '../client-address.js';
import { jsonReply, type Reply } from '../exchange.js';
import { ApiError } from '../problems.js';
import type { RateLimits } from '../rate-limits.js';
import {
  cookieNames,
  readCookie,
  readSecretCookie,
  setCookie,
  rejectCrossSite,
} from './cookies.js';

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

type SessionOptions = Omit<BrowserOptions, 'sessions'>;

type Handle = (request: IncomingMessage, signal: AbortState) => Promise<Reply>;

/** The requests that begin and end a session. */
export interface SessionRoutes {
  /** Mails links to an address. */
  readonly askForLink: Handle;
  /** Redeems a link or a code. */
  readonly signIn: Handle;
  readonly signOut: Handle;
}

const linkSeconds = linkLifetimeMs / 1_000;
const sessionSeconds = maxSessionDays * 24 * 60 * 60;
/** Browsers keep a cookie for at most 400 days. */
const knownSeconds = 400 * 24 * 60 * 60;

/** Creates the {@link SessionRoutes}. Each throws ApiError or DomainError when it refuses. */
export function sessionRoutes(options: SessionOptions): SessionRoutes {
  const { read, transact, limits, origin, addressOf } = options;
  const { session, browser, known, secure } = cookieNames(origin);
  const { sealer } = read.rules;
  const knownBrowserOf = (request: IncomingMessage) =>
    openKnownBrowser(sealer, readCookie(request, known));
  const actorOf = (request: IncomingMessage) =>
    signingActor({ address: addressOf(request), userAgent: request.headers['user-agent'] });

  const knownCookie = (remembered: KnownBrowser) =>
    setCookie(known, sealKnownBrowser(sealer, remembered), {
      maxAgeSeconds: knownSeconds,
      secure,
    })['Set-Cookie'];

  /**
   * Counts a request for a mail. A browser that has signed its address in before does not count among strangers;
   * the others are counted before their body is read.
   * @throws ApiError rate_limit_exceeded
   */
  async function admitAsking(
    request: IncomingMessage,
  ): Promise<{ readonly email: string; readonly knownBrowser: string | undefined }> {
    const remembered = knownBrowserOf(request);
    if (!remembered) await limits.admitLink(addressOf(request));
    else await limits.admitKnownLink(remembered.id);

    const { text: email } = await readOneText(request, ['email']);
    if (!remembered) return { email, knownBrowser: undefined };
    if (knowsAddress(remembered, email)) return { email, knownBrowser: remembered.id };

    await limits.admitLink(addressOf(request));
    return { email, knownBrowser: undefined };
  }

  return {
    askForLink: async (request, signal) => {
      const { email, knownBrowser } = await admitAsking(request);
      const networks = networksOf(addressOf(request));

      // A new secret for each request, so that the tries of a code belong to one request.
      const secret = makeSecretToken();
      const work = (tx: Tx) =>
        requestLinks(tx, {
          email,
          browser: secret,
          networks,
          knownBrowser,
        });

      const asking =
        knownBrowser ?? `${hashAddress(email).toString('hex')} ${networks.at(-1) ?? ''}`;
      const refused = await transact(work, { semaphoreKey: `links ${asking}`, signal });
      if (refused) throw tooManyMails(refused);

      const cookie = setCookie(browser, secret, { maxAgeSeconds: linkSeconds, secure });
      return jsonReply(202, {}, cookie);
    },
    signIn: async (request, signal) => {
      await limits.admit(addressOf(request));

      const { name, text } = await readOneText(request, ['token', 'code']);
      const asked = readSecretCookie(request, browser);
      if (name === 'code' && asked === undefined) throw refusal({ refused: 'other_browser' });

      const opened = await transact(
        async (tx) => {
          const holder =
            name === 'code' && asked !== undefined
              ? await redeemCode(tx, text, asked)
              : await redeemToken(tx, text, asked);
          if ('refused' in holder) return holder;

          const token = await openSession(tx, holder, {
            userAgent: request.headers['user-agent'] ?? '',
            replaced: readSecretCookie(request, session),
          });
          return { token, remembered: await withMember(tx, knownBrowserOf(request), holder) };
        },
        { signal, actor: actorOf(request) },
      );
      if ('refused' in opened) throw refusal(opened);

      const cookie = setCookie(session, opened.token, { maxAgeSeconds: sessionSeconds, secure });
      return {
        ...jsonReply(200, {}, cookie),
        cookies: [knownCookie(opened.remembered)],
      };
    },
    signOut: async (request, signal) => {
      await limits.admit(addressOf(request));
      const token = readSecretCookie(request, session);
      if (token !== undefined) {
        await transact((tx) => endSessionOf(tx, token), { signal, actor: actorOf(request) });
      }
      const headers = setCookie(session, '', { maxAgeSeconds: 0, secure });
      return { status: 204, headers, text: null };
    },
  };
}

/** The error for too many sign-in mails. It says what helps, and is the same for an address without a member. */
function tooManyMails({ limit, retryAfterMs }: RequestRefusal): ApiError {
  return new ApiError('rate_limit_exceeded', mailLimits[limit], {
    retryAfterSeconds: Math.max(1, Math.ceil(retryAfterMs / 1_000)),
  });
}

const mailLimits: Readonly<Record<RequestRefusal['limit'], string>> = {
  network:
    'This network has requested too many sign-in mails for this address in 15 minutes. ' +
    'Use the latest mail that this browser requested, try from another network, or wait.',
  address:
    'Others have requested too many sign-in mails for this address in this hour. Those mails do not sign them in. ' +
    'Use a browser that has signed in with this address before, try from another network, or ask an operator to print a link.',
  browser:
    'This browser has requested 3 sign-in mails for this address in 15 minutes. Use the latest one, or wait.',
};

function refusal(refused: LinkRefusal): Error {
  switch (refused.refused) {
    case 'link_expired':
      return new ApiError(
        'link_expired',
        'This link or code was already used or has expired. Request a new one.',
      );
    case 'other_browser':
      return new ApiError(
        'other_browser',
        'Another browser requested this link. Open it there, or enter the code from the mail there.',
      );
    case 'wrong_code': {
      const detail = `The code is wrong. Attempts left: ${refused.triesLeft}.`;
      return validationFailed([{ code: 'invalid_value', detail, param: 'code' }]);
    }
  }
}

const limits = { contentTypes: ['application/json'], maxBytes: 4_096, maxValues: 20 };

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

  const body = await readJsonBody(request, limits);
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
  const [wrong] = entries;
  const [param = ''] = wrong ?? names;
  if (entries.length > 1) {
    return { code: 'invalid_value', detail: `Send one of: ${names.join(', ')}.`, param };
  }
  return wrong
    ? { code: 'invalid_type', detail: 'Must be a string.', param }
    : { code: 'required', detail: `Send one of: ${names.join(', ')}.`, param };
}

type Refusal = 'missing_credential' | 'expired_credential' | 'invalid_credential';

/** Creates the errors for browsers without a session. */
export function unauthorizedErrors(realm: string, details: Readonly<Record<Refusal, string>>) {
  return (code: Refusal): ApiError => {
    const detail = details[code];
    return new ApiError('unauthorized', detail, {
      errors: [{ code, detail }],
      headers: { 'WWW-Authenticate': `Cookie realm="${realm}"` },
    });
  };
}

const unauthorized = unauthorizedErrors('dashboard', {
  missing_credential: 'This browser is not signed in. Sign in.',
  expired_credential: 'The session has expired. Sign in again.',
  invalid_credential: 'The session has ended. Sign in again.',
});

/** Authenticates requests by the session cookie of this name. */
export function sessionAuthenticator(
  { read, sessions, addressOf }: Pick<BrowserOptions, 'read' | 'sessions' | 'addressOf'>,
  nameOf: (request: IncomingMessage) => string,
) {
  /**
   * @param isUse whether the request counts as use of the session
   * @throws ApiError unauthorized, rate_limit_exceeded
   */
  return async (request: IncomingMessage, isUse = true): Promise<Viewer> => {
    const token = readCookie(request, nameOf(request));
    if (token === undefined) throw unauthorized('missing_credential');
    const viewer = await sessions.authenticate(read, addressOf(request), token, isUse);
    if (typeof viewer !== 'string') return viewer;
    throw unauthorized(viewer === 'expired_credential' ? viewer : 'invalid_credential');
  };
}

/** Authenticates the member who is signed in with the browser that sends a request. */
export function memberAuthenticator(
  options: Pick<BrowserOptions, 'read' | 'sessions' | 'origin' | 'addressOf'>,
) {
  const { session } = cookieNames(options.origin);
  return sessionAuthenticator(options, () => session);
}

/**
 * Authenticates a GET that only reads, as that of a live stream. A browser without Sec-Fetch-Site sends no Origin
 * with it either; SameSite keeps the cookie from other sites there.
 */
export function streamAuthenticator(options: Parameters<typeof memberAuthenticator>[0]) {
  const { session } = cookieNames(options.origin);
  const find = memberAuthenticator(options);
  /** @returns undefined without a cookie; otherwise it rejects with ApiError for a refusal */
  return (request: IncomingMessage, isUse: boolean): Promise<Viewer> | undefined => {
    if (readCookie(request, session) === undefined) return undefined;
    const site = request.headers['sec-fetch-site'];
    if (site !== undefined) rejectCrossSite(request, options.origin);
    return find(request, isUse);
  };
}
