import type { LineItem } from '../commerce/line-item.js';
import { sumTotals } from '../commerce/money.js';
import type { Totals } from '../commerce/totals.entity.js';
import { validationFailed } from '../errors.js';
import { makeId } from '../id.js';
import type { Tx } from '../tx.js';
import { type CheckoutInput, toLineItem } from './checkout-input.js';

/** Line items with their defaults, and their totals. */
export interface PricedLineItems {
  readonly lineItems: readonly LineItem[];
  readonly totals: Totals;
}

/**
 * Completes the line items of a valid input and adds them up.
 * @throws DomainError validation_failed on `line_items` when a sum exceeds 2^53 - 1
 */
export function priceLineItems(
  tx: Tx,
  input: Pick<CheckoutInput, 'currency' | 'lineItems' | 'shippingMinorUnits'>,
): PricedLineItems {
  const lineItems = input.lineItems.map((item) => toLineItem(item, () => makeId('prod', tx.now)));
  const totals = sumTotals(input.currency, lineItems, input.shippingMinorUnits ?? 0);
  if (totals) return { lineItems, totals };
  const detail = 'The sum of the amounts must be at most 9007199254740991.';
  throw validationFailed([{ code: 'out_of_range', detail, param: 'line_items' }]);
}
