import { useState } from 'preact/hooks';
import { execute } from '../../api/request.js';
import { useAction } from '../../api/use-action.js';
import { refresh } from '../../api/use-query.js';
import { Button } from '../../components/button.js';
import { CopyButton } from '../../components/copy-button.js';
import { ConfirmDialog, Dialog } from '../../components/dialog.js';
import { SelectField } from '../../components/fields.js';
import { createPortalLinkDocument } from '../../generated/documents.js';
import { text } from '../../texts/text.js';

const roles = ['viewer', 'developer'] as const;
const ttls = [900, 3_600, 86_400, 604_800] as const;

/** Makes a link, then shows it once. */
export function CreateLinkDialog({ onClose }: { readonly onClose: () => void }) {
  const [role, setRole] = useState<(typeof roles)[number]>('viewer');
  const [ttlSeconds, setTtl] = useState<(typeof ttls)[number]>(900);
  const [url, setUrl] = useState<string>();
  const texts = text.portalSettings;
  const creating = useAction(async () => {
    const { created } = await execute(createPortalLinkDocument, { input: { role, ttlSeconds } });
    refresh();
    setUrl(created.url);
  });
  if (url !== undefined) {
    return (
      <Dialog key="created" sticky title={texts.newLink} onClose={onClose}>
        <div class="stack-s">
          <div class="copyable copyable-secret">
            <code>{url}</code>
            <CopyButton value={url} label={texts.linkLabel} />
          </div>
          <p class="field-hint">{texts.linkOnce}</p>
        </div>
        <div class="dialog-actions">
          <Button kind="primary" onClick={onClose}>
            {texts.done}
          </Button>
        </div>
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      title={texts.createLinkTitle}
      action={texts.createLink}
      busy={creating.running}
      error={creating.error}
      onConfirm={() => void creating.run()}
      onClose={onClose}
    >
      <p>{texts.createLinkDetail}</p>
      <SelectField
        label={texts.role}
        value={role}
        options={roles.map((each) => [each, text.shell.roles[each]])}
        onChange={(value) => setRole(roles.find((each) => each === value) ?? 'viewer')}
      />
      <p class="field-hint">{texts.roleHints[role]}</p>
      <SelectField
        label={texts.ttl}
        value={String(ttlSeconds)}
        options={ttls.map((each) => [String(each), texts.ttls[each]])}
        onChange={(value) => setTtl(ttls.find((each) => String(each) === value) ?? 900)}
      />
    </ConfirmDialog>
  );
}
