import { ConfigError } from '../config/config.js';
import { MigrationBlocked } from '../database/migration-blocked.js';
import { SchemaMismatch, UnsupportedSchema } from '../database/schema-check.js';
import { isUnavailable } from '../domain/unavailable.js';

/** Something that only the operator can put right; the message says what, and how. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}

/** PostgreSQL does not let this user in, has no such database, or grants too little. */
const accessErrors = /^(?:28|3D|42501)/;

/** What TLS says of a server that is not the one, or not as, it should be. */
const tlsErrors = /^(?:ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)|SSL connections/;

/** How deep causes are followed. */
const maxDepth = 3;

/**
 * Says in plain words what an operator can put right: settings, migrations, a database that does not
 * answer or refuses, a port that is taken. Undefined for faults of ours, whose stack is needed.
 */
export function explainError(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, syscall, address, port } = error as NodeJS.ErrnoException & Record<string, unknown>;
  const reason = errorMessage(error);
  if (
    error instanceof ConfigError ||
    error instanceof SchemaMismatch ||
    error instanceof MigrationBlocked ||
    error instanceof OperatorError
  ) {
    return error.message;
  }
  if (syscall === 'listen') return `Cannot listen on ${String(address)}:${String(port)}: ${reason}`;
  if (typeof code === 'string' && accessErrors.test(code)) {
    return `PostgreSQL refuses the connection of DATABASE_URL: ${reason}`;
  }
  if (tlsErrors.test(code ?? error.message)) {
    return `PostgreSQL cannot be reached over TLS: ${reason}`;
  }
  if (isUnavailable(error)) return `PostgreSQL does not answer: ${reason}`;
  return undefined;
}

/**
 * The same error, except that the refusal of a database names the folder `dataDir` that it lies in: its
 * operator never gave it a name.
 */
export function inDataDir(error: unknown, dataDir: string): unknown {
  if (!(error instanceof UnsupportedSchema)) return error;
  const nextStep = `delete the folder ${dataDir}, or set DATA_DIR to another one`;
  return new UnsupportedSchema(error.first, `The database in ${dataDir}`, nextStep);
}

/** The message of an error; where it only wraps others, as for several addresses, theirs. */
export function errorMessage(error: unknown, depth = 0): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== '' || depth >= maxDepth) return error.message;
  const inner = error instanceof AggregateError ? (error.errors as unknown[]) : [error.cause];
  return inner.map((each) => errorMessage(each, depth + 1)).join(', ');
}

/**
 * The result of `read`, such as the settings; without it the process ends with 1 after a message for
 * its operator.
 */
export function orExit<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    const reason = explainError(error);
    if (reason === undefined) throw error;
    process.stderr.write(`${reason}\n`);
    process.exit(1);
  }
}
