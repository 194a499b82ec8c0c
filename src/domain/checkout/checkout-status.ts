import type { Checkout } from './checkout.entity.js';

/** What became of a checkout; judged when it is looked at (A21–A23). */
export type CheckoutStatus = 'open' | 'completed' | 'expired';

/** What the status of a checkout hangs on; both of the offer are null when it has none. */
export interface CheckoutState extends Pick<Checkout, 'orderId' | 'expiresAt'> {
  /** Whether the offer was cancelled or accepted. */
  readonly offerClosed: boolean | null;
  readonly offerExpiresAt: Date | null;
}

/** Joins what {@link CheckoutState} has of an offer to the rows of `checkout`. */
export const checkoutJoinOffer = `checkout left join lateral (
    select o.cancelled_at is not null or o.accepted_at is not null as "offerClosed",
           o.expires_at as "offerExpiresAt"
      from offer o where o.id = checkout.offer_id limit 1) offer on true`;

/** The instant from which on no payment can begin: the expiry of the checkout, or of its offer. */
export function payableUntil({
  expiresAt,
  offerExpiresAt,
}: Pick<CheckoutState, 'expiresAt' | 'offerExpiresAt'>): Date {
  return offerExpiresAt !== null && offerExpiresAt < expiresAt ? offerExpiresAt : expiresAt;
}

/**
 * What a checkout is at `now`; one that has an order is completed, even after its expiry (A22).
 * Closed is one that would be open, but its offer was cancelled, or accepted in another checkout.
 */
export function statusOf(checkout: CheckoutState, now: Date): CheckoutStatus | 'closed' {
  if (checkout.orderId !== null) return 'completed';
  if (now.getTime() >= payableUntil(checkout).getTime()) return 'expired';
  return checkout.offerClosed ? 'closed' : 'open';
}
