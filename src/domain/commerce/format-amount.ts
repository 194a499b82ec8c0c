import { toDecimal } from './money.js';

/**
 * Writes an amount of minor units as people read that currency, such as €1,190.50, ¥1,191 or
 * KWD 1.191. Exact for every amount that JavaScript counts exactly.
 */
export function formatAmount(minorUnits: number, currency: string): string {
  // As text, because a division would round what is large.
  const decimal = toDecimal(currency, minorUnits) as `${number}`;
  return formatterOf(currency, decimal.split('.')[1]?.length ?? 0).format(decimal);
}

/** One for each currency: making one costs more than a hundred amounts. */
const formatters = new Map<string, Intl.NumberFormat>();

function formatterOf(currency: string, digits: number): Intl.NumberFormat {
  const cached = formatters.get(currency);
  if (cached) return cached;
  const formatter = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  formatters.set(currency, formatter);
  return formatter;
}
