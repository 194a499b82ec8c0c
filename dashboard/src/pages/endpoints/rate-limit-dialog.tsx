import { useState } from 'preact/hooks';
import { execute } from '../../api/request.js';
import { useAction } from '../../api/use-action.js';
import { refresh } from '../../api/use-query.js';
import { ConfirmDialog } from '../../components/dialog.js';
import { TextField } from '../../components/fields.js';
import { showToast } from '../../components/toast.js';
import { setRateLimitDocument } from '../../generated/documents.js';
import { text } from '../../texts/text.js';
import { parseRateLimit } from './rate-limit-rule.js';

interface RateLimitDialogProps {
  readonly endpoint: { readonly id: string; readonly maxPerSecond: number | null };
  readonly onClose: () => void;
}

/** Sets how many requests a second an endpoint gets, or removes the limit. */
export function RateLimitDialog({ endpoint, onClose }: RateLimitDialogProps) {
  const [typed, setTyped] = useState(endpoint.maxPerSecond?.toString() ?? '');
  const maxPerSecond = parseRateLimit(typed);
  const saving = useAction(async () => {
    if (maxPerSecond === undefined) return;
    await execute(setRateLimitDocument, { id: endpoint.id, maxPerSecond });
    refresh();
    showToast(text.endpoints.limitSaved);
    onClose();
  });
  return (
    <ConfirmDialog
      title={text.endpoints.limitTitle}
      action={text.endpoints.limitSave}
      busy={saving.running || maxPerSecond === undefined}
      error={saving.error}
      onConfirm={() => void saving.run()}
      onClose={onClose}
    >
      <p class="soft">{text.endpoints.limitDetail}</p>
      <TextField
        label={text.endpoints.limitField}
        hint={text.endpoints.limitHint}
        inputMode="numeric"
        class="input-number"
        value={typed}
        error={maxPerSecond === undefined ? text.endpoints.limitInvalid : undefined}
        onInput={setTyped}
      />
    </ConfirmDialog>
  );
}
