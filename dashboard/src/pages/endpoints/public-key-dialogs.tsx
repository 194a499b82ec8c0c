/*
 * The signature of an endpoint with a key pair: its public keys, the address where receivers read them, and the dialogs
 * that turn it on and off and rotate the pair.
 */
import { execute } from '../../api/request.js';
import { useAction } from '../../api/use-action.js';
import { refresh } from '../../api/use-query.js';
import { CopyButton } from '../../components/copy-button.js';
import { ConfirmDialog } from '../../components/dialog.js';
import { Instant } from '../../components/instant.js';
import { showToast } from '../../components/toast.js';
import {
  type endpointQuery,
  rotatePublicKeyDocument,
  setEndpointOptionsDocument,
} from '../../generated/documents.js';
import { optionTexts } from './option-texts.js';

type PublicKeySignature = endpointQuery['endpoint']['options']['publicKeySignature'];

interface PublicKeyValueProps {
  readonly signature: PublicKeySignature;
}

/** Shows the public keys that verify, newest first, and their address. */
export function PublicKeyValue({ signature }: PublicKeyValueProps) {
  if (signature === null) return <>{optionTexts.publicKeyNone}</>;

  return (
    <div class="stack-s">
      {signature.keys.map(({ publicKey, expiresAt }) => (
        <div key={publicKey}>
          <div class="copyable">
            <code>{publicKey}</code>
            <CopyButton value={publicKey} label={optionTexts.publicKey} />
          </div>
          {expiresAt !== null && (
            <p class="small">
              {optionTexts.publicKeyUntil} <Instant at={expiresAt} />
            </p>
          )}
        </div>
      ))}
      <p class="small">{optionTexts.publicKeyUrl}</p>
      <div class="copyable">
        <code>{signature.url}</code>
        <CopyButton value={signature.url} label={optionTexts.publicKeyUrl} />
      </div>
    </div>
  );
}

interface PublicKeyDialogProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** Turns the signature with a key pair on, or off if it is on. */
export function PublicKeyDialog({ id, isOn, onClose }: PublicKeyDialogProps & { isOn: boolean }) {
  const saving = useAction(async () => {
    await execute(setEndpointOptionsDocument, { id, input: { publicKeySignature: !isOn } });
    refresh();
    showToast(optionTexts.optionSaved);
    onClose();
  });

  return (
    <ConfirmDialog
      title={isOn ? optionTexts.publicKeyOffTitle : optionTexts.publicKeyOnTitle}
      action={isOn ? optionTexts.publicKeyOff : optionTexts.publicKeyOn}
      kind={isOn ? 'danger' : 'primary'}
      busy={saving.running}
      error={saving.error}
      onConfirm={() => void saving.run()}
      onClose={onClose}
    >
      <p>{isOn ? optionTexts.publicKeyOffDetail : optionTexts.publicKeyOnDetail}</p>
    </ConfirmDialog>
  );
}

/** Gives the endpoint a new key pair beside the old one. */
export function RotateKeyDialog({ id, onClose }: PublicKeyDialogProps) {
  const rotating = useAction(async () => {
    await execute(rotatePublicKeyDocument, { id });
    refresh();
    showToast(optionTexts.publicKeyRotated);
    onClose();
  });

  return (
    <ConfirmDialog
      title={optionTexts.publicKeyRotateTitle}
      action={optionTexts.publicKeyRotate}
      busy={rotating.running}
      error={rotating.error}
      onConfirm={() => void rotating.run()}
      onClose={onClose}
    >
      <p>{optionTexts.publicKeyRotateDetail}</p>
    </ConfirmDialog>
  );
}
