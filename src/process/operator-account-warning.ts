import { getAccount } from '../domain/account/accounts.js';
import { DomainError } from '../domain/errors.js';
import type { Read } from '../domain/tx.js';

/** The warning for an OPERATOR_ACCOUNT that does not exist; else undefined. */
export async function operatorAccountWarning(read: Read): Promise<string | undefined> {
  const { operatorAccount } = read.rules;
  if (operatorAccount === undefined) return undefined;
  try {
    await getAccount(read, operatorAccount);
    return undefined;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return `OPERATOR_ACCOUNT names no account: the events about endpoints go to no operator`;
  }
}
