import type { Read, Statement } from '../tx.js';

/** No turn and no rest lasts as long: PostgreSQL's clock was set back since. */
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
 * Takes the turn to run pending deliveries alone, of which there is one for all processes.
 * @param holder the process, below 2^53; it may take again what it holds
 * @param lockMs the turn ends then by itself, as it does when the process dies
 * @returns false while another process has it or all of them rest
 */
export async function acquireIsolationLock(
  read: Read,
  holder: number,
  lockMs: number,
): Promise<boolean> {
  const taken = await read.sql(acquireStatement, [holder, Math.ceil(lockMs)]);
  return taken.length > 0;
}

/** Ends the turn of `holder`; nobody takes one for `cooldownMs`. Nothing if another process has it by now. */
export async function releaseIsolationLock(
  read: Read,
  holder: number,
  cooldownMs: number,
): Promise<void> {
  await read.sql(releaseStatement, [holder, Math.ceil(cooldownMs)]);
}
