import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import type { Viewer, AuthFailure } from '../../domain/account/credentials.js';
import { actorOf, signingActor } from '../../domain/transaction/actor.js';
import { endOperatorSession, openOperatorSession } from '../../domain/session/operator-sessions.js';
import { maxSessionDays } from '../../domain/session/sessions.js';
import type { Authenticator } from '../authentication.js';
import { type RequestState, jsonReply } from '../exchange.js';
import { type DocumentOptions, knownDocumentRoute } from '../graphql/routes.js';
import { ApiError } from '../problems.js';
import { rejectCrossSite, readSecretCookie, setCookie, cookieNames } from './cookies.js';
import { type Action, type DashboardFiles, type Handler, routeDashboard } from './pages.js';
import { type BrowserOptions, sessionAuthenticator, readOneText } from './sessions.js';

/** Dependencies of the pages of operators, which only the internal listener serves. */
interface OperatorOptions extends BrowserOptions {
  /** The built pages; undefined if they are not built. */
  readonly files: DashboardFiles | undefined;
  /** How its pages run their documents. */
  readonly graphql: DocumentOptions;
  /** Finds the holders of the tokens with which operators sign in. */
  readonly authenticator: Authenticator;
}

/** Serves the pages of operators at `/dashboard` of the internal listener. */
export function serveOperators(options: OperatorOptions): Middleware<RequestState> {
  const { signIn, signOut } = operatorSessionRoutes(options);
  const viewerOf = operatorAuthenticator(options);
  const run = knownDocumentRoute({ ...options.graphql, viewerOf });
  const actions = new Map<string, Readonly<Record<string, Action>>>([
    [
      '/dashboard/session',
      {
        POST: { operation: 'operators.sign-in', handle: signIn },
        DELETE: { operation: 'operators.sign-out', handle: signOut },
      },
    ],
    ['/dashboard/graphql', { POST: { operation: 'operators.graphql', handle: run } }],
  ]);
  return routeDashboard(actions, options.files, rejectPlainText);
}

/** Finds the operator who is signed in with the browser that sends a request. */
function operatorAuthenticator(options: OperatorOptions) {
  const find = sessionAuthenticator(
    options,
    (request) => operatorCookie(request, options.origin).name,
  );
  /** @throws ApiError forbidden for a request of another site, unauthorized, rate_limit_exceeded */
  return async (request: IncomingMessage): Promise<Viewer> => {
    rejectCrossSite(request, originOfHost(request));
    return find(request);
  };
}

/** The origin of the listener as the browser sees it, for browsers that send no Sec-Fetch-Site. */
function originOfHost(request: IncomingMessage): string {
  const [scheme] = originOf(request).split('://');
  return `${scheme}://${request.headers.host ?? ''}`;
}

const sessionSeconds = maxSessionDays * 24 * 60 * 60;

const details: Readonly<Record<AuthFailure, string>> = {
  invalid_credential: 'This is not a token of this service.',
  expired_credential: 'The token has expired.',
  revoked_credential: 'The token was revoked.',
  credential_kind_not_accepted: 'This is not an internal token. Internal tokens begin with int_.',
};

/** The requests that begin and end the session of an operator. */
function operatorSessionRoutes(options: OperatorOptions): {
  readonly signIn: Handler;
  readonly signOut: Handler;
} {
  const { read, transact, limits, origin, addressOf, authenticator } = options;
  const placeOf = (request: IncomingMessage) => ({
    address: addressOf(request),
    userAgent: request.headers['user-agent'],
  });

  /** The limits on wrong tokens are those of bearer tokens. */
  const holderOf = async (request: IncomingMessage, token: string): Promise<Viewer> => {
    const holder = await authenticator.authenticate(read, addressOf(request), token);
    if (typeof holder !== 'string' && holder.kind === 'internal') return holder;
    const code = typeof holder === 'string' ? holder : 'credential_kind_not_accepted';
    const detail = details[code];
    throw new ApiError('unauthorized', detail, { errors: [{ code, detail, param: 'token' }] });
  };

  return {
    signIn: async ({ req, state }) => {
      rejectCrossSite(req, originOfHost(req));
      await limits.admit(addressOf(req));

      const { text } = await readOneText(req, ['token']);
      const holder = await holderOf(req, text.trim());
      state.caller = holder;

      const { name, secure } = operatorCookie(req, origin);
      const browser = {
        userAgent: req.headers['user-agent'] ?? '',
        replaced: readSecretCookie(req, name),
      };

      const opened = await transact((tx) => openOperatorSession(tx, holder, browser), {
        signal: state.deadline,
        actor: actorOf(holder, placeOf(req)),
      });

      const cookie = setCookie(name, opened, { maxAgeSeconds: sessionSeconds, secure });
      return jsonReply(200, {}, cookie);
    },
    signOut: async ({ req, state }) => {
      rejectCrossSite(req, originOfHost(req));
      await limits.admit(addressOf(req));
      const { name, secure } = operatorCookie(req, origin);
      const token = readSecretCookie(req, name);
      if (token !== undefined) {
        const actor = { ...signingActor(placeOf(req)), kind: 'operator' as const };
        await transact((tx) => endOperatorSession(tx, token), { signal: state.deadline, actor });
      }
      const headers = setCookie(name, '', { maxAgeSeconds: 0, secure });
      return { status: 204, headers, text: null };
    },
  };
}

/** The cookie of an operator's session in one browser. */
interface OperatorCookie {
  readonly name: string;
  /** Whether browsers send it by TLS only. */
  readonly secure: boolean;
}

/**
 * Returns the origin of the page that sent a request. The internal listener has no base URL:
 * operators reach it through a tunnel, or through a proxy with TLS. Browsers send it with each POST and
 * DELETE.
 */
function originOf({ headers }: IncomingMessage): string {
  const { origin, host = '' } = headers;
  return origin === undefined || origin === 'null' ? `http://${host}` : origin;
}

/**
 * Names the cookie for the page that sends a request: `__Host-` by TLS.
 * @param baseUrl that of the service; its hash tells services on one host apart
 */
function operatorCookie(request: IncomingMessage, baseUrl: string): OperatorCookie {
  const { instance } = cookieNames(baseUrl);
  const secure = originOf(request).startsWith('https:');
  return { name: `${secure ? '__Host-' : ''}signalpost-operator-${instance}`, secure };
}

/**
 * Refuses a request that came over a network in the clear: the token and the cookie would be readable.
 * @throws ApiError forbidden
 */
function rejectPlainText(request: IncomingMessage): void {
  const origin = originOf(request);
  if (origin.startsWith('https:')) return;
  if (/^http:\/\/(?:127\.[\d.]+|\[::1\]|localhost)(?::\d+)?$/.test(origin)) return;
  throw new ApiError(
    'forbidden',
    'The operator pages require TLS or a tunnel. Forward the port to your machine and open them at 127.0.0.1.',
  );
}
