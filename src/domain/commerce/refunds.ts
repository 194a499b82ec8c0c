import { entryList } from './entry-list.js';
import { Refund } from './refund.entity.js';

/** A refund as its account sees it. */
export interface RefundView extends Omit<
  Refund,
  'accountId' | 'position' | 'paymentId' | 'orderId'
> {
  readonly object: 'refund';
  /** The id of the refunded payment. */
  readonly payment: string;
  readonly order: string;
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
