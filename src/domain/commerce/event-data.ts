import { validationFailed } from '../errors.js';
import { maxBodyBytes } from '../event/prepare-event.js';
import type { LineItem, Totals } from './line-items.js';

/** The `data` of an event; schema/events describes it for each type. */
export type EventData = Readonly<Record<string, unknown>>;

/** Builds the totals of an event. */
export function totalsData(totals: Totals): EventData {
  return {
    currency: totals.currency,
    subtotal_minor_units: totals.subtotalMinorUnits,
    discount_minor_units: totals.discountMinorUnits,
    shipping_minor_units: totals.shippingMinorUnits,
    tax_minor_units: totals.taxMinorUnits,
    total_minor_units: totals.totalMinorUnits,
  };
}

/** Builds a line item of an event. */
export function lineItemData(item: LineItem): EventData {
  return {
    product: item.product,
    quantity: item.quantity,
    unit_amount_minor_units: item.unitAmountMinorUnits,
    discount_minor_units: item.discountMinorUnits,
    tax_minor_units: item.taxMinorUnits,
    tax_percentage: item.taxPercentage,
    total_minor_units: item.totalMinorUnits,
  };
}

/** The envelope, buyer, order and payment add at most this many bytes to the data of a checkout or an offer. */
const envelopeBytes = 8_192;

/**
 * Refuses a new checkout or offer whose later events could be too large. Otherwise a buyer could pay it,
 * but the service could not publish the events of the payment.
 * @throws DomainError validation_failed on `metadata`
 */
export function assertEventFits(data: EventData): void {
  const max = maxBodyBytes - envelopeBytes;
  if (Buffer.byteLength(JSON.stringify(data)) <= max) return;
  const limit = max.toLocaleString('en');
  const detail = `Metadata and line items together must have at most ${limit} bytes of JSON.`;
  throw validationFailed([{ code: 'too_long', detail, param: 'metadata' }]);
}
