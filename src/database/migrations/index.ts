import { Initial1764000000000 } from './0001-initial.js';
import { CheckoutExpiry1764000004000 } from './0004-checkout-expiry.js';

/** All migrations in order; a list, not a glob, so that it is the same under every build. */
export const migrations = [Initial1764000000000, CheckoutExpiry1764000004000];
