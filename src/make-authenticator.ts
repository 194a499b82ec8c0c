import { Turns } from './database/turns.js';
import { Authenticator } from './rest/authenticator.js';

/** Look-ups of tokens that are not known: they never take the connections of those that are. */
const strangerTurns = { atOnce: 2, waiting: 1_000, patienceMs: 1_000 };

/** The {@link Authenticator} of a process, for both of its doors. */
export function makeAuthenticator(perMinute: number): Authenticator {
  const strangers = new Turns(strangerTurns);
  return new Authenticator({ perMinute, turn: () => strangers.take('unknown tokens') });
}
