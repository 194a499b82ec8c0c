import currencyCodes from 'currency-codes';

/**
 * Writes an amount of minor units as people read that currency, such as €1,190.50, ¥1,191 or
 * KWD 1.191. Exact for every amount that JavaScript counts exactly.
 */
export function amountText(minorUnits: number, currency: string): string {
  const digits = digitsOf(currency);
  const formatter = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return formatter.format(decimalText(minorUnits, digits));
}

/** Minor units of one unit as a power of ten (ISO 4217); what the list lacks is as Node has it. */
function digitsOf(currency: string): number {
  const listed = currencyCodes.code(currency)?.digits;
  if (listed !== undefined) return listed;
  const { maximumFractionDigits } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions();
  return maximumFractionDigits ?? 2;
}

/** As text, because a division would round what is large. */
function decimalText(minorUnits: number, digits: number): `${number}` {
  const text = String(Math.abs(minorUnits)).padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  const fraction = digits === 0 ? '' : `.${text.slice(-digits)}`;
  return `${minorUnits < 0 ? '-' : ''}${whole}${fraction}` as `${number}`;
}
