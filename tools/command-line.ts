// What the commands of tools share: how an error reaches the terminal, and how an option is parsed.
import { InvalidArgumentError } from 'commander';
import { printable } from '../cli/output/text.js';
import { DomainError } from '../src/domain/errors.js';

/**
 * Runs the work of a command. An error that the user can fix goes to standard error without a stack,
 * and the command exits with 1. Any other error is thrown.
 */
export async function runCommand(work: () => Promise<unknown>): Promise<void> {
  // A process may run several commands, and an error may come after the work.
  process.stdout.off('error', endWithoutOutput).on('error', endWithoutOutput);
  try {
    await work();
  } catch (error) {
    // It knows the errors of settings and database, which load longer than most commands run.
    const { explainError } = await import('../src/process/explain-error.js');
    const reason = error instanceof DomainError ? describeDomainError(error) : explainError(error);
    if (reason === undefined) throw error;
    process.stderr.write(`${reason.split('\n').map(printable).join('\n')}\n`);
    process.exitCode = 1;
  }
}

/** A reader such as `head` that has enough is no error; a full disk is. */
function endWithoutOutput({ code, message }: NodeJS.ErrnoException): never {
  if (code === 'EPIPE') process.exit(0);
  process.stderr.write(`Cannot write to standard output: ${message}\n`);
  process.exit(1);
}

function describeDomainError({ errors }: DomainError): string {
  const lines = errors.map(({ detail, param }) => (param ? `${param}: ${detail}` : detail));
  // Escaped before they are joined: a detail may quote a line break.
  return lines.map(printable).join('\n');
}

/** Returns a parser of integers from `min` to `max` for options of commander. */
export function integer(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new InvalidArgumentError(`Must be an integer from ${min} to ${max}.`);
    }
    return value;
  };
}
