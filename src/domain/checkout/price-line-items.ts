import type { LineItem } from '../commerce/line-item.js';
import { sumTotals } from '../commerce/money.js';
import type { Totals } from '../commerce/totals.entity.js';
import { validationFailed } from '../errors.js';
import { makeId } from '../id.js';
import type { Tx } from '../tx.js';
import { type CheckoutInput, toLineItem } from './checkout-input.js';

/** What is bought, and what it costs altogether. */
export interface PricedLineItems {
  readonly lineItems: readonly LineItem[];
  readonly totals: Totals;
}

/**
 * Fills in the line items of an input without faults and adds them up.
 * @throws DomainError validation_failed on `line_items` when they are more than can be counted
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
