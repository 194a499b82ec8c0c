import { useState } from 'preact/hooks';
import { execute } from '../../api/request.js';
import { session } from '../../api/session-state.js';
import { useAction } from '../../api/use-action.js';
import { refresh } from '../../api/use-query.js';
import { Button } from '../../components/button.js';
import { ConfirmDialog, Dialog } from '../../components/dialog.js';
import { Secret } from '../../components/copy-button.js';
import { SelectField } from '../../components/fields.js';
import {
  createApiKeyDocument,
  type CredentialLevel,
  type PermissionLevel,
} from '../../generated/documents.js';
import { text } from '../../texts/text.js';

const accessLevels: readonly CredentialLevel[] = ['full', 'read', 'restricted'];
const areaLevels: readonly PermissionLevel[] = ['none', 'read', 'write'];

/** Creates a key, then shows it once. */
export function CreateKeyDialog({ onClose }: { readonly onClose: () => void }) {
  const [access, setAccess] = useState<CredentialLevel>('full');
  const [webhooks, setWebhooks] = useState<PermissionLevel>('read');
  const [orders, setOrders] = useState<PermissionLevel>('none');
  const [token, setToken] = useState<string>();
  const texts = text.keys;
  const creating = useAction(async () => {
    const current = session.peek();
    if (current.state !== 'signedIn') return;
    const account = current.viewer.account.id;
    const levels = access === 'restricted' ? { webhooks, orders } : { level: access };
    const input = { account, kind: 'live' as const, ...levels };
    const { issued } = await execute(createApiKeyDocument, { input });
    setToken(issued.token);
    refresh();
  });
  if (token !== undefined) {
    return (
      <Dialog key="created" sticky title={texts.newKey} onClose={onClose}>
        <Secret value={token} label={texts.one} />
        <div class="dialog-actions">
          <Button kind="primary" onClick={onClose}>
            {texts.stored}
          </Button>
        </div>
      </Dialog>
    );
  }
  const areas = [
    { label: texts.webhooks, value: webhooks, set: setWebhooks },
    { label: texts.orders, value: orders, set: setOrders },
  ];
  return (
    <ConfirmDialog
      title={texts.createTitle}
      action={texts.create}
      busy={creating.running}
      error={creating.error}
      onConfirm={() => void creating.run()}
      onClose={onClose}
    >
      <SelectField
        label={texts.access}
        value={access}
        options={accessLevels.map((each) => [each, texts.levels[each]])}
        onChange={(value) => setAccess(accessLevels.find((each) => each === value) ?? 'full')}
      />
      <p class="field-hint">{texts.levelHints[access]}</p>
      {access === 'restricted' &&
        areas.map(({ label, value: chosen, set }) => (
          <SelectField
            key={label}
            label={label}
            value={chosen}
            options={areaLevels.map((each) => [each, texts.permissions[each]])}
            onChange={(value) => set(areaLevels.find((each) => each === value) ?? 'none')}
          />
        ))}
    </ConfirmDialog>
  );
}
