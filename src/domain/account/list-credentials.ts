import { selectionOf } from '../columns.js';
import type { Read, Statement } from '../tx.js';
import { getAccount } from './accounts.js';
import type { Credential } from './credential.entity.js';
import { keyPermissions, type Permissions } from './permission.js';

/** A credential as operators see it: without its hash, with the levels it was issued with. */
export type CredentialView = Omit<Credential, 'tokenSha256' | 'webhooksLevel' | 'ordersLevel'> &
  Permissions;

const columns = selectionOf([
  'id',
  'accountId',
  'memberId',
  'kind',
  'level',
  'webhooksLevel',
  'ordersLevel',
  'last4',
  'createdAt',
  'expiresAt',
  'revokedAt',
  'lastUsedAt',
]);

const allStatement: Statement = {
  name: 'credential_list',
  text: `select ${columns} from credential where account_id = $1 order by id`,
};

/** Uses an index without dashboard tokens, of which there may be very many. */
const keysStatement: Statement = {
  name: 'credential_keys',
  text: `select ${columns} from credential
          where account_id = $1 and kind in ('live', 'legacy') and revoked_at is null
          order by id desc limit 200`,
};

/**
 * Returns the account's credentials, oldest first, without tokens and hashes.
 * @throws DomainError not_found
 */
export async function listCredentials(read: Read, account: string): Promise<CredentialView[]> {
  await getAccount(read, account);
  return readViews(read, allStatement, account);
}

/** Returns the API keys of an account that are not revoked, newest first, at most 200. */
export function listApiKeys(read: Read, account: string): Promise<CredentialView[]> {
  return readViews(read, keysStatement, account);
}

async function readViews(
  read: Read,
  statement: Statement,
  account: string,
): Promise<CredentialView[]> {
  const rows = await read.sql<Omit<Credential, 'tokenSha256'>>(statement, [account]);
  return rows.map(({ webhooksLevel, ordersLevel, ...view }) => ({
    ...view,
    ...keyPermissions({ level: view.level, webhooksLevel, ordersLevel }),
  }));
}
