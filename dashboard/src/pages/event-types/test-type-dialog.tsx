import { useState } from 'preact/hooks';
import { execute } from '../../api/request.js';
import { useAction } from '../../api/use-action.js';
import { refresh } from '../../api/use-query.js';
import { ConfirmDialog } from '../../components/dialog.js';
import { SelectField } from '../../components/fields.js';
import { showToast } from '../../components/toast.js';
import { sendTestEventDocument } from '../../generated/documents.js';
import { fill, text } from '../../texts/text.js';
import { endpointChoices } from '../endpoints/host.js';
import { useEndpointOptions } from '../endpoints/use-endpoint-options.js';

interface TestTypeDialogProps {
  readonly type: string;
  readonly onClose: () => void;
}

/** Sends the example of one type to an endpoint. */
export function TestTypeDialog({ type, onClose }: TestTypeDialogProps) {
  const { data, error } = useEndpointOptions();
  const active = (data ?? []).filter((endpoint) => endpoint.active);
  const [chosen, setChosen] = useState<string>();
  const endpoint = chosen ?? active[0]?.id;
  const sending = useAction(async () => {
    if (endpoint === undefined) return;
    const { event } = await execute(sendTestEventDocument, { endpoint, type });
    showToast(fill(text.endpoints.testSent, { id: event.id }));
    onClose();
    refresh();
  });
  return (
    <ConfirmDialog
      title={text.endpoints.testTitle}
      action={text.endpoints.testSend}
      busy={sending.running || endpoint === undefined}
      error={sending.error ?? error}
      onConfirm={() => void sending.run()}
      onClose={onClose}
    >
      <p class="soft">{fill(text.eventTypes.testDetail, { type })}</p>
      {data && active.length === 0 ? (
        <p>{text.eventTypes.noEndpoint}</p>
      ) : (
        <SelectField
          label={text.recoveries.endpoint}
          value={endpoint ?? ''}
          options={endpointChoices(active)}
          onChange={setChosen}
        />
      )}
    </ConfirmDialog>
  );
}
