import { DomainError } from '../../src/domain/errors.js';
import { explainError } from '../../src/process/explain-error.js';

/**
 * Runs the work of a command. An error that the user can fix goes to standard error without a stack,
 * and the command exits with 1. Any other error is thrown.
 */
export async function runCommand(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const reason = error instanceof DomainError ? describeDomainError(error) : explainError(error);
    if (reason === undefined) throw error;
    process.stderr.write(`${reason}\n`);
    process.exitCode = 1;
  }
}

function describeDomainError({ errors }: DomainError): string {
  return errors.map(({ detail, param }) => (param ? `${param}: ${detail}` : detail)).join('\n');
}
