import type { Issue } from '../errors.js';
import { textIssues } from '../text-issues.js';
import { type RefundReason, refundReasons } from '../commerce/refund.entity.js';

/** The input of a refund. */
export interface RefundInput {
  /** In minor units of the payment's currency, at least 1. Defaults to all that is left to refund. */
  readonly amountMinorUnits?: number | null | undefined;
  readonly reason?: RefundReason | null | undefined;
  /** At most 500 characters. */
  readonly note?: string | null | undefined;
  /** What the caller saw as refunded. If it differs by now, nothing is refunded. */
  readonly refundedMinorUnits?: number | null | undefined;
}

const maxNoteLength = 500;

/** Validates the input of a refund as far as it does not depend on the payment. */
export function refundIssues({ amountMinorUnits, reason, note }: RefundInput): Issue[] {
  const issues: Issue[] = [];
  if (
    amountMinorUnits != null &&
    !(Number.isSafeInteger(amountMinorUnits) && amountMinorUnits > 0)
  ) {
    const detail = 'Must be an integer of at least 1.';
    issues.push({ code: 'out_of_range', detail, param: 'amount_minor_units' });
  }
  if (reason != null && !refundReasons.includes(reason)) {
    const detail = `Must be one of: ${refundReasons.join(', ')}.`;
    issues.push({ code: 'invalid_value', detail, param: 'reason' });
  }
  return [...issues, ...textIssues('note', note ?? '', { max: maxNoteLength })];
}
