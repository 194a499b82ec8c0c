import { data } from 'currency-codes';
import type { Issue } from '../errors.js';

/** Codes of ISO 4217 that are no money: metals, units of account, tests and none at all. */
const nonCurrencies = /^X(?:AD|AG|AU|B[A-D]|DR|P[DT]|SU|TS|UA|XX)$/;

interface Currency {
  readonly code: string;
  /** The number of decimal places. */
  readonly digits: number;
  /** The first day of its use, in UTC. Absent for a day long ago. */
  readonly from?: string;
  /** The day of its withdrawal. Absent while it is in use. */
  readonly until?: string;
}

/**
 * What ISO 4217 changed after the list of currency-codes was published, by its amendments 176 to 180. A
 * withdrawn currency stays here, because stored amounts keep their decimals.
 */
const amendments: readonly Currency[] = [
  { code: 'ANG', digits: 2, until: '2025-03-31' },
  { code: 'BGN', digits: 2, until: '2026-01-01' },
  { code: 'CUC', digits: 2, until: '2021-01-01' },
  { code: 'XCG', digits: 2, from: '2025-03-31' },
];

const listed: readonly Currency[] = data.filter(({ code }) => !nonCurrencies.test(code));
const currencies: ReadonlyMap<string, Currency> = new Map(
  [...listed, ...amendments].map((currency) => [currency.code, currency]),
);

/** When a sale is agreed on. A sale that was offered before keeps its currency. */
export type AgreedAt = Date | 'offered before';

/** Validates a currency: a code of ISO 4217 for money, in upper case, that is in use. */
export function currencyIssues(param: string, currency: string, agreedAt: AgreedAt): Issue[] {
  const reason = whyNotCurrent(currency, agreedAt);
  return reason === undefined ? [] : [{ code: 'invalid_value', detail: reason, param }];
}

function whyNotCurrent(code: string, agreedAt: AgreedAt): string | undefined {
  const currency = currencies.get(code);
  if (!currency) return 'Must be an ISO 4217 currency code in upper case.';
  if (agreedAt === 'offered before') return undefined;

  const { from, until } = currency;
  const day = agreedAt.toISOString().slice(0, 10);
  if (from !== undefined && day < from) return `${code} is valid only from ${from} (ISO 4217).`;
  if (until !== undefined && day >= until) return `${code} was withdrawn on ${until} (ISO 4217).`;
  return undefined;
}

/**
 * Formats an amount as a decimal in the currency's major unit, with all decimal places of the currency:
 * `1234` is "12.34" in EUR, "1234" in JPY and "1.234" in KWD. It rounds no digit.
 */
export function toDecimal(currency: string, minorUnits: number): string {
  const decimals = currencies.get(currency)?.digits ?? 2;
  const digits = String(Math.abs(minorUnits)).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const sign = minorUnits < 0 ? '-' : '';
  return decimals === 0 ? sign + whole : `${sign}${whole}.${digits.slice(-decimals)}`;
}

/** Says whether a number can be an amount in minor units: a safe integer of at least 0. */
export function isAmount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/** Returns the problem of an amount that is not an integer, is negative or is too large. */
export function amountIssue(param: string): Issue {
  const detail = `${param} must be an integer from 0 to 9007199254740991.`;
  return { code: 'out_of_range', detail, param };
}

/**
 * Formats an amount of minor units as people read that currency: €1,190.50, ¥1,191 or KWD 1.191.
 * It is exact for every safe integer.
 */
export function formatAmount(minorUnits: number, currency: string): string {
  // Formats a text: a division would round large amounts.
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
