import { DomainError } from '../../src/domain/errors.js';
import { explainError } from '../../src/process/explain-error.js';

/**
 * Does the work of a command. What its user can put right is told on standard error, without a stack,
 * and the command ends with 1; everything else is thrown.
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
