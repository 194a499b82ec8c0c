import type { ServiceConfig } from '../../src/config/config.js';
import { createAccount, listMembers } from '../../src/domain/account/accounts.js';
import { createCredential } from '../../src/domain/account/credentials.js';
import { commandActor } from '../../src/domain/transaction/actor.js';
import { printLink } from '../../src/domain/session/sign-in-links.js';
import { createLogger } from '../../src/process/log.js';
import { openDatabase } from '../../src/process/open-database.js';

/** The account of a new user, with a live key and a link. Their secrets are stored nowhere. */
export interface FirstAccount {
  readonly id: string;
  readonly token: string;
  /** Signs the owner in to the dashboard; undefined where members sign in at the provider only. */
  readonly link: string | undefined;
}

/** Creates an account with an owner, a live key and a link for the owner. */
export async function createFirstAccount(config: ServiceConfig): Promise<FirstAccount> {
  const log = createLogger('launcher', 'silent');
  const database = await openDatabase(config, { name: 'first-account', log, actor: commandActor });
  try {
    return await database.transact(async (tx) => {
      const { id } = await createAccount(tx, { name: 'First account' });
      const { token } = await createCredential(tx, { account: id, kind: 'live', role: 'owner' });
      const [owner] = await listMembers(tx, id);
      const link = tx.rules.signInByProviderOnly ? undefined : await printLink(tx, owner?.id ?? '');
      return { id, token, link };
    });
  } finally {
    await database.close();
  }
}
