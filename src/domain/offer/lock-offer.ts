import { rowById } from '../rows.js';
import type { Statement, Tx } from '../tx.js';
import { Offer } from './offer.entity.js';

// Transactions that send, cancel or accept one offer queue here, so each sees what the previous one did.
const lockStatement: Statement = {
  name: 'offer-lock',
  text: 'select id from offer where id = $1 and account_id = $2 for no key update',
};

/**
 * Reads and locks an offer of the account; no other transaction changes it until `tx` ends.
 * @throws DomainError not_found
 */
export async function lockOffer(tx: Tx, account: string, id: string): Promise<Offer> {
  await rowById(tx, 'off', lockStatement, [id, account]);
  return tx.manager.findOneByOrFail(Offer, { id });
}
