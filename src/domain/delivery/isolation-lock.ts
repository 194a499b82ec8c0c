import type { Read, Statement } from '../tx.js';

/**
 * No lock or cooldown lasts this long. A later `until` means that PostgreSQL's clock was set back.
 */
const maxLock = `interval '10 minutes'`;

const acquireStatement: Statement = {
  name: 'isolation_lock_acquire',
  text: `
    update isolation_lock set holder = $1, until = now() + $2::int * interval '1 millisecond'
     where until <= now() or until > now() + ${maxLock} or holder = $1
    returning holder`,
};

const releaseStatement: Statement = {
  name: 'isolation_lock_release',
  text: `
    update isolation_lock set holder = null, until = now() + $2::int * interval '1 millisecond'
     where holder = $1`,
};

/**
 * Acquires the lock for running isolated pending deliveries. All processes share one lock.
 * @param holder the process, below 2^53; it may acquire again what it holds
 * @param lockMs the lock ends after this time, for example when the process has died
 * @returns false while another process holds it, or during the cooldown
 */
export async function acquireIsolationLock(
  read: Read,
  holder: number,
  lockMs: number,
): Promise<boolean> {
  const taken = await read.sql(acquireStatement, [holder, Math.ceil(lockMs)]);
  return taken.length > 0;
}

/**
 * Releases the lock of `holder` and starts a cooldown of `cooldownMs`, in which no process acquires
 * it. Does nothing if another process holds it.
 */
export async function releaseIsolationLock(
  read: Read,
  holder: number,
  cooldownMs: number,
): Promise<void> {
  await read.sql(releaseStatement, [holder, Math.ceil(cooldownMs)]);
}
