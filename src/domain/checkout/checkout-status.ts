import type { Checkout } from './checkout.entity.js';

/** The status of a checkout. It is not stored: each read derives it from the row and the time. */
export type CheckoutStatus = (typeof checkoutStatuses)[number];
export const checkoutStatuses = ['open', 'completed', 'expired'] as const;

/** What decides the status of a checkout; both fields of the offer are null when it has none. */
export interface CheckoutState extends Pick<Checkout, 'orderId' | 'expiresAt'> {
  /** Whether the offer was cancelled or accepted. */
  readonly offerClosed: boolean | null;
  readonly offerExpiresAt: Date | null;
}

/** Joins the offer's fields of {@link CheckoutState} to the rows of `checkout`. */
export const checkoutJoinOffer = `checkout left join lateral (
    select o.cancelled_at is not null or o.accepted_at is not null as "offerClosed",
           o.expires_at as "offerExpiresAt"
      from offer o where o.id = checkout.offer_id limit 1) offer on true`;

/** Returns the instant before which a payment must begin: the expiry of the checkout, or of its offer. */
export function payableUntil({
  expiresAt,
  offerExpiresAt,
}: Pick<CheckoutState, 'expiresAt' | 'offerExpiresAt'>): Date {
  return offerExpiresAt !== null && offerExpiresAt < expiresAt ? offerExpiresAt : expiresAt;
}

/**
 * Returns the status of a checkout at `now`. A checkout with an order is completed, even after its expiry.
 * It is `closed` when it has not expired, but its offer was cancelled, or accepted in another checkout.
 */
export function statusOf(checkout: CheckoutState, now: Date): CheckoutStatus | 'closed' {
  if (checkout.orderId !== null) return 'completed';
  if (now.getTime() >= payableUntil(checkout).getTime()) return 'expired';
  return checkout.offerClosed ? 'closed' : 'open';
}
