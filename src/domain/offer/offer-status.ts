import { DomainError } from '../errors.js';
import type { Offer } from './offer.entity.js';

/** What became of an offer; judged when it is looked at. */
export type OfferStatus = 'draft' | 'sent' | 'accepted' | 'cancelled' | 'expired';

/** What an offer is at `now`; one that was accepted or cancelled stays so past its expiry. */
export function statusOf(
  offer: Pick<Offer, 'acceptedAt' | 'cancelledAt' | 'expiresAt' | 'sentAt'>,
  now: Date,
): OfferStatus {
  if (offer.acceptedAt !== null) return 'accepted';
  if (offer.cancelledAt !== null) return 'cancelled';
  if (now.getTime() >= offer.expiresAt.getTime()) return 'expired';
  return offer.sentAt === null ? 'draft' : 'sent';
}

/** How often an offer is sent at most. */
const maxMails = 10;
/** So many go out as soon as they are asked for: the first one may have a fault. */
const mailBurst = 2;
/** How long after a later mail the next one may go out. */
const mailCooldownMs = 60_000;

/**
 * Keeps a recipient from being sent too many mails about one offer.
 * @param offer one that is sent: nothing has moved it since its last mail
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

/** What can be done with an offer. */
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

/** @throws DomainError offer_state_conflict when an offer of this status cannot take this step */
export function assertTransition(status: OfferStatus, transition: OfferTransition): void {
  if (allowedFrom[transition].includes(status)) return;
  const detail = `The offer cannot be ${transition}: it is ${statusLabels[status]}.`;
  throw new DomainError('offer_state_conflict', detail);
}
