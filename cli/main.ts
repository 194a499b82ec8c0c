#!/usr/bin/env node
import { CommanderError } from 'commander';
import { exitCodes, Failure } from './failure.js';
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
    if (error.message !== '') process.stderr.write(`${error.message}\n`);
    process.exitCode = error.exitCode;
  } else {
    const { code, message } = error as NodeJS.ErrnoException;
    // Such as a folder that cannot be written: its text says all that a user needs.
    if (code === undefined) throw error;
    process.stderr.write(`${message}\n`);
    process.exitCode = exitCodes.refused;
  }
}
