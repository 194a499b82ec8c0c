import { recordChange } from '../audit/record-change.js';
import { getAccount } from '../account/accounts.js';
import { formatAmount } from '../commerce/format-amount.js';
import { publishEvent } from '../event/publish.js';
import { enqueueNotices } from '../notice/enqueue-notices.js';
import type { Tx } from '../tx.js';
import { changeOffer } from './change-offer.js';
import { lockOffer } from './lock-offer.js';
import type { Offer } from './offer.entity.js';
import { offerData } from './offer-data.js';
import { assertMailAllowed, assertTransition, statusOf } from './offer-status.js';
import { offerUrl, type OfferView, offerView } from './offers.js';

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
  await changeOffer(tx, offer, tx.now, { cancelledAt: tx.now });
  recordChange(tx, { action: 'offer_cancelled', account, resource: id });
  return publishOfferEvent(tx, offer, 'offer.cancelled');
}

async function enqueueMail(tx: Tx, offer: Offer): Promise<OfferView> {
  const { id, accountId, recipientEmail, title, message, totals, expiresAt } = offer;
  const sent = { sendCount: offer.sendCount + 1, sentAt: offer.sentAt ?? tx.now };
  await changeOffer(tx, offer, tx.now, sent);
  recordChange(tx, { action: 'offer_sent', account: accountId, resource: id });
  const { name: seller } = await getAccount(tx, accountId);
  await enqueueNotices(tx, [
    {
      kind: 'offer_sent',
      accountId,
      resourceId: id,
      recipient: recipientEmail,
      data: {
        seller,
        title,
        message,
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
