import { useState } from 'preact/hooks';
import { execute } from '../../api/request.js';
import { useAction } from '../../api/use-action.js';
import { refresh } from '../../api/use-query.js';
import { Button } from '../../components/button.js';
import { ConfirmDialog, Dialog } from '../../components/dialog.js';
import { Secret } from '../../components/copy-button.js';
import { rotateSecretDocument } from '../../generated/documents.js';
import { text } from '../../texts/text.js';
import { OverlapBar } from './overlap-bar.js';

interface RotateDialogProps {
  readonly id: string;
  readonly onClose: () => void;
}

interface Rotated {
  readonly secret: string;
  readonly at: number;
}

/** Rotates the secret, then shows the new one once. */
export function RotateDialog({ id, onClose }: RotateDialogProps) {
  const [rotated, setRotated] = useState<Rotated>();
  const rotating = useAction(async () => {
    const answer = await execute(rotateSecretDocument, { id });
    setRotated({ secret: answer.rotated.signingSecret, at: Date.now() });
    refresh();
  });
  if (!rotated) {
    return (
      <ConfirmDialog
        title={text.endpoints.rotateTitle}
        action={text.endpoints.rotate}
        busy={rotating.running}
        error={rotating.error}
        onConfirm={() => void rotating.run()}
        onClose={onClose}
      >
        <p>{text.endpoints.rotateDetail}</p>
        <OverlapBar />
      </ConfirmDialog>
    );
  }
  return (
    <Dialog key="rotated" sticky title={text.endpoints.newSecret} onClose={onClose}>
      <Secret value={rotated.secret} />
      <OverlapBar rotatedAt={rotated.at} />
      <div class="dialog-actions">
        <Button kind="primary" onClick={onClose}>
          {text.endpoints.stored}
        </Button>
      </div>
    </Dialog>
  );
}
