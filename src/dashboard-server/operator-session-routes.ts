import type { IncomingMessage } from 'node:http';
import { jsonReply } from '../api/json-reply.js';
import { ApiError } from '../api/problem.js';
import type { AuthFailure, Viewer } from '../domain/account/credentials.js';
import { actorOf, signingActor } from '../domain/actor.js';
import { maxDays } from '../domain/session/sessions.js';
import { endOperatorSession, openOperatorSession } from '../domain/session/operator-sessions.js';
import { readSecretCookie, setCookie } from './cookies.js';
import { originOfHost } from './find-operator.js';
import { operatorCookie } from './operator-cookie.js';
import type { OperatorOptions } from './operator-options.js';
import { rejectCrossSite } from './reject-cross-site.js';
import type { Handler } from './route-dashboard.js';
import { readOneText } from './session-bodies.js';

const sessionSeconds = maxDays * 24 * 60 * 60;

const details: Readonly<Record<AuthFailure, string>> = {
  invalid_credential: 'This is no token of the service.',
  expired_credential: 'The token has expired.',
  revoked_credential: 'The token was revoked.',
  credential_kind_not_accepted: 'This is not an internal token. Those begin with int_.',
};

/** The requests that begin and end the session of an operator. */
export function operatorSessionRoutes(options: OperatorOptions): {
  readonly signIn: Handler;
  readonly signOut: Handler;
} {
  const { read, transact, limits, origin, addressOf, graphql } = options;
  const placeOf = (request: IncomingMessage) => ({
    address: addressOf(request),
    userAgent: request.headers['user-agent'],
  });

  /** The limits on wrong tokens are those of bearer tokens. */
  const holderOf = async (request: IncomingMessage, token: string): Promise<Viewer> => {
    const found = await graphql.authenticator.authenticate(read, addressOf(request), token);
    if (typeof found !== 'string' && found.kind === 'internal') return found;
    const code = typeof found === 'string' ? found : 'credential_kind_not_accepted';
    const detail = details[code];
    throw new ApiError('unauthorized', detail, { errors: [{ code, detail, param: 'token' }] });
  };

  return {
    signIn: async ({ req, state }) => {
      rejectCrossSite(req, originOfHost(req));
      await limits.admit(addressOf(req));
      const { text } = await readOneText(req, ['token']);
      const holder = await holderOf(req, text.trim());
      const { account, credential } = holder;
      state.caller = { account, credential };
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
