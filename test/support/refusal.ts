import { DomainError, type ErrorEntry } from '../../src/domain/errors.js';

/** What a refused call was refused with. */
export interface Refused {
  readonly code: string;
  readonly errors: readonly ErrorEntry[];
}

/**
 * The refusal that `work` ends with.
 * @throws Error when it succeeds or fails in another way
 */
export async function refusalOf(work: Promise<unknown>): Promise<Refused> {
  try {
    await work;
  } catch (error) {
    if (error instanceof DomainError) return { code: error.code, errors: error.errors };
    throw error;
  }
  throw new Error('it was not refused');
}

/** The refusal's entries as "code param". */
export async function faultsOf(work: Promise<unknown>): Promise<string[]> {
  const { errors } = await refusalOf(work);
  return errors.map(({ code, param }) => (param === undefined ? code : `${code} ${param}`));
}
