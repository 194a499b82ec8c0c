import type { OfferFields, OfferInput } from '../domain/offer/offer-input.js';
import type { BodyOf } from './fits.js';

type Body = BodyOf<'commerce.offers.create'>;
type Item = Body['line_items'][number];
type LineItemInput = OfferInput['lineItems'][number];

/** The body of a new offer in the spelling of the domain. */
export function offerOf(body: Body): OfferInput & { lineItems: LineItemInput[] } {
  const { recipient_email: recipientEmail, title, currency, line_items: items } = body;
  return { ...offerFieldsOf(body), recipientEmail, title, currency, lineItems: items.map(itemOf) };
}

/** The same of a body that was refused: what is sound of it. */
export function offerFieldsOf(body: Partial<Body>): OfferFields {
  const { recipient_email, line_items, shipping_minor_units, expires_at, ...same } = body;
  return {
    ...same,
    recipientEmail: recipient_email,
    lineItems: line_items?.map(itemOf),
    shippingMinorUnits: shipping_minor_units,
    expiresAt: expires_at,
  };
}

function itemOf({ name, quantity, ...item }: Item): LineItemInput {
  return {
    ...{ name, quantity },
    productId: item.product_id,
    unitAmountMinorUnits: item.unit_amount_minor_units,
    discountMinorUnits: item.discount_minor_units,
    taxMinorUnits: item.tax_minor_units,
    taxPercentage: item.tax_percentage,
  };
}
