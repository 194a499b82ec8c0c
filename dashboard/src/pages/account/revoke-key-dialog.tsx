import { execute } from '../../api/request.js';
import { useAction } from '../../api/use-action.js';
import { refresh } from '../../api/use-query.js';
import { ConfirmDialog } from '../../components/dialog.js';
import { showToast } from '../../components/toast.js';
import { revokeApiKeyDocument } from '../../generated/documents.js';
import { fill, text } from '../../texts/text.js';

interface RevokeKeyDialogProps {
  readonly apiKey: { readonly id: string; readonly last4: string };
  readonly onClose: () => void;
}

/** Asks before a key is revoked, because that cannot be undone. */
export function RevokeKeyDialog({ apiKey: { id, last4 }, onClose }: RevokeKeyDialogProps) {
  const texts = text.keys;
  const revoking = useAction(async () => {
    await execute(revokeApiKeyDocument, { id });
    refresh();
    showToast(texts.revoked);
    onClose();
  });
  return (
    <ConfirmDialog
      title={texts.revokeTitle}
      action={texts.revoke}
      kind="danger"
      busy={revoking.running}
      error={revoking.error}
      onConfirm={() => void revoking.run()}
      onClose={onClose}
    >
      <p>{fill(texts.revokeDetail, { last4 })}</p>
    </ConfirmDialog>
  );
}
