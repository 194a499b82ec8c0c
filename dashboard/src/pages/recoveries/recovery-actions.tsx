import { useState } from 'preact/hooks';
import { execute } from '../../api/request.js';
import { useAction } from '../../api/use-action.js';
import { refresh } from '../../api/use-query.js';
import { Button } from '../../components/button.js';
import { ConfirmDialog } from '../../components/dialog.js';
import { ErrorNotice } from '../../components/notice.js';
import { showToast } from '../../components/toast.js';
import {
  cancelRecoveryDocument,
  pauseRecoveryDocument,
  resumeRecoveryDocument,
} from '../../generated/documents.js';
import { text } from '../../texts/text.js';
import { isActive, type Recovery } from './recovery-progress.js';

const texts = text.recoveries;

/** Pauses, resumes or cancels a recovery that has not ended. */
export function RecoveryActions({ recovery }: { readonly recovery: Recovery }) {
  const { id, status } = recovery;
  const [asking, setAsking] = useState(false);
  const changing = useAction(async () => {
    await execute(status === 'running' ? pauseRecoveryDocument : resumeRecoveryDocument, { id });
    refresh();
    showToast(status === 'running' ? texts.paused : texts.resumed);
  });
  if (!isActive(recovery)) return null;
  return (
    <>
      <div class="row">
        <Button busy={changing.running} onClick={() => void changing.run()}>
          {status === 'running' ? texts.pause : texts.resume}
        </Button>
        <Button onClick={() => setAsking(true)}>{texts.cancel}</Button>
      </div>
      {changing.error && <ErrorNotice error={changing.error} />}
      {asking && <CancelDialog id={id} onClose={() => setAsking(false)} />}
    </>
  );
}

function CancelDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const cancelling = useAction(async () => {
    await execute(cancelRecoveryDocument, { id });
    refresh();
    showToast(texts.cancelled);
    onClose();
  });
  return (
    <ConfirmDialog
      title={texts.cancelTitle}
      action={texts.cancel}
      kind="danger"
      busy={cancelling.running}
      error={cancelling.error}
      onConfirm={() => void cancelling.run()}
      onClose={onClose}
    >
      <p>{texts.cancelDetail}</p>
    </ConfirmDialog>
  );
}
