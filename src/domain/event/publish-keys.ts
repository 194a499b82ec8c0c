import { purgeOf } from '../purge.js';

/** Deletes keys of published events that have expired. */
export const purgePublishKeys = purgeOf('publish_key', 'expires_at');
