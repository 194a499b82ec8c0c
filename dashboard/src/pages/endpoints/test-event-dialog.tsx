import { useId, useState } from 'preact/hooks';
import { execute } from '../../api/request.js';
import { useAction } from '../../api/use-action.js';
import { refresh, useQuery } from '../../api/use-query.js';
import { ConfirmDialog } from '../../components/dialog.js';
import { showToast } from '../../components/toast.js';
import { eventTypesDocument, sendTestEventDocument } from '../../generated/documents.js';
import { fill, text } from '../../texts/text.js';

interface TestEventDialogProps {
  readonly endpoint: { readonly id: string; readonly eventTypes: readonly string[] };
  readonly onClose: () => void;
}

/** Sends the example of a type to one endpoint. */
export function TestEventDialog({ endpoint, onClose }: TestEventDialogProps) {
  const id = useId();
  const { data, error } = useQuery(eventTypesDocument, {});
  const sent = (data?.eventTypes.data ?? []).filter((type) => type.sent);
  const subscribed = sent.find((type) => endpoint.eventTypes.includes(type.id));
  const [chosen, setChosen] = useState<string>();
  const type = chosen ?? subscribed?.id ?? sent[0]?.id;
  const sending = useAction(async () => {
    if (type === undefined) return;
    const { event } = await execute(sendTestEventDocument, { endpoint: endpoint.id, type });
    showToast(fill(text.endpoints.testSent, { id: event.id }));
    onClose();
    refresh();
  });
  return (
    <ConfirmDialog
      title={text.endpoints.testTitle}
      action={text.endpoints.testSend}
      busy={sending.running || type === undefined}
      error={sending.error ?? error}
      onConfirm={() => void sending.run()}
      onClose={onClose}
    >
      <p class="soft">{text.endpoints.testDetail}</p>
      <div class="field">
        <label for={id}>{text.endpoints.testType}</label>
        <select
          id={id}
          class="input mono"
          value={type}
          onChange={(event) => setChosen(event.currentTarget.value)}
        >
          {sent.map((each) => (
            <option key={each.id} value={each.id}>
              {each.id}
            </option>
          ))}
        </select>
      </div>
    </ConfirmDialog>
  );
}
