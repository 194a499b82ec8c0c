import { DomainError } from '../errors.js';
import type { Offer } from './offer.entity.js';

/** The status of an offer. It is not stored: each read derives it from the row and the time. */
export type OfferStatus = (typeof offerStatuses)[number];
export const offerStatuses = ['draft', 'sent', 'accepted', 'cancelled', 'expired'] as const;

/** Returns the status of an offer at `now`. An accepted or cancelled offer stays so after its expiry. */
export function statusOf(
  offer: Pick<Offer, 'acceptedAt' | 'cancelledAt' | 'expiresAt' | 'sentAt'>,
  now: Date,
): OfferStatus {
  if (offer.acceptedAt !== null) return 'accepted';
  if (offer.cancelledAt !== null) return 'cancelled';
  if (now.getTime() >= offer.expiresAt.getTime()) return 'expired';
  return offer.sentAt === null ? 'draft' : 'sent';
}

/** At most this many mails about one offer. */
const maxMails = 10;
/** This many mails need no cooldown: the account may have to correct the first one at once. */
const mailBurst = 2;
/** The least time between later mails. */
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
