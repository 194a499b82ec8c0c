import { once } from 'node:events';

/** The argument of a process that the launcher starts before its database is there. */
export const heldArgument = '--held';

/** What the launcher sends when the process may go on. */
export const release = { begin: true } as const;

/**
 * Waits for the launcher's word where the process was started with {@link heldArgument}, so that it
 * loads its modules while PostgreSQL starts; else returns at once. Ends the process when the launcher
 * is gone: nothing was begun.
 */
export async function untilReleased(): Promise<void> {
  if (!process.argv.includes(heldArgument)) return;
  const orphaned = () => process.exit(0);
  if (!process.connected) orphaned();
  process.once('disconnect', orphaned);
  // Sent earlier, it has waited for the first who listens.
  await once(process, 'message');
  process.off('disconnect', orphaned);
}
