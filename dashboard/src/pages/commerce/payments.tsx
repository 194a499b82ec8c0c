import { useLocation, useRoute } from 'preact-iso';
import { useState } from 'preact/hooks';
import { execute } from '../../api/request.js';
import { can } from '../../api/session-state.js';
import { useAction } from '../../api/use-action.js';
import { refresh, useQuery } from '../../api/use-query.js';
import { Button } from '../../components/button.js';
import { Card, Fact, Facts } from '../../components/card.js';
import { ConfirmDialog } from '../../components/dialog.js';
import { SelectField, TextField } from '../../components/fields.js';
import { showToast } from '../../components/toast.js';
import {
  paymentDocument,
  type paymentQuery,
  paymentsDocument,
  refundPaymentDocument,
  type RefundReason,
} from '../../generated/documents.js';
import { fill, text } from '../../texts/text.js';
import { formatMoney, parseMoney, toEditable } from './money.js';
import { NumberedPager, SaleFilters, SaleList } from './sale-list.js';
import { IdFact, OwnIdFact, SalePage, TextFact, TimeFact } from './sale-page.js';
import { pageNumber, readSaleFilter, saleVariables } from './sale-paths.js';
import { MoneyText } from './sale-values.js';

const texts = text.commerce;

/** The payments of the account, of all buyers or of one. */
export function PaymentsPage() {
  const { query: url } = useLocation();
  const page = pageNumber(url['page']);
  const filter = readSaleFilter('payments', url);
  const query = useQuery(paymentsDocument, saleVariables(filter, page));
  const list = query.data?.payments;
  const rows = list?.data.map(({ id, buyerEmail, status, amountMinorUnits, ...payment }) => ({
    id,
    status,
    title: buyerEmail,
    detail: id,
    minorUnits: amountMinorUnits,
    currency: payment.currency,
    at: payment.createdAt,
  }));

  return (
    <SaleList
      kind="payments"
      query={query}
      rows={rows}
      isPartial={page > 1 || Object.keys(filter).length > 0}
      pager={<NumberedPager kind="payments" pagination={list?.pagination} />}
    >
      <SaleFilters kind="payments" filter={filter} error={query.error} />
    </SaleList>
  );
}

/** One payment: its amounts, and how much can still be refunded. */
export function PaymentPage() {
  const query = useQuery(paymentDocument, { id: useRoute().params['id'] ?? '' });
  const payment = query.data?.payment;
  const title = payment && formatMoney(payment.amountMinorUnits, payment.currency);
  return (
    <SalePage
      kind="payments"
      query={query}
      title={title}
      status={payment?.status}
      actions={payment && can('orders', 'write') && <RefundButton payment={payment} />}
    >
      {payment && <PaymentCard payment={payment} />}
    </SalePage>
  );
}

function RefundButton({ payment }: paymentQuery) {
  const [open, setOpen] = useState(false);
  const left = payment.amountMinorUnits - payment.refundedMinorUnits;
  const refundable = left > 0 && payment.status !== 'charged_back';
  return (
    <>
      {refundable && <Button onClick={() => setOpen(true)}>{texts.refund}</Button>}
      {open && <RefundDialog payment={payment} onClose={() => setOpen(false)} />}
    </>
  );
}

function PaymentCard({ payment }: paymentQuery) {
  const { currency, amountMinorUnits, refundedMinorUnits } = payment;
  const amounts = [
    [texts.amount, amountMinorUnits],
    [texts.refunded, refundedMinorUnits],
    [texts.left, amountMinorUnits - refundedMinorUnits],
    [texts.fee, payment.feeMinorUnits],
    [texts.net, payment.netMinorUnits],
  ] as const;

  return (
    <Card title={texts.one.payments}>
      <Facts>
        {amounts.map(([name, minorUnits]) => (
          <Fact key={name} name={name}>
            <MoneyText minorUnits={minorUnits} currency={currency} />
          </Fact>
        ))}
        <TextFact name={texts.email} value={payment.buyerEmail} />
        <TextFact name={texts.method} value={payment.method} />
        <TimeFact name={texts.created} at={payment.createdAt} />
        <TimeFact name={texts.booked} at={payment.cashFlowAt} />
        <IdFact name={texts.one.orders} kind="orders" ids={[payment.order]} />
        <OwnIdFact id={payment.id} />
      </Facts>
    </Card>
  );
}

const reasons: readonly RefundReason[] = [
  'requested_by_customer',
  'duplicate',
  'fraudulent',
  'other',
];

interface RefundDialogProps {
  readonly payment: paymentQuery['payment'];
  readonly onClose: () => void;
}

/** Asks for an amount and refunds it once, however often the request is sent. */
export function RefundDialog({ payment, onClose }: RefundDialogProps) {
  // The payment as the dialog first showed it: repeating a lost request must not refund twice.
  const [seen] = useState(payment);
  const { currency, refundedMinorUnits } = seen;
  const left = seen.amountMinorUnits - refundedMinorUnits;
  const [typed, setTyped] = useState(toEditable(left, currency));
  const [reason, setReason] = useState<RefundReason>();
  const [note, setNote] = useState('');
  const amount = parseMoney(typed, currency);
  const issue = issueOf(amount, left, currency);
  const refunding = useAction(async () => {
    if (amount === undefined) return;

    const input = {
      amountMinorUnits: amount,
      refundedMinorUnits,
      ...(reason && { reason }),
      ...(note.trim() !== '' && { note: note.trim() }),
    };
    try {
      await execute(refundPaymentDocument, { id: seen.id, input });
    } finally {
      // Also after a failure: another refund may have come first.
      refresh();
    }

    showToast(fill(texts.refundDone, { amount: formatMoney(amount, currency) }));
    onClose();
  });

  return (
    <ConfirmDialog
      title={texts.refundTitle}
      action={
        issue !== undefined || amount === undefined
          ? texts.refund
          : fill(texts.refundAmount, { amount: formatMoney(amount, currency) })
      }
      kind="danger"
      busy={refunding.running || issue !== undefined}
      error={refunding.error}
      onConfirm={() => void refunding.run()}
      onClose={onClose}
    >
      <p>{texts.refundDetail}</p>
      <TextField
        label={fill(texts.refundField, { currency })}
        hint={fill(texts.refundLeft, { amount: formatMoney(left, currency) })}
        inputMode="text"
        class="input-number"
        value={typed}
        error={issue}
        onInput={setTyped}
      />
      <SelectField
        label={texts.reason}
        value={reason ?? ''}
        options={[
          ['', texts.reasons.none],
          ...reasons.map((choice) => [choice, texts.reasons[choice]] as const),
        ]}
        onChange={(value) => setReason(reasons.find((choice) => choice === value))}
      />
      <TextField
        label={texts.note}
        hint={texts.noteHint}
        maxLength={500}
        value={note}
        error={refunding.error?.fields['note']}
        onInput={setNote}
      />
    </ConfirmDialog>
  );
}

function issueOf(amount: number | undefined, left: number, currency: string): string | undefined {
  if (amount === undefined) {
    return fill(texts.refundInvalid, { example: toEditable(left, currency) });
  }
  if (amount <= left) return undefined;
  return fill(texts.refundTooMuch, { amount: formatMoney(left, currency) });
}
