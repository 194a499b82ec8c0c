#!/usr/bin/env node
/**
 * The command `signalpost`. Results go to standard output and everything else to standard error. All text
 * from others is escaped before it reaches the terminal. Exit codes are those of `failure.ts`.
 */
import { CommanderError } from 'commander';
import { exitCodes, Failure } from './failure.js';
import { printable } from './output/text.js';
import { createProgram } from './program.js';

process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  // `head` closes the pipe when it has enough, which is not an error.
  if (code === 'EPIPE') process.exit(0);
  process.stderr.write(`Cannot write to standard output: ${message}\n`);
  process.exit(exitCodes.refused);
});

try {
  const program = await createProgram(process.argv.slice(2));
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : exitCodes.usage;
  } else if (error instanceof Failure) {
    if (error.message !== '') say(error.lines);
    process.exitCode = error.exitCode;
  } else {
    const { code, message, stack = message } = error as NodeJS.ErrnoException;
    // An error of the system, such as a read-only folder, explains itself; any other is a bug of ours.
    say(code === undefined ? stack.split('\n') : [message]);
    process.exit(exitCodes.refused);
  }
}

/** Escapes the lines: errors quote text from the service, too. */
function say(lines: readonly string[]): void {
  process.stderr.write(`${lines.map(printable).join('\n')}\n`);
}
