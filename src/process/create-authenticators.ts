import { createAuthenticator } from '../api/create-authenticator.js';
import { operatorLookUp } from '../dashboard-server/find-operator.js';
import { sessionLookUp } from '../dashboard-server/find-viewer.js';
import { portalLookUp } from '../dashboard-server/portal-viewer.js';

/** Makes what finds the holders of bearer tokens, and of the sessions of members, portals and operators. */
export function createAuthenticators(perMinute: number) {
  const authenticator = createAuthenticator(perMinute);
  const sessions = createAuthenticator(perMinute, sessionLookUp);
  const portalSessions = createAuthenticator(perMinute, portalLookUp);
  const operatorSessions = createAuthenticator(perMinute, operatorLookUp);
  return {
    ...{ authenticator, sessions, portalSessions, operatorSessions },
    /** Drops every viewer that they keep. */
    invalidateAll: () => {
      const all = [authenticator, sessions, portalSessions, operatorSessions];
      for (const each of all) each.invalidate();
    },
  };
}
