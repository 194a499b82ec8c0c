import type { PartialOfferInput, OfferInput } from '../domain/offer/offer-input.js';
import { type CamelCased, camelCased } from './camel-cased.js';
import type { BodyOf } from './contract-types.js';

type Body = BodyOf<'commerce.offers.create'>;
type Item = CamelCased<Body['line_items'][number]>;

/** The body of a new offer with the domain's names. */
export function toOfferInput({
  line_items: items,
  ...body
}: Body): OfferInput & { lineItems: Item[] } {
  return { ...camelCased(body), lineItems: items.map(camelCased) };
}

/** The valid fields of a refused body, with the domain's names. */
export function toPartialOffer({ line_items: items, ...body }: Partial<Body>): PartialOfferInput {
  return { ...camelCased(body), ...(items && { lineItems: items.map(camelCased) }) };
}
