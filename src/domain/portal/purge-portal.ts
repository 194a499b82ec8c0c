import { purgeOf } from '../purge.js';

/** Deletes portal sessions older than 7 days, when they end. */
export const purgePortalSessions = purgeOf('portal_session', 'created_at', '7 days');

/** Deletes portal links older than 7 days. They work no longer than that. */
export const purgePortalLinks = purgeOf('portal_link', 'created_at', '7 days');
