import { execute } from '../../api/execute.js';
import { useAction } from '../../api/use-action.js';
import { refresh } from '../../api/use-query.js';
import { ConfirmDialog } from '../../components/dialog.js';
import { showToast } from '../../components/toast.js';
import { updateEndpointDocument } from '../../generated/documents.js';
import { text } from '../../texts/text.js';

interface DisableDialogProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** Asks before an endpoint is disabled, because that cancels what waits. */
export function DisableDialog({ id, onClose }: DisableDialogProps) {
  const disabling = useAction(async () => {
    await execute(updateEndpointDocument, { id, input: { active: false } });
    refresh();
    showToast(text.endpoints.disabled);
    onClose();
  });
  return (
    <ConfirmDialog
      title={text.endpoints.disableTitle}
      action={text.endpoints.disable}
      busy={disabling.running}
      error={disabling.error}
      onConfirm={() => void disabling.run()}
      onClose={onClose}
    >
      <p>{text.endpoints.disableDetail}</p>
    </ConfirmDialog>
  );
}
