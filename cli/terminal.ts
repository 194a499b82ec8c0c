import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { exitCodes, Failure } from './failure.js';
import { printable } from './output/text.js';

/** Asks for confirmation. @throws Failure unless the answer is yes, or if there is no terminal */
export async function confirm(question: string): Promise<void> {
  if (!process.stdin.isTTY) {
    throw new Failure(`${question} Confirm with --yes.`, exitCodes.usage);
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

/** Reads a file as text, or standard input for `-`. */
export async function readInput(file: string): Promise<string> {
  return file === '-' ? text(process.stdin) : readFile(file, 'utf8');
}

const largestSecret = 4_096;

/** Reads a secret: from a terminal without showing it, otherwise all of standard input. */
export async function readSecret(question: string): Promise<string> {
  if (!process.stdin.isTTY) return text(process.stdin);
  process.stderr.write(question);
  process.stdin.setRawMode(true);
  process.stdin.setEncoding('utf8');
  try {
    return await typed(process.stdin);
  } finally {
    process.stdin.setRawMode(false);
    process.stdin.pause();
    process.stderr.write('\n');
  }
}

async function typed(stdin: AsyncIterable<Buffer | string>): Promise<string> {
  let secret = '';
  for await (const chunk of stdin) {
    for (const character of String(chunk)) {
      if (character === '\r' || character === '\n' || character === '\u0004') return secret;
      if (character === '\u0003') throw new Failure('', exitCodes.interrupted);
      if (character === '\u007f' || character === '\b') secret = secret.slice(0, -1);
      else if (secret.length < largestSecret) secret += character;
    }
  }
  return secret;
}
