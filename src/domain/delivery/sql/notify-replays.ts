import type { Statement, Tx } from '../../tx.js';
import type { EndedAttempt } from '../rules/attempt.js';

/** Where PostgreSQL tells that replays have settled or ended; whoever listens looks for itself. */
export const replayChannel = 'signalpost_replay';

const notifyStatement: Statement = {
  name: 'replay_notify',
  text: `select pg_notify('${replayChannel}', '')`,
};

/** Signals once if somebody may wait for one of these; NOTIFY serialises commits, so never per row. */
export async function notifyReplays(tx: Tx, recorded: readonly EndedAttempt[]): Promise<void> {
  const waitedFor = recorded.some(
    ({ claim }) => claim.replayedFrom !== null && claim.attempt === 1,
  );
  if (waitedFor) await signalReplays(tx);
}

/** Signals with the commit that a replay has settled or ended without an attempt. */
export async function signalReplays(tx: Tx): Promise<void> {
  await tx.sql(notifyStatement, []);
}
