import { useState } from 'preact/hooks';
import { execute } from '../../api/request.js';
import { useAction } from '../../api/use-action.js';
import { refresh } from '../../api/use-query.js';
import { Button } from '../../components/button.js';
import { DataText } from '../../components/data-text.js';
import { ConfirmDialog } from '../../components/dialog.js';
import { showToast } from '../../components/toast.js';
import {
  cancelOfferDocument,
  type offerQuery,
  resendOfferDocument,
  sendOfferDocument,
} from '../../generated/documents.js';
import { fill, text } from '../../texts/text.js';

const texts = text.commerce;

type Step = 'send' | 'resend' | 'cancel';

const requests: Readonly<Record<Step, (id: string) => Promise<unknown>>> = {
  send: (id) => execute(sendOfferDocument, { id }),
  resend: (id) => execute(resendOfferDocument, { id }),
  cancel: (id) => execute(cancelOfferDocument, { id }),
};

/** Sends an offer, mails it again, or withdraws it. Each asks first. */
export function OfferActions({ offer }: { readonly offer: offerQuery['offer'] }) {
  const [asking, setAsking] = useState<Step>();
  const { status } = offer;
  return (
    <>
      {status === 'draft' && (
        <Button kind="primary" onClick={() => setAsking('send')}>
          {texts.steps.send}
        </Button>
      )}
      {status === 'sent' && (
        <Button onClick={() => setAsking('resend')}>{texts.steps.resend}</Button>
      )}
      {(status === 'draft' || status === 'sent') && (
        <Button onClick={() => setAsking('cancel')}>{texts.steps.cancel}</Button>
      )}
      {asking && <StepDialog offer={offer} step={asking} onClose={() => setAsking(undefined)} />}
    </>
  );
}

interface StepDialogProps {
  readonly offer: offerQuery['offer'];
  readonly step: Step;
  readonly onClose: () => void;
}

function StepDialog({ offer, step, onClose }: StepDialogProps) {
  const changing = useAction(async () => {
    await requests[step](offer.id);
    refresh();
    showToast(texts.stepsDone[step]);
    onClose();
  });
  return (
    <ConfirmDialog
      title={texts.stepTitles[step]}
      action={texts.steps[step]}
      kind={step === 'cancel' ? 'danger' : 'primary'}
      busy={changing.running}
      error={changing.error}
      onConfirm={() => void changing.run()}
      onClose={onClose}
    >
      <p>
        <DataText value={fill(texts.stepDetails[step], { email: offer.recipientEmail })} />
      </p>
    </ConfirmDialog>
  );
}
