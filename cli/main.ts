#!/usr/bin/env node
import { CommanderError } from 'commander';
import { exitCodes, Failure } from './failure.js';
import { printable } from './output/printable.js';
import { createProgram } from './program.js';

process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  // A reader such as `head` that has enough is no error.
  if (code === 'EPIPE') process.exit(0);
  process.stderr.write(`Cannot write to standard output: ${message}\n`);
  process.exit(exitCodes.refused);
});

try {
  await createProgram().parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : exitCodes.usage;
  } else if (error instanceof Failure) {
    if (error.message !== '') say(error.lines);
    process.exitCode = error.exitCode;
  } else {
    const { code, message, stack = message } = error as NodeJS.ErrnoException;
    // Such as a folder that cannot be written: its text says all that a user needs.
    say(code === undefined ? stack.split('\n') : [message]);
    process.exit(exitCodes.refused);
  }
}

/** Errors quote what others sent, too. */
function say(lines: readonly string[]): void {
  process.stderr.write(`${lines.map(printable).join('\n')}\n`);
}
