import { getAccount } from '../account/accounts.js';
import { formatAmount } from '../commerce/format-amount.js';
import { publishEvent } from '../event/publish.js';
import { enqueueNotices } from '../notice/enqueue-notices.js';
import type { Statement, Tx } from '../tx.js';
import { lockOffer } from './lock-offer.js';
import type { Offer } from './offer.entity.js';
import { offerData } from './offer-data.js';
import { assertMailAllowed, assertTransition, statusOf } from './offer-status.js';
import { offerUrl, type OfferView, offerView } from './offers.js';

const markSentStatement: Statement = {
  name: 'offer-sent',
  text: `
    update offer set send_count = send_count + 1, sent_at = coalesce(sent_at, $2),
           updated_at = greatest($2, updated_at + interval '1 millisecond')
     where id = $1
    returning send_count as "sendCount", sent_at as "sentAt", updated_at as "updatedAt"`,
};

const markCancelledStatement: Statement = {
  name: 'offer-cancelled',
  text: `
    update offer set cancelled_at = $2,
           updated_at = greatest($2, updated_at + interval '1 millisecond')
     where id = $1
    returning cancelled_at as "cancelledAt", updated_at as "updatedAt"`,
};

/**
 * Sends a draft: enqueues one mail to the recipient and publishes `offer.sent`.
 * @throws DomainError not_found; offer_state_conflict when it is not a draft
 */
export async function sendOffer(tx: Tx, account: string, id: string): Promise<OfferView> {
  const offer = await lockOffer(tx, account, id);
  assertTransition(statusOf(offer, tx.now), 'sent');
  return enqueueMail(tx, offer);
}

/**
 * Sends an offer again: enqueues another mail and publishes another `offer.sent`.
 * @throws DomainError not_found; offer_state_conflict when the offer was never sent, is no longer open, was
 *   sent 10 times, or (from the third mail on) was sent within the last 60 seconds
 */
export async function resendOffer(tx: Tx, account: string, id: string): Promise<OfferView> {
  const offer = await lockOffer(tx, account, id);
  assertTransition(statusOf(offer, tx.now), 'resent');
  assertMailAllowed(offer, tx.now);
  return enqueueMail(tx, offer);
}

/**
 * Cancels an offer and publishes `offer.cancelled`. After this commit no checkout can pay the offer.
 * @throws DomainError not_found; offer_state_conflict when it was accepted, was cancelled or has expired
 */
export async function cancelOffer(tx: Tx, account: string, id: string): Promise<OfferView> {
  const offer = await lockOffer(tx, account, id);
  assertTransition(statusOf(offer, tx.now), 'cancelled');
  Object.assign(offer, ...(await tx.sql(markCancelledStatement, [id, tx.now])));
  return publishOfferEvent(tx, offer, 'offer.cancelled');
}

async function enqueueMail(tx: Tx, offer: Offer): Promise<OfferView> {
  const { id, accountId, recipientEmail, title, message, totals, expiresAt } = offer;
  Object.assign(offer, ...(await tx.sql(markSentStatement, [id, tx.now])));
  const { name: seller } = await getAccount(tx, accountId);
  await enqueueNotices(tx, [
    {
      kind: 'offer_sent',
      accountId,
      resourceId: id,
      recipient: recipientEmail,
      data: {
        ...{ seller, title, message },
        total: formatAmount(totals.totalMinorUnits, totals.currency),
        url: offerUrl(tx.rules.baseUrl, id),
        expiresAt: expiresAt.toISOString(),
      },
    },
  ]);
  return publishOfferEvent(tx, offer, 'offer.sent');
}

async function publishOfferEvent(tx: Tx, offer: Offer, type: string): Promise<OfferView> {
  const { accountId, id } = offer;
  const data = offerData(offer, tx.now);
  await publishEvent(tx, accountId, { type, subject: `offer:${id}`, data });
  return offerView(offer, tx.now, tx.rules.baseUrl);
}
