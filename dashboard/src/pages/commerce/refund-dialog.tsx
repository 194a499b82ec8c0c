import { useState } from 'preact/hooks';
import { execute } from '../../api/request.js';
import { useAction } from '../../api/use-action.js';
import { refresh } from '../../api/use-query.js';
import { ConfirmDialog } from '../../components/dialog.js';
import { SelectField, TextField } from '../../components/fields.js';
import { showToast } from '../../components/toast.js';
import {
  type paymentQuery,
  type RefundReason,
  refundPaymentDocument,
} from '../../generated/documents.js';
import { fill, text } from '../../texts/text.js';
import { formatMoney, parseMoney, toEditable } from './money.js';

const texts = text.commerce;
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

/** Asks for the amount, and refunds it once, however often the request is sent. */
export function RefundDialog({ payment, onClose }: RefundDialogProps) {
  // As the dialog showed it: a repeat after a lost answer must not refund again.
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
      // Also when another refund came first.
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
          ...reasons.map((each) => [each, texts.reasons[each]] as const),
        ]}
        onChange={(value) => setReason(reasons.find((each) => each === value))}
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
