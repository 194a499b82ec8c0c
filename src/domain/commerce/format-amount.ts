import { toDecimal } from './money.js';

/**
 * Formats an amount of minor units as people read that currency: €1,190.50, ¥1,191 or KWD 1.191.
 * It is exact for every safe integer.
 */
export function formatAmount(minorUnits: number, currency: string): string {
  // As text, because a division would round large amounts.
  const decimal = toDecimal(currency, minorUnits) as `${number}`;
  return formatterOf(currency, decimal.split('.')[1]?.length ?? 0).format(decimal);
}

/** A cache by currency: making a formatter costs more than formatting a hundred amounts. */
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
