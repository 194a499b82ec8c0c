import type { Statement, Tx } from '../../tx.js';
import type { EndedAttempt } from '../rules/attempt.js';

/**
 * The channel on which PostgreSQL notifies that a replay was recorded or ended. Listeners then
 * poll.
 */
export const replayChannel = 'signalpost_replay';

const notifyStatement: Statement = {
  name: 'replay_notify',
  text: `select pg_notify('${replayChannel}', '')`,
};

/**
 * Notifies once for all of these, if one is the first attempt of a replay. NOTIFY serialises
 * commits, so it is never sent per row.
 */
export async function notifyReplays(tx: Tx, recorded: readonly EndedAttempt[]): Promise<void> {
  if (recorded.some(isAwaitedReplay)) await signalReplays(tx);
}

/** Whether a caller may wait for this attempt: the first one of a replay. */
export function isAwaitedReplay({ claim, recovered = false }: EndedAttempt): boolean {
  return !recovered && claim.replayedFrom !== null && claim.attempt === 1;
}

/**
 * Notifies, when the transaction commits, that a replay was recorded or ended without an attempt.
 */
export async function signalReplays(tx: Tx): Promise<void> {
  await tx.sql(notifyStatement, []);
}
