const language = 'en';
const numbers = new Intl.NumberFormat(language);
const percentages = new Intl.NumberFormat(language, {
  style: 'percent',
  maximumFractionDigits: 1,
});

/** A number with separators, such as "12,345". */
export function formatNumber(value: number): string {
  return numbers.format(value);
}

/** A share of 0 to 1, such as "99.5%". Only a whole is "100%". */
export function formatShare(share: number): string {
  return percentages.format(share < 1 ? Math.min(share, 0.999) : share);
}
