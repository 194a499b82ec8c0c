import { useState } from 'preact/hooks';
import { execute } from '../../api/request.js';
import { useAction } from '../../api/use-action.js';
import { refresh } from '../../api/use-query.js';
import { useUnsaved } from '../../api/new-version.js';
import { ConfirmDialog } from '../../components/dialog.js';
import { TextField } from '../../components/fields.js';
import { showToast } from '../../components/toast.js';
import { updateEndpointDocument } from '../../generated/documents.js';
import { text } from '../../texts/text.js';
import { reasonProblem } from './disabling-reason.js';

interface DisableDialogProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** Asks before an endpoint is disabled, because that cancels what waits, and why. */
export function DisableDialog({ id, onClose }: DisableDialogProps) {
  const [typed, setTyped] = useState('');
  const reason = typed.trim();
  const problem = reasonProblem(typed);
  const disabling = useAction(async () => {
    if (problem !== undefined) return;
    const input = { active: false };
    await execute(updateEndpointDocument, { id, input, ...(reason && { reason }) });
    refresh();
    showToast(text.endpoints.disabled);
    onClose();
  });
  useUnsaved(reason !== '');
  const refused = disabling.error?.fields['reason'];
  return (
    <ConfirmDialog
      title={text.endpoints.disableTitle}
      action={text.endpoints.disable}
      busy={disabling.running || problem !== undefined}
      error={disabling.error}
      onConfirm={() => void disabling.run()}
      onClose={onClose}
    >
      <p>{text.endpoints.disableDetail}</p>
      <TextField
        label={text.endpoints.reason}
        hint={text.endpoints.reasonHint}
        value={typed}
        error={problem === undefined ? refused : text.endpoints.reasonProblems[problem]}
        onInput={(value) => {
          setTyped(value);
          disabling.clear();
        }}
      />
    </ConfirmDialog>
  );
}
