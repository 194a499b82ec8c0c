import type { IncomingMessage } from 'node:http';
import { jsonReply } from '../api/json-reply.js';
import { ApiError } from '../api/problem.js';
import type { Reply } from '../api/request-state.js';
import { signingActor } from '../domain/actor.js';
import { validationFailed } from '../domain/errors.js';
import { maxDays } from '../domain/session/session-rows.js';
import { linkLifetimeMs, requestLinks } from '../domain/session/request-links.js';
import { hashSecret, makeSecretToken } from '../domain/session/secret-tokens.js';
import { endSessionOf, openSession } from '../domain/session/sessions.js';
import { type LinkRefusal, redeemCode, redeemToken } from '../domain/session/redeem-link.js';
import type { AbortState, Tx } from '../domain/tx.js';
import { cookieNames, readSecretCookie, setCookie } from './cookies.js';
import type { DashboardOptions } from './dashboard-options.js';
import { readOneText } from './session-bodies.js';

type SessionOptions = Pick<DashboardOptions, 'transact' | 'limits' | 'origin' | 'addressOf'>;

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
const sessionSeconds = maxDays * 24 * 60 * 60;

/** Makes the {@link SessionRoutes}. Each throws ApiError or DomainError when it refuses. */
export function sessionRoutes(options: SessionOptions): SessionRoutes {
  const { transact, limits, origin, addressOf } = options;
  const { session, browser, secure } = cookieNames(origin);
  const actorOf = (request: IncomingMessage) =>
    signingActor({ address: addressOf(request), userAgent: request.headers['user-agent'] });

  return {
    askForLink: async (request, signal) => {
      await limits.admitLink(addressOf(request));
      const { text: email } = await readOneText(request, ['email']);
      // A new one for each request, so that the tries of a code belong to one request.
      const secret = makeSecretToken();
      const work = (tx: Tx) => requestLinks(tx, { email, browser: secret });
      const semaphoreKey = `links ${hashSecret(email.toLowerCase()).toString('hex')}`;
      if (!(await transact(work, { semaphoreKey, signal }))) {
        const detail = 'Mail limit reached: 3 requests in 15 minutes. Use the latest mail.';
        throw new ApiError('rate_limit_exceeded', detail, { retryAfterSeconds: linkSeconds });
      }
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
          const userAgent = request.headers['user-agent'] ?? '';
          return openSession(tx, holder, {
            userAgent,
            replaced: readSecretCookie(request, session),
          });
        },
        { signal, actor: actorOf(request) },
      );
      if (typeof opened !== 'string') throw refusal(opened);
      const cookie = setCookie(session, opened, { maxAgeSeconds: sessionSeconds, secure });
      return jsonReply(200, {}, cookie);
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

function refusal(refused: LinkRefusal): Error {
  switch (refused.refused) {
    case 'link_expired':
      return new ApiError(
        'link_expired',
        'This link or code was used, or is too old. Ask for a new one.',
      );
    case 'other_browser':
      return new ApiError(
        'other_browser',
        'Another browser asked for this link. Open it there, or type the code of the mail there.',
      );
    case 'wrong_code': {
      const detail = `This is not the code of the mail. Tries left: ${refused.triesLeft}.`;
      return validationFailed([{ code: 'invalid_value', detail, param: 'code' }]);
    }
  }
}
