import { createAccount } from '../../src/domain/account/accounts.js';
import { createCredential } from '../../src/domain/account/credentials.js';
import type { CredentialKind } from '../../src/domain/account/token.js';
import type { KeyLevel, Role } from '../../src/domain/account/permission.js';
import type { Service } from './service.js';

/** An account with a credential of its own. */
export interface TestAccount {
  readonly account: string;
  readonly token: string;
}

/** What the credential may do; a live key of an owner unless said otherwise. */
export interface Credentialled {
  readonly account?: string;
  readonly kind?: CredentialKind;
  readonly role?: Role;
  readonly level?: KeyLevel;
}

/** Makes an account, or takes the one named, and a credential for it, as the admin command does. */
export async function createTestAccount(
  service: Pick<Service, 'database'>,
  { account, kind = 'live', role = 'owner', level = 'full' }: Credentialled = {},
): Promise<TestAccount> {
  const database = await service.database.open();
  return database.transact(async (tx) => {
    const id = account ?? (await createAccount(tx, { name: 'Test' })).id;
    const { token } = await createCredential(tx, { account: id, kind, role, level });
    return { account: id, token };
  });
}
