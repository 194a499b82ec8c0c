import { createAuthenticator } from '../api/create-authenticator.js';
import { operatorLookUp } from '../dashboard-server/find-operator.js';
import { sessionLookUp } from '../dashboard-server/find-viewer.js';

/** Makes what finds the holders of bearer tokens, and of the cookies of members and of operators. */
export function createAuthenticators(perMinute: number) {
  const authenticator = createAuthenticator(perMinute);
  const sessions = createAuthenticator(perMinute, sessionLookUp);
  const operatorSessions = createAuthenticator(perMinute, operatorLookUp);
  return {
    ...{ authenticator, sessions, operatorSessions },
    /** Drops every viewer that they keep. */
    invalidateAll: () => {
      for (const each of [authenticator, sessions, operatorSessions]) each.invalidate();
    },
  };
}
