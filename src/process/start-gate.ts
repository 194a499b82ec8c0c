import { once } from 'node:events';

/** The argument that makes a process wait for the launcher, which starts it before the database exists. */
export const startGateArgument = '--start-gate';

/** The message by which the launcher opens the gate. */
export const openStartGate = { begin: true } as const;

/** The message by which the launcher says that it has printed what belongs above the log. */
export const openLogGate = { log: true } as const;

/** Whether this process was started to wait for the launcher. */
export function hasStartGate(): boolean {
  return process.argv.includes(startGateArgument) && process.connected;
}

/** Calls `listener` at the first message after the gate was opened: {@link openLogGate}. */
export function onLogGate(listener: () => void): void {
  process.once('message', listener);
}

/**
 * Waits until the launcher opens the gate. Without the argument {@link startGateArgument} it
 * returns at once. The process loads its modules while PostgreSQL starts. It exits if the launcher
 * is gone, because no work has begun.
 */
export async function waitForStartGate(): Promise<void> {
  if (!process.argv.includes(startGateArgument)) return;
  const exitWithoutParent = () => process.exit(0);
  if (!process.connected) exitWithoutParent();
  process.once('disconnect', exitWithoutParent);
  // A message sent earlier is queued until the first listener.
  await once(process, 'message');
  process.off('disconnect', exitWithoutParent);
}
