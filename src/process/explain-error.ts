import { ConfigError } from '../config/config.js';
import { MigrationBlocked, SchemaMismatch, UnsupportedSchema } from '../database/schema.js';
import { isUnavailable } from '../domain/transaction/unavailable.js';

/** An error that only the operator can fix. The message says what failed and the next step. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}

/** SQLSTATEs of failed authentication, a missing database, and missing privileges. */
const accessErrors = /^(?:28|3D|42501)/;

/** TLS errors: the certificate, its name, or missing TLS support of the server. */
const tlsErrors = /^(?:ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)|SSL connections/;

/** Levels of causes to follow. */
const maxDepth = 3;

/**
 * Explains errors that an operator can fix: settings, migrations, a database that is not responding or rejects
 * the connection, a port in use. Returns undefined for bugs, which need their stack.
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
    return `PostgreSQL rejected the connection (DATABASE_URL): ${reason}`;
  }

  if (tlsErrors.test(code ?? error.message)) {
    return `Cannot connect to PostgreSQL over TLS: ${reason}`;
  }

  if (isUnavailable(error)) return `PostgreSQL is not responding: ${reason}`;

  return undefined;
}

/**
 * Adds the folder `dataDir` to an error about an unsupported schema. The operator of an embedded
 * database knows it only by this folder.
 */
export function inDataDir(error: unknown, dataDir: string): unknown {
  if (!(error instanceof UnsupportedSchema)) return error;
  const nextStep = `delete the folder ${dataDir}, or set DATA_DIR to another one`;
  return new UnsupportedSchema(error.first, `The database in ${dataDir}`, nextStep);
}

/** Returns the message of an error. If it only wraps others, as for several addresses, joins theirs. */
export function errorMessage(error: unknown, depth = 0): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== '' || depth >= maxDepth) return error.message;
  const inner = error instanceof AggregateError ? (error.errors as unknown[]) : [error.cause];
  return inner.map((cause) => errorMessage(cause, depth + 1)).join(', ');
}

/**
 * Returns the result of `read`, such as the settings. If it fails with an explained error, prints
 * the explanation and exits with 1.
 */
export function exitOnConfigError<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    const reason = explainError(error);
    if (reason === undefined) throw error;
    process.stderr.write(`${reason}\n`);
    process.exit(1);
  }
}
