import type { Read, Statement } from '../tx.js';

/** No turn and no rest lasts as long: PostgreSQL's clock was set back since. */
const longestUntil = `interval '10 minutes'`;

const takeStatement: Statement = {
  name: 'alone_turn_take',
  text: `
    update solitude set holder = $1, until = now() + $2::int * interval '1 millisecond'
     where until <= now() or until > now() + ${longestUntil} or holder = $1
    returning holder`,
};

const endStatement: Statement = {
  name: 'alone_turn_end',
  text: `
    update solitude set holder = null, until = now() + $2::int * interval '1 millisecond'
     where holder = $1`,
};

/**
 * Takes the turn to run chains alone, of which there is one for all processes.
 * @param holder the process, below 2^53; it may take again what it holds
 * @param longestMs the turn ends then by itself, as it does when the process dies
 * @returns false while another process has it or all of them rest
 */
export async function takeAloneTurn(
  read: Read,
  holder: number,
  longestMs: number,
): Promise<boolean> {
  const taken = await read.sql(takeStatement, [holder, Math.ceil(longestMs)]);
  return taken.length > 0;
}

/** Ends the turn of `holder`; nobody takes one for `restMs`. Nothing if another process has it by now. */
export async function endAloneTurn(read: Read, holder: number, restMs: number): Promise<void> {
  await read.sql(endStatement, [holder, Math.ceil(restMs)]);
}
