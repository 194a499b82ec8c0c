import { execute } from '../api/request.js';
import { useAction } from '../api/use-action.js';
import { ConfirmDialog } from '../components/dialog.js';
import { releaseDeadLetterDocument } from '../generated/operator-documents.js';
import { operatorText } from './texts.js';

const texts = operatorText.deadLetter;

interface ReleaseDialogProps {
  readonly id: string;
  readonly onClose: () => void;
  readonly onReleased: () => void;
}

/** Asks before a dead letter is released, because its cause must be removed first. */
export function ReleaseDialog({ id, onClose, onReleased }: ReleaseDialogProps) {
  const releasing = useAction(async () => {
    await execute(releaseDeadLetterDocument, { id });
    onReleased();
  });
  return (
    <ConfirmDialog
      title={texts.releaseTitle}
      action={texts.release}
      busy={releasing.running}
      error={releasing.error}
      onConfirm={() => void releasing.run()}
      onClose={onClose}
    >
      <p>{texts.releaseDetail}</p>
    </ConfirmDialog>
  );
}
