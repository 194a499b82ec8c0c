import type { ServiceConfig } from '../config.js';
import { createAccount } from '../domain/account/accounts.js';
import { createCredential } from '../domain/account/credentials.js';
import { createLogger } from '../log.js';
import { openDatabase } from '../runtime.js';

const anyAccount = { name: 'launcher-any-account', text: 'select 1 as found from account limit 1' };

/** The account of a newcomer, with a live key whose token is stored nowhere. */
export interface FirstAccount {
  readonly id: string;
  readonly token: string;
}

/**
 * Makes an account with an owner and a live key where there is no account yet, so that a newcomer's
 * first request works.
 * @returns undefined when there are accounts already
 */
export async function makeFirstAccount(config: ServiceConfig): Promise<FirstAccount | undefined> {
  const log = createLogger('launcher', 'silent');
  const database = await openDatabase(config, { name: 'first-account', log });
  try {
    return await database.transact(async (tx) => {
      if ((await tx.sql(anyAccount, [])).length > 0) return undefined;
      const { id } = await createAccount(tx, { name: 'First account' });
      const { token } = await createCredential(tx, { account: id, kind: 'live', role: 'owner' });
      return { id, token };
    });
  } finally {
    await database.close();
  }
}
