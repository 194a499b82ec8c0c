import { type Purge, purgeOf } from '../purge.js';

const purgeSent = purgeOf('notice', 'sent_at', '40 days');
const purgeRefused = purgeOf('notice', 'refused_at', '40 days');

/**
 * Deletes notices that were sent or refused more than 40 days ago, at most `limit` of each, because
 * nothing needs their addresses any longer.
 */
export const purgeNotices: Purge = async (tx, limit) =>
  (await purgeSent(tx, limit)) + (await purgeRefused(tx, limit));
