import type { ServiceConfig } from '../../src/config/config.js';
import { createAccount } from '../../src/domain/account/accounts.js';
import { createCredential } from '../../src/domain/account/credentials.js';
import { createLogger } from '../../src/process/log.js';
import { openDatabase } from '../../src/process/open-database.js';

/** The account of a new user, with a live key. Its token is stored nowhere. */
export interface FirstAccount {
  readonly id: string;
  readonly token: string;
}

/** Creates an account with an owner and a live key. */
export async function createFirstAccount(config: ServiceConfig): Promise<FirstAccount> {
  const log = createLogger('launcher', 'silent');
  const database = await openDatabase(config, { name: 'first-account', log });
  try {
    return await database.transact(async (tx) => {
      const { id } = await createAccount(tx, { name: 'First account' });
      const { token } = await createCredential(tx, { account: id, kind: 'live', role: 'owner' });
      return { id, token };
    });
  } finally {
    await database.close();
  }
}
