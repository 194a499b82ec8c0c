import { isAmount } from '../commerce/money.js';
import { emailIssues } from '../email.js';
import type { Issue } from '../errors.js';
import { fingerprint } from '../idempotency/fingerprint.js';
import { textIssues } from '../text-issues.js';

/** A payment that succeeded. */
export interface PaymentInput {
  /** The checkout's id. */
  readonly checkout: string;
  /** How it was paid; default card. */
  readonly method?: string | null | undefined;
  /** Default: the checkout's. */
  readonly buyerEmail?: string | null | undefined;
  readonly buyerName?: string | null | undefined;
  /** ISO 3166-1 alpha-2, upper case. */
  readonly buyerCountry?: string | null | undefined;
  /** When the buyer began to pay. A payment that began before the expiry still counts. Default: this moment. */
  readonly startedAt?: Date | null | undefined;
  /** What the provider keeps of the amount, in minor units of the checkout's currency; default 0. */
  readonly feeMinorUnits?: number | null | undefined;
  /** When the money is or will be booked to the balance; default: at once. */
  readonly cashFlowAt?: Date | null | undefined;
  /** Names the payment: recorded again with the same content, it is the same payment. */
  readonly key?: string | null | undefined;
}

/** The refusals of a payment's fields, all at once. */
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

/** The refusals of a fee: it is part of what was paid. */
export function feeIssues(feeMinorUnits: number, paidMinorUnits: number): Issue[] {
  if (isAmount(feeMinorUnits) && feeMinorUnits <= paidMinorUnits) return [];
  const detail = `Must be an integer from 0 to ${paidMinorUnits}, which is what was paid.`;
  return [{ code: 'out_of_range', detail, param: 'fee_minor_units' }];
}

/** The refusals of a booking: money is not booked before the buyer began to pay. */
export function cashFlowIssues(cashFlowAt: Date, begun: Date): Issue[] {
  if (cashFlowAt.getTime() >= begun.getTime()) return [];
  const detail = 'Must not be before the payment began.';
  return [{ code: 'out_of_range', detail, param: 'cash_flow_at' }];
}

function countryIssues(param: string, country: string): Issue[] {
  if (/^[A-Z]{2}$/.test(country)) return [];
  const detail = 'Must be an ISO 3166 country code in upper case.';
  return [{ code: 'invalid_format', detail, param }];
}

/** What two payments under one key must have in common. */
export function paymentFingerprint({
  checkout,
  method,
  startedAt,
  ...optional
}: PaymentInput): Buffer {
  const { buyerEmail, buyerName, buyerCountry, feeMinorUnits, cashFlowAt } = optional;
  return fingerprint('recordPayment', checkout, [
    ...[method ?? 'card', buyerEmail ?? null, buyerName ?? null, buyerCountry ?? null],
    startedAt?.toISOString() ?? null,
    // Only where they were said, so that what was recorded without them stays the same.
    ...(feeMinorUnits == null ? [] : [{ fee: feeMinorUnits }]),
    ...(cashFlowAt == null ? [] : [{ cashFlow: cashFlowAt.toISOString() }]),
  ]);
}
