import { Initial1764000000000 } from './0001-initial.js';

/** All migrations in order; a list, not a glob, so that it is the same under every build. */
export const migrations = [Initial1764000000000];
