import { type TokenLookUp, createAuthenticator } from '../http/authentication.js';
import { findPortalSession } from '../domain/portal/portal-sessions.js';
import { findSession, refuseSessionFormat } from '../domain/session/sessions.js';
import { findOperatorSession } from '../domain/session/operator-sessions.js';

/**
 * Creates the authenticators of bearer tokens and of the sessions of members, portals and operators. Each
 * accepts only its own tokens.
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
    /** Drops every cached viewer. */
    invalidateAll: () => {
      authenticator.invalidate();
      sessions.invalidate();
      portalSessions.invalidate();
      operatorSessions.invalidate();
    },
  };
}
