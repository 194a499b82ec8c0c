import type { Offer } from './offer.entity.js';
import { statusOf } from './offer-status.js';
import type { Read, Statement } from '../tx.js';
import type { NoticeClaim } from '../notice/claim.js';

const offerStateStatement: Statement = {
  name: 'notice_offer',
  text: `
    select sent_at as "sentAt", accepted_at as "acceptedAt", cancelled_at as "cancelledAt",
           expires_at as "expiresAt", now() as now
      from offer where id = $1`,
};

type Row = Pick<Offer, 'sentAt' | 'acceptedAt' | 'cancelledAt' | 'expiresAt'> & {
  readonly now: Date;
};

/**
 * Says whether a notice is still worth sending. An offer can end while its mail waits for the mail server.
 * An endpoint's owner must learn that it was disabled, even when it is active again.
 */
export async function isStillRelevant(
  read: Read,
  { kind, entries }: Pick<NoticeClaim, 'kind' | 'entries'>,
): Promise<boolean> {
  if (kind !== 'offer_sent') return true;
  const resourceId = entries[0]?.resourceId;
  const [offer] = await read.sql<Row>(offerStateStatement, [resourceId]);
  return offer !== undefined && statusOf(offer, offer.now) === 'sent';
}
