import { getAccount } from '../account/accounts.js';
import { recordChange } from '../audit/audit-log.js';
import { formatAmount } from '../commerce/money.js';
import { DomainError } from '../errors.js';
import { publishEvent } from '../event/publish.js';
import { enqueueNotices } from '../notice/notices.js';
import type { Tx } from '../transaction/tx.js';
import { Offer } from './offer.entity.js';
import {
  type AcceptingOrder,
  lockOffer,
  offerAcceptedData,
  offerData,
  type OfferStatus,
  offerUrl,
  type OfferView,
  offerView,
  statusOf,
} from './offers.js';

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

/**
 * Records that the payment of `order` accepts the offer, and publishes `offer.accepted`.
 * The caller has locked the offer and checked that it is open.
 */
export async function acceptOffer(tx: Tx, offer: Offer, order: AcceptingOrder): Promise<void> {
  const { completedAt: acceptedAt, id: orderId } = order;
  await changeOffer(tx, offer, acceptedAt, { acceptedAt, orderId });
  await publishEvent(tx, offer.accountId, {
    type: 'offer.accepted',
    subject: `offer:${offer.id}`,
    data: offerAcceptedData(offer, order),
  });
}

/** At most this many mails are sent about one offer. */
const maxMails = 10;
/** This many mails may follow each other at once: the account may have to correct the first one. */
const mailBurst = 2;
/** Later mails are sent at least this long apart. */
const mailCooldownMs = 60_000;

/**
 * Limits how many mails a recipient gets about one offer.
 * @param offer must be sent: its `updatedAt` is then the time of its last mail
 * @throws DomainError offer_state_conflict
 */
export function assertMailAllowed(
  { sendCount, updatedAt }: Pick<Offer, 'sendCount' | 'updatedAt'>,
  now: Date,
): void {
  if (sendCount >= maxMails) {
    throw new DomainError(
      'offer_state_conflict',
      `The offer cannot be resent: it has reached its limit of ${maxMails} mails.`,
    );
  }
  const waitMs = updatedAt.getTime() + mailCooldownMs - now.getTime();
  if (sendCount < mailBurst || waitMs <= 0) return;
  const detail = `The offer cannot be resent within ${mailCooldownMs / 1_000} seconds of its last mail.`;
  const retryAfterSeconds = Math.ceil(waitMs / 1_000);
  throw new DomainError('offer_state_conflict', detail, undefined, retryAfterSeconds);
}

/** A change of an offer, named after the resulting state. */
export type OfferTransition = 'sent' | 'resent' | 'cancelled' | 'paid';

const allowedFrom: Readonly<Record<OfferTransition, readonly OfferStatus[]>> = {
  sent: ['draft'],
  resent: ['sent'],
  cancelled: ['draft', 'sent'],
  paid: ['sent'],
};

const statusLabels: Readonly<Record<OfferStatus, string>> = {
  draft: 'still a draft',
  sent: 'already sent',
  accepted: 'accepted',
  cancelled: 'cancelled',
  expired: 'expired',
};

/** @throws DomainError offer_state_conflict when an offer of this status does not allow the transition */
export function assertTransition(status: OfferStatus, transition: OfferTransition): void {
  if (allowedFrom[transition].includes(status)) return;
  const detail = `The offer cannot be ${transition}: it is ${statusLabels[status]}.`;
  throw new DomainError('offer_state_conflict', detail);
}

type OfferChanges = Partial<
  Pick<Offer, 'sendCount' | 'sentAt' | 'acceptedAt' | 'cancelledAt' | 'orderId'>
>;

/**
 * Changes an offer that the caller has locked, in the database and in `offer`. Its `updatedAt` moves
 * forward: to `at`, or by a millisecond if it is later already.
 */
async function changeOffer(tx: Tx, offer: Offer, at: Date, changes: OfferChanges): Promise<void> {
  const updatedAt = new Date(Math.max(at.getTime(), offer.updatedAt.getTime() + 1));
  Object.assign(offer, changes, { updatedAt });
  await tx.manager.update(Offer, { id: offer.id }, { ...changes, updatedAt });
}
