import type { IncomingMessage } from 'node:http';
import { jsonReply } from '../api/json-reply.js';
import { ApiError } from '../api/problem.js';
import type { Reply } from '../api/request-state.js';
import { signingActor } from '../domain/actor.js';
import { redeemPortalLink } from '../domain/portal/portal-links.js';
import {
  endPortalSessionOf,
  keepPortalCookie,
  openPortalSession,
} from '../domain/portal/portal-sessions.js';
import { maxDays } from '../domain/session/sessions.js';
import { isSecretToken } from '../domain/session/secret-tokens.js';
import type { AbortState } from '../domain/tx.js';
import { cookieNames, readCookie, readSecretCookie, setPartitionedCookie } from './cookies.js';
import type { DashboardOptions } from './dashboard-options.js';
import { portalTokenOf, unauthorized } from './portal-viewer.js';
import { readOneText } from './session-bodies.js';

type Options = Pick<DashboardOptions, 'transact' | 'limits' | 'origin' | 'addressOf'>;

/** One request about the session of the portal of an account. */
export type PortalHandle = (
  request: IncomingMessage,
  account: string,
  signal: AbortState,
) => Promise<Reply>;

const sessionSeconds = maxDays * 24 * 60 * 60;

/**
 * Makes the requests that begin and end a session of a portal. Each throws ApiError or DomainError when
 * it refuses.
 */
export function portalRoutes({ transact, limits, origin, addressOf }: Options) {
  const { portal } = cookieNames(origin);
  const actorOf = (request: IncomingMessage) =>
    signingActor(
      { address: addressOf(request), userAgent: request.headers['user-agent'] },
      'portal',
    );

  /**
   * Redeems a link. The answer has the cookie and a token: a browser that keeps no cookie in the page of
   * another site has the token in the memory of the page.
   */
  const open: PortalHandle = async (request, account, signal) => {
    await limits.admit(addressOf(request));
    const { text } = await readOneText(request, ['token']);
    const name = portal(account);
    const replaced = readCookie(request, name);
    const opened = await transact(
      async (tx) => {
        const holder = await redeemPortalLink(tx, account, text);
        const userAgent = request.headers['user-agent'] ?? '';
        return holder && openPortalSession(tx, holder, { userAgent, replaced });
      },
      { signal, actor: actorOf(request) },
    );
    if (!opened) {
      throw new ApiError('link_expired', 'This link was used, or is too old. Ask for a new one.');
    }
    const cookie = setPartitionedCookie(name, opened.cookie, sessionSeconds);
    return jsonReply(200, { token: opened.page }, cookie);
  };

  /** The cookie came back, so the token of the page is of no use to anyone any more. */
  const keep: PortalHandle = async (request, account, signal) => {
    await limits.admit(addressOf(request));
    const cookie = readSecretCookie(request, portal(account));
    if (cookie === undefined) throw unauthorized('missing_credential');
    const work = (tx: Parameters<typeof keepPortalCookie>[0]) =>
      keepPortalCookie(tx, account, cookie);
    if (!(await transact(work, { signal }))) throw unauthorized('invalid_credential');
    return { status: 204, headers: {}, text: null };
  };

  const close: PortalHandle = async (request, account, signal) => {
    await limits.admit(addressOf(request));
    const name = portal(account);
    const token = portalTokenOf(request, name);
    if (token !== undefined && isSecretToken(token)) {
      const actor = actorOf(request);
      await transact((tx) => endPortalSessionOf(tx, account, token), { signal, actor });
    }
    return { status: 204, headers: setPartitionedCookie(name, '', 0), text: null };
  };

  return { open, keep, close };
}
