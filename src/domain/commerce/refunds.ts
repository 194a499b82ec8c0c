import { entryList } from './entry-list.js';
import { Refund, type RefundReason, type RefundStatus } from './refund.entity.js';

/** A refund as its account sees it. */
export interface RefundView {
  readonly object: 'refund';
  readonly id: string;
  /** The id of the refunded payment. */
  readonly payment: string;
  readonly order: string;
  readonly status: RefundStatus;
  readonly currency: string;
  readonly amountMinorUnits: number;
  readonly reason: RefundReason | null;
  readonly note: string | null;
  readonly createdAt: Date;
  /** When the money is taken from the balance; null until it is. */
  readonly cashFlowAt: Date | null;
}

/** The refunds of an account. */
export const refunds = entryList(Refund, 'rfd', 'refund', () => refundView);

/** Shows a refund as its account sees it. */
export function refundView(refund: Refund): RefundView {
  const { id, status, currency, amountMinorUnits, reason, note, createdAt, cashFlowAt } = refund;
  return {
    object: 'refund',
    payment: refund.paymentId,
    order: refund.orderId,
    ...{ id, status, currency, amountMinorUnits, reason, note, createdAt, cashFlowAt },
  };
}
