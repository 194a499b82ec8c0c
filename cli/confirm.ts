import { createInterface } from 'node:readline/promises';
import { exitCodes, Failure } from './failure.js';
import { printable } from './output/printable.js';

/** Asks on the terminal. @throws Failure unless the answer is yes, or without a terminal */
export async function confirm(question: string): Promise<void> {
  if (!process.stdin.isTTY) {
    throw new Failure(`${question} Repeat with --yes.`, exitCodes.usage);
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const interrupted = new AbortController();
  terminal.once('SIGINT', () => interrupted.abort());
  try {
    const { signal } = interrupted;
    const answer = await terminal.question(`${printable(question)} [y/N] `, { signal });
    if (!/^y(es)?$/i.test(answer.trim())) throw new Failure('Nothing was changed.');
  } catch (error) {
    if (interrupted.signal.aborted) throw new Failure('', exitCodes.interrupted);
    throw error;
  } finally {
    terminal.close();
  }
}
