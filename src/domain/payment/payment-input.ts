import { isAmount } from '../commerce/money.js';
import { emailIssues } from '../email.js';
import type { Issue } from '../errors.js';
import { fingerprint } from '../idempotency/fingerprint.js';
import { textIssues } from '../text-issues.js';

/** The input of a payment that succeeded. */
export interface PaymentInput {
  /** The checkout's id. */
  readonly checkout: string;
  /** Defaults to card. */
  readonly method?: string | null | undefined;
  /** Defaults to the checkout's. */
  readonly buyerEmail?: string | null | undefined;
  readonly buyerName?: string | null | undefined;
  /** ISO 3166-1 alpha-2, upper case. */
  readonly buyerCountry?: string | null | undefined;
  /** When the buyer began to pay. A payment that began before the expiry counts. Defaults to `tx.now`. */
  readonly startedAt?: Date | null | undefined;
  /** What the provider keeps of the amount, in minor units of the checkout's currency. Defaults to 0. */
  readonly feeMinorUnits?: number | null | undefined;
  /** When the money is or will be booked to the balance. Defaults to the time of the payment. */
  readonly cashFlowAt?: Date | null | undefined;
  /** Identifies the payment: recording it again with the same content makes no second payment. */
  readonly key?: string | null | undefined;
}

/** Validates a payment's fields and returns all problems. */
export function paymentIssues({ method, key, ...buyer }: PaymentInput): Issue[] {
  const { buyerEmail, buyerName, buyerCountry } = buyer;
  return [
    ...textIssues('method', method ?? 'card', { min: 1, max: 64 }),
    ...(buyerEmail == null ? [] : emailIssues('buyer_email', buyerEmail)),
    ...textIssues('buyer_name', buyerName ?? '', { max: 250 }),
    ...(buyerCountry == null ? [] : countryIssues('buyer_country', buyerCountry)),
    ...(key == null ? [] : textIssues('key', key, { min: 1, max: 255 })),
  ];
}

/** Validates a fee: at most the amount paid. */
export function feeIssues(feeMinorUnits: number, paidMinorUnits: number): Issue[] {
  if (isAmount(feeMinorUnits) && feeMinorUnits <= paidMinorUnits) return [];
  const detail = `Must be an integer from 0 to ${paidMinorUnits}, the amount paid.`;
  return [{ code: 'out_of_range', detail, param: 'fee_minor_units' }];
}

/** Validates when the money is booked: not before the buyer began to pay. */
export function cashFlowIssues(cashFlowAt: Date, startedAt: Date): Issue[] {
  if (cashFlowAt.getTime() >= startedAt.getTime()) return [];
  const detail = 'Must not be before the payment began.';
  return [{ code: 'out_of_range', detail, param: 'cash_flow_at' }];
}

function countryIssues(param: string, country: string): Issue[] {
  if (/^[A-Z]{2}$/.test(country)) return [];
  const detail = 'Must be an ISO 3166 country code in upper case.';
  return [{ code: 'invalid_format', detail, param }];
}

/** Distinguishes two payments under one key by their content. */
export function paymentFingerprint({
  checkout,
  method,
  startedAt,
  ...optional
}: PaymentInput): Buffer {
  const { buyerEmail, buyerName, buyerCountry, feeMinorUnits, cashFlowAt } = optional;
  return fingerprint('recordPayment', checkout, [
    method ?? 'card',
    buyerEmail ?? null,
    buyerName ?? null,
    buyerCountry ?? null,
    startedAt?.toISOString() ?? null,
    // Only when given, so that payments recorded before these fields existed keep their fingerprints.
    ...(feeMinorUnits == null ? [] : [{ fee: feeMinorUnits }]),
    ...(cashFlowAt == null ? [] : [{ cashFlow: cashFlowAt.toISOString() }]),
  ]);
}
