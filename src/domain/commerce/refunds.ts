import { entryList } from './entry-list.js';
import { searchable } from './entry-search.js';
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
export const refunds = searchable(
  entryList(Refund, 'rfd', 'refund', () => refundView),
  {
    ofPayment: 'select position from refund where payment_id = s.id',
    // Of an invoice all refunds of its payment, of a credit note its own.
    ofDocument: `
      select position from refund where id = s.refund_id
       union all
      select position from refund where payment_id = s.payment_id and s.refund_id is null`,
  },
);

/** Shows a refund as its account sees it. */
export function refundView(refund: Refund): RefundView {
  const { id, status, currency, amountMinorUnits, reason, note, createdAt, cashFlowAt } = refund;
  return {
    object: 'refund',
    payment: refund.paymentId,
    order: refund.orderId,
    id,
    status,
    currency,
    amountMinorUnits,
    reason,
    note,
    createdAt,
    cashFlowAt,
  };
}
