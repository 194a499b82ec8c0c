import type { Issue } from '../errors.js';
import { textIssues } from '../text-issues.js';
import { type RefundReason, refundReasons } from '../commerce/refund.entity.js';

/** What is asked of a refund; with nothing said, everything that is left is given back. */
export interface RefundInput {
  /** In minor units of the payment's currency, from 1. */
  readonly amountMinorUnits?: number | null | undefined;
  readonly reason?: RefundReason | null | undefined;
  /** At most 500 characters. */
  readonly note?: string | null | undefined;
}

const maxNoteLength = 500;

/** What is wrong with what is asked, whatever the payment. */
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
