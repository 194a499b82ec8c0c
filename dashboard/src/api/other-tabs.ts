import { endSession, session, sessionChannel } from './session-state.js';
import { clearAnswers } from './use-query.js';

/** Follows what other tabs of this browser do. */
export function followOtherTabs(): void {
  sessionChannel.onmessage = ({ data }) => {
    // First, so that no view of the session before asks again with the cookie of the new one.
    if (data === 'signedOut') endSession();
    else session.value = { state: 'unknown' };
    clearAnswers();
  };
}
