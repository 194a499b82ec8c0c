import { DomainError, type Issue } from '../../src/domain/errors.js';
import {
  authenticate,
  type AuthFailure,
  type Viewer,
} from '../../src/domain/account/credentials.js';
import type { Read } from '../../src/domain/transaction/tx.js';

/** The error of a refused call. */
interface ApiError {
  readonly code: string;
  readonly errors: readonly Issue[];
}

/**
 * Returns the error of `work`, which must be a DomainError.
 * @throws Error when `work` succeeds or fails in another way
 */
export async function refusalOf(work: Promise<unknown>): Promise<ApiError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof DomainError) return { code: error.code, errors: error.errors };
    throw error;
  }
  throw new Error('the call was not refused');
}

/** Returns the issues of a refusal as "code param". */
export async function issuesOf(work: Promise<unknown>): Promise<string[]> {
  const { errors } = await refusalOf(work);
  return errors.map(({ code, param }) => (param === undefined ? code : `${code} ${param}`));
}

/** Looks up who holds `token`, or why it is refused. */
export async function viewerOf(read: Read, token: string): Promise<Viewer | AuthFailure> {
  const viewer = await authenticate(read, token);
  return typeof viewer === 'string' ? viewer : viewer.viewer;
}
