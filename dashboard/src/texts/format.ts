import { locale } from './language.js';

const numbers = new Intl.NumberFormat(locale);
const percentages = new Intl.NumberFormat(locale, {
  style: 'percent',
  maximumFractionDigits: 1,
});

/** Each unit is used from its own length in seconds on. */
const waits = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** A number with separators, such as "12,345". */
export function formatNumber(value: number): string {
  return numbers.format(value);
}

/** A share of 0 to 1, such as "99.5%". Only a whole is "100%". */
export function formatShare(share: number): string {
  return percentages.format(share < 1 ? Math.min(share, 0.999) : share);
}

/** How long something waits, such as "3 minutes". Less than a second is "0 seconds". */
export function formatWait(seconds: number): string {
  const [unit, length] = waits.find(([, each]) => seconds >= each) ?? waits[3];
  const value = Math.trunc(seconds / length);
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}
