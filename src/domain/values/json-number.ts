/** How a double changes a number: another value, infinity, or zero. */
export type NumberChange = 'inexact' | 'infinite' | 'zero';

/**
 * Says how a double would change the value of a number, as JSON or YAML spell it in decimal; undefined
 * for a number that it keeps. A rounded fraction does not count as a change.
 */
export function numberChange(literal: string): NumberChange | undefined {
  const value = Number(literal);
  if (Number.isNaN(value)) return undefined;
  if (!Number.isFinite(value)) return 'infinite';

  const spelled = decimalOf(literal);
  if (value === 0) return spelled.digits === '' ? undefined : 'zero';
  if (spelled.exponent < 0) return undefined;

  const kept = decimalOf(String(value));
  const isKept = kept.digits === spelled.digits && kept.exponent === spelled.exponent;
  return isKept ? undefined : 'inexact';
}

/** The digits of a number without zeros around them, and the power of ten of the last one. */
function decimalOf(literal: string): { readonly digits: string; readonly exponent: number } {
  const [mantissa = '', power = '0'] = literal.replace(/^[-+]/, '').toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const all = whole + fraction;

  let start = 0;
  while (all[start] === '0') start += 1;

  let end = all.length;
  while (end > start && all[end - 1] === '0') end -= 1;

  return {
    digits: all.slice(start, end),
    exponent: Number(power) - fraction.length + all.length - end,
  };
}
