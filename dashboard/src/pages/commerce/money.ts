import { locale } from '../../texts/language.js';

/** Currencies whose minor unit is not a hundredth, by ISO 4217. Intl rounds some of them as people do with cash. */
const currenciesByDigits: readonly (readonly [digits: number, currencies: string])[] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
];
const digitsByCurrency: ReadonlyMap<string, number> = new Map(
  currenciesByDigits.flatMap(([digits, currencies]) =>
    currencies.split(' ').map((currency) => [currency, digits] as const),
  ),
);

/** How many decimal places an amount of a currency has. */
export function digitsOf(currency: string): number {
  return digitsByCurrency.get(currency) ?? 2;
}

/** An amount as a decimal without separators, such as "12.30". Exact for every safe integer. */
export function toDecimal(minorUnits: number, currency: string): `${number}` {
  const places = digitsOf(currency);
  const digits = String(Math.abs(minorUnits)).padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  const fraction = places === 0 ? '' : `.${digits.slice(-places)}`;
  return `${minorUnits < 0 ? '-' : ''}${whole}${fraction}` as `${number}`;
}

/** An amount to edit, with the reader's decimal mark, such as "12,30". */
export function toEditable(minorUnits: number, currency: string, reader = locale): string {
  return toDecimal(minorUnits, currency).replace('.', decimalMarkOf(reader));
}

/** An amount with its currency, in the reader's notation, such as "€12.30". */
export function formatMoney(minorUnits: number, currency: string): string {
  const places = digitsOf(currency);
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: places,
    maximumFractionDigits: places,
  }).format(toDecimal(minorUnits, currency));
}

/**
 * Reads a typed decimal, such as "12.3", as minor units. Only the reader's own decimal mark counts: the
 * other one separates thousands, and would make 1.190 of 1,190. Undefined unless it is an amount above 0.
 */
export function parseMoney(typed: string, currency: string, reader = locale): number | undefined {
  const parts = typed.trim().split(decimalMarkOf(reader));
  if (parts.length > 2 || !parts.every((part) => /^\d+$/.test(part))) return undefined;

  const [whole = '', fraction = ''] = parts;
  const places = digitsOf(currency);
  if (fraction.length > places) return undefined;
  const minorUnits = Number(whole + fraction.padEnd(places, '0'));
  return Number.isSafeInteger(minorUnits) && minorUnits > 0 ? minorUnits : undefined;
}

function decimalMarkOf(reader: string): string {
  const parts = new Intl.NumberFormat(reader).formatToParts(1.5);
  return parts.find(({ type }) => type === 'decimal')?.value ?? '.';
}
