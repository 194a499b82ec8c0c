import { execute } from '../../api/request.js';
import { useAction } from '../../api/use-action.js';
import { refresh } from '../../api/use-query.js';
import { ConfirmDialog } from '../../components/dialog.js';
import { showToast } from '../../components/toast.js';
import { removeMemberDocument } from '../../generated/documents.js';
import { fill, text } from '../../texts/text.js';

interface RemoveMemberDialogProps {
  readonly member: { readonly id: string; readonly email: string };
  readonly onClose: () => void;
}

/** Asks before a member is removed, because that cannot be undone. */
export function RemoveMemberDialog({ member: { id, email }, onClose }: RemoveMemberDialogProps) {
  const texts = text.members;
  const removing = useAction(async () => {
    await execute(removeMemberDocument, { id });
    refresh();
    showToast(texts.removed);
    onClose();
  });
  return (
    <ConfirmDialog
      title={fill(texts.removeTitle, { email })}
      action={texts.remove}
      kind="danger"
      busy={removing.running}
      error={removing.error}
      onConfirm={() => void removing.run()}
      onClose={onClose}
    >
      <p>{texts.removeDetail}</p>
    </ConfirmDialog>
  );
}
