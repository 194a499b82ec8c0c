import { useState } from 'preact/hooks';
import { execute } from '../../api/request.js';
import { useAction } from '../../api/use-action.js';
import { refresh } from '../../api/use-query.js';
import { ConfirmDialog } from '../../components/dialog.js';
import { TextField } from '../../components/fields.js';
import { showToast } from '../../components/toast.js';
import { deleteEndpointDocument } from '../../generated/documents.js';
import { fill, text } from '../../texts/text.js';
import { hostOf } from './host.js';

interface DeleteDialogProps {
  readonly endpoint: { readonly id: string; readonly url: string };
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Asks for the host before an endpoint is deleted, which cannot be undone. */
export function DeleteDialog({ endpoint, onClose, onDeleted }: DeleteDialogProps) {
  const host = hostOf(endpoint.url);
  const [typed, setTyped] = useState('');
  const deleting = useAction(async () => {
    await execute(deleteEndpointDocument, { id: endpoint.id });
    showToast(text.endpoints.deleted);
    onDeleted();
    refresh();
  });
  return (
    <ConfirmDialog
      title={text.endpoints.deleteTitle}
      action={text.endpoints.delete}
      kind="danger"
      busy={deleting.running || typed.trim() !== host}
      error={deleting.error}
      onConfirm={() => void deleting.run()}
      onClose={onClose}
    >
      <p>{text.endpoints.deleteDetail}</p>
      <TextField
        label={fill(text.endpoints.deleteConfirm, { host })}
        class="mono"
        value={typed}
        onInput={setTyped}
      />
    </ConfirmDialog>
  );
}
