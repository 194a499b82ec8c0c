import { type Issue, validationFailed } from '../errors.js';
import type { Tx } from '../transaction/tx.js';
import { makeId } from '../values/id.js';
import { jsonObjectIssues, textIssues } from '../values/text.js';
import { type LineItem, sumTotals, type Totals } from './line-items.js';
import { amountIssue, isAmount } from './money.js';

/** The input that checkouts and offers have in common; amounts are in minor units of `currency`. */
export interface SaleInput {
  /** ISO 4217, upper case. */
  readonly currency: string;
  readonly lineItems: readonly LineItemInput[];
  readonly shippingMinorUnits?: number | null | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | null | undefined;
}

/** The input of one line item. */
export interface LineItemInput {
  readonly name: string;
  /** Defaults to a new id. */
  readonly productId?: string | null | undefined;
  readonly quantity: number;
  readonly unitAmountMinorUnits: number;
  readonly discountMinorUnits?: number | null | undefined;
  readonly taxMinorUnits?: number | null | undefined;
  /** A decimal such as "19.00". Defaults to "0.00". */
  readonly taxPercentage?: string | null | undefined;
}

const maxMetadataBytes = 131_072;
const maxLineItems = 100;
const maxNameLength = 250;
const maxQuantity = 1_000_000;
/** Leaves room for the event around the metadata, which may nest at most 64 levels. */
const maxMetadataDepth = 60;

/** Line items with their defaults, and their totals. */
interface PricedLineItems {
  readonly lineItems: readonly LineItem[];
  readonly totals: Totals;
}

/**
 * Completes the line items of a valid input and adds them up.
 * @throws DomainError validation_failed on `line_items` when a sum exceeds 2^53 - 1
 */
export function priceLineItems(
  tx: Tx,
  input: Pick<SaleInput, 'currency' | 'lineItems' | 'shippingMinorUnits'>,
): PricedLineItems {
  const lineItems = input.lineItems.map((item) => toLineItem(item, () => makeId('prod', tx.now)));
  const totals = sumTotals(input.currency, lineItems, input.shippingMinorUnits ?? 0);
  if (totals) return { lineItems, totals };
  const detail = 'The sum of the amounts must be at most 9007199254740991.';
  throw validationFailed([{ code: 'out_of_range', detail, param: 'line_items' }]);
}

/**
 * Makes a line item with all defaults, from an input that {@link lineItemIssues} accepts.
 * @param createProductId makes the id of a product that has none
 */
export function toLineItem(input: LineItemInput, createProductId: () => string): LineItem {
  const { name, quantity, unitAmountMinorUnits } = input;
  const discountMinorUnits = input.discountMinorUnits ?? 0;
  const taxMinorUnits = input.taxMinorUnits ?? 0;
  return {
    product: { id: input.productId ?? createProductId(), name },
    quantity,
    unitAmountMinorUnits,
    discountMinorUnits,
    taxMinorUnits,
    taxPercentage: input.taxPercentage ?? '0.00',
    totalMinorUnits: quantity * unitAmountMinorUnits - discountMinorUnits + taxMinorUnits,
  };
}

/** Validates line items; each problem names its item, counted from 1. */
export function lineItemIssues(items: readonly LineItemInput[]): Issue[] {
  const param = 'line_items';
  if (items.length === 0) {
    return [{ code: 'too_few_items', detail: 'Must have at least 1 item.', param }];
  }
  if (items.length > maxLineItems) {
    return [{ code: 'out_of_range', detail: `Must have at most ${maxLineItems} items.`, param }];
  }
  return items.flatMap((item, index) => {
    const where = `Item ${index + 1}: `;
    return itemIssues(item).map(({ code, detail }) => ({ code, detail: where + detail, param }));
  });
}

function itemIssues(item: LineItemInput): Issue[] {
  const { quantity, unitAmountMinorUnits, productId, taxPercentage } = item;
  const discount = item.discountMinorUnits ?? 0;
  const issues = [...textIssues('name', item.name, { min: 1, max: maxNameLength })];

  if (productId != null && !/^prod_[A-Za-z0-9]{1,64}$/.test(productId)) {
    const detail = 'product_id must be prod_ followed by 1 to 64 letters or digits.';
    issues.push({ code: 'invalid_format', detail });
  }

  if (!Number.isInteger(quantity) || quantity < 1 || quantity > maxQuantity) {
    const detail = `quantity must be an integer from 1 to ${maxQuantity.toLocaleString('en')}.`;
    issues.push({ code: 'out_of_range', detail });
  }

  if (!isAmount(unitAmountMinorUnits)) issues.push(amountIssue('unit_amount_minor_units'));
  if (!isAmount(discount)) issues.push(amountIssue('discount_minor_units'));
  if (!isAmount(item.taxMinorUnits ?? 0)) issues.push(amountIssue('tax_minor_units'));

  const amount = quantity * unitAmountMinorUnits;
  if (isAmount(discount) && amount >= 0 && discount > amount) {
    const detail = `discount_minor_units must be at most ${amount}, the quantity times the unit amount.`;
    issues.push({ code: 'out_of_range', detail });
  }

  if (taxPercentage != null && !/^\d{1,3}(?:\.\d{1,4})?$/.test(taxPercentage)) {
    const detail = 'tax_percentage must be a decimal such as 19.00.';
    issues.push({ code: 'invalid_format', detail });
  }

  return issues;
}

/** Validates metadata: a free map of JSON of limited size and depth. */
export function metadataIssues(metadata: Readonly<Record<string, unknown>>): Issue[] {
  const param = 'metadata';
  const issues = jsonObjectIssues(param, metadata, maxMetadataDepth);
  if (issues.length > 0) return issues;
  if (Buffer.byteLength(JSON.stringify(metadata)) <= maxMetadataBytes) return [];
  const detail = `Must have at most ${maxMetadataBytes.toLocaleString('en')} bytes of JSON.`;
  return [{ code: 'too_long', detail, param }];
}
