import { type TokenLookUp, createAuthenticator } from '../http/authentication.js';
import { findPortalSession } from '../domain/portal/portal-sessions.js';
import { findSession, refuseSessionFormat } from '../domain/session/sessions.js';
import { findOperatorSession } from '../domain/session/operator-sessions.js';

/**
 * Makes what finds the holders of bearer tokens, and of the sessions of members, portals and operators.
 * Each finds its own only: a token of one is none for the others.
 */
export function createAuthenticators(perMinute: number) {
  const ofSessions = (find: TokenLookUp['find']) =>
    createAuthenticator(perMinute, { find, refuseFormat: refuseSessionFormat });
  const authenticator = createAuthenticator(perMinute);
  const sessions = ofSessions(findSession);
  const portalSessions = ofSessions(findPortalSession);
  const operatorSessions = ofSessions(findOperatorSession);
  return {
    authenticator,
    sessions,
    portalSessions,
    operatorSessions,
    /** Drops every viewer that they keep. */
    invalidateAll: () => {
      const all = [authenticator, sessions, portalSessions, operatorSessions];
      for (const each of all) each.invalidate();
    },
  };
}
