import type { Tx } from '../tx.js';
import { Offer } from './offer.entity.js';

type OfferChanges = Partial<
  Pick<Offer, 'sendCount' | 'sentAt' | 'acceptedAt' | 'cancelledAt' | 'orderId'>
>;

/**
 * Changes an offer that the caller has locked, in the database and in `offer`. Its `updatedAt` moves
 * forward: to `at`, or by a millisecond if it is later already.
 */
export async function changeOffer(
  tx: Tx,
  offer: Offer,
  at: Date,
  changes: OfferChanges,
): Promise<void> {
  const updatedAt = new Date(Math.max(at.getTime(), offer.updatedAt.getTime() + 1));
  Object.assign(offer, changes, { updatedAt });
  await tx.manager.update(Offer, { id: offer.id }, { ...changes, updatedAt });
}
