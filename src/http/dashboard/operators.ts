import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import type { Viewer, AuthFailure } from '../../domain/account/credentials.js';
import { actorOf } from '../../domain/transaction/actor.js';
import { endOperatorSession, openOperatorSession } from '../../domain/session/operator-sessions.js';
import type { Authenticator } from '../authentication.js';
import type { RequestState } from '../exchange.js';
import { type DocumentOptions, knownDocumentRoute } from '../graphql/routes.js';
import { ApiError } from '../problems.js';
import { rejectCrossSite, readCookie, cookieNames } from './cookies.js';
import { type Action, type DashboardFiles, routeDashboard } from './pages.js';
import {
  authenticateSession,
  type BrowserOptions,
  signedOutError,
  type SessionCookie,
  type SessionKind,
  sessionRoutes,
} from './sessions.js';

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
  const kind = operatorSessions(options);
  const { signIn, signOut } = sessionRoutes(options, kind);

  const viewerOf = async (request: IncomingMessage): Promise<Viewer> => {
    rejectCrossSite(request, kind.originOf(request));
    const token = kind.tokenOf(request);
    return authenticateSession(options, request, {
      token,
      isUse: true,
      unauthorized: signedOutError,
    });
  };
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

/** How operators sign in: an internal token opens a session, which has the permissions of the token. */
function operatorSessions(options: OperatorOptions): SessionKind<'token'> {
  const { transact, origin, addressOf } = options;
  const cookieOf = (request: IncomingMessage) => operatorCookie(request, origin);
  return {
    actorKind: 'operator',
    secretNames: ['token'],
    originOf: listenerOrigin,
    cookieOf,
    tokenOf: (request) => readCookie(request, cookieOf(request).name),
    open: async ({ req, state, secret, browser }) => {
      const holder = await findTokenHolder(options, req, secret.text.trim());
      state.caller = holder;

      const place = { address: addressOf(req), userAgent: req.headers['user-agent'] };
      const token = await transact((tx) => openOperatorSession(tx, holder, browser), {
        signal: state.deadline,
        actor: actorOf(holder, place),
      });
      return { token };
    },
    end: endOperatorSession,
  };
}

const details: Readonly<Record<AuthFailure, string>> = {
  invalid_credential: 'This is not a token of this service.',
  expired_credential: 'The token has expired.',
  revoked_credential: 'The token was revoked.',
  credential_kind_not_accepted: 'This is not an internal token. Internal tokens begin with int_.',
};

/**
 * Finds the holder of an internal token. The limits on wrong tokens are those of bearer tokens.
 * @throws ApiError unauthorized, rate_limit_exceeded
 */
async function findTokenHolder(
  { read, authenticator, addressOf }: OperatorOptions,
  request: IncomingMessage,
  token: string,
): Promise<Viewer> {
  const holder = await authenticator.authenticate(read, addressOf(request), token);
  if (typeof holder !== 'string' && holder.kind === 'internal') return holder;

  const code = typeof holder === 'string' ? holder : 'credential_kind_not_accepted';
  const detail = details[code];
  throw new ApiError('unauthorized', detail, { errors: [{ code, detail, param: 'token' }] });
}

/**
 * Returns the origin of the page that sent a request. The internal listener has no base URL:
 * operators reach it through a tunnel, or through a proxy with TLS. Browsers send it with each POST and
 * DELETE.
 */
function senderOrigin({ headers }: IncomingMessage): string {
  const { origin, host = '' } = headers;
  return origin === undefined || origin === 'null' ? `http://${host}` : origin;
}

/** The origin of the listener as the browser sees it, for browsers that send no Sec-Fetch-Site. */
function listenerOrigin(request: IncomingMessage): string {
  const [scheme] = senderOrigin(request).split('://');
  return `${scheme}://${request.headers.host ?? ''}`;
}

/**
 * Names the cookie for the page that sends a request: `__Host-` by TLS.
 * @param baseUrl that of the service; its hash tells services on one host apart
 */
function operatorCookie(request: IncomingMessage, baseUrl: string): SessionCookie {
  const { instance } = cookieNames(baseUrl);
  const secure = senderOrigin(request).startsWith('https:');
  return { name: `${secure ? '__Host-' : ''}signalpost-operator-${instance}`, secure };
}

/**
 * Refuses a request that came over a network in the clear: the token and the cookie would be readable.
 * @throws ApiError forbidden
 */
function rejectPlainText(request: IncomingMessage): void {
  const origin = senderOrigin(request);
  if (origin.startsWith('https:')) return;
  if (/^http:\/\/(?:127\.[\d.]+|\[::1\]|localhost)(?::\d+)?$/.test(origin)) return;
  throw new ApiError(
    'forbidden',
    'The operator pages require TLS or a tunnel. Forward the port to your machine and open them at 127.0.0.1.',
  );
}
