import { once } from 'node:events';

/** The argument of a process that the launcher starts before its database is there. */
export const startGateArgument = '--held';

/** What the launcher sends when the process may go on. */
export const openStartGate = { begin: true } as const;

/**
 * Waits for the launcher's word where the process was started with {@link startGateArgument}, so that it
 * loads its modules while PostgreSQL starts; else returns at once. Ends the process when the launcher
 * is gone: nothing was begun.
 */
export async function waitForStartGate(): Promise<void> {
  if (!process.argv.includes(startGateArgument)) return;
  const exitWithoutParent = () => process.exit(0);
  if (!process.connected) exitWithoutParent();
  process.once('disconnect', exitWithoutParent);
  // Sent earlier, it has waited for the first who listens.
  await once(process, 'message');
  process.off('disconnect', exitWithoutParent);
}
