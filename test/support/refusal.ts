import { DomainError, type Issue } from '../../src/domain/errors.js';

/** What a refused call was refused with. */
export interface ApiError {
  readonly code: string;
  readonly errors: readonly Issue[];
}

/**
 * The refusal that `work` ends with.
 * @throws Error when it succeeds or fails in another way
 */
export async function refusalOf(work: Promise<unknown>): Promise<ApiError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof DomainError) return { code: error.code, errors: error.errors };
    throw error;
  }
  throw new Error('it was not refused');
}

/** The refusal's entries as "code param". */
export async function issuesOf(work: Promise<unknown>): Promise<string[]> {
  const { errors } = await refusalOf(work);
  return errors.map(({ code, param }) => (param === undefined ? code : `${code} ${param}`));
}
