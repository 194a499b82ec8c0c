import { purgeOf } from '../purge.js';
import { maxDays } from './session-rows.js';

/** Deletes sessions older than 7 days. */
export const purgeSessions = purgeOf('session', 'created_at', `${maxDays} days`);

/** Deletes sessions of operators older than 7 days. */
export const purgeOperatorSessions = purgeOf('operator_session', 'created_at', `${maxDays} days`);

/**
 * Deletes sign-in links older than an hour. They are kept longer than they open a session, because they
 * limit the mails to an address.
 */
export const purgeLinks = purgeOf('sign_in_link', 'created_at', '1 hour');
