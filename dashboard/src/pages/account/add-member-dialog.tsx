import { useState } from 'preact/hooks';
import { execute } from '../../api/request.js';
import { session } from '../../api/session-state.js';
import { useAction } from '../../api/use-action.js';
import { refresh } from '../../api/use-query.js';
import { ConfirmDialog } from '../../components/dialog.js';
import { TextField } from '../../components/fields.js';
import { showToast } from '../../components/toast.js';
import { createMemberDocument, type Role } from '../../generated/documents.js';
import { text } from '../../texts/text.js';
import { looksLikeEmail } from '../sign-in/email-rule.js';
import { RoleField } from './role-field.js';

/** Adds a person to the account. */
export function AddMemberDialog({ onClose }: { readonly onClose: () => void }) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('developer');
  const [invalid, setInvalid] = useState(false);
  const texts = text.members;
  const adding = useAction(async () => {
    const current = session.peek();
    setInvalid(!looksLikeEmail(email));
    if (!looksLikeEmail(email) || current.state !== 'signedIn') return;
    const account = current.viewer.account.id;
    await execute(createMemberDocument, { input: { account, email, role } });
    refresh();
    showToast(texts.added);
    onClose();
  });
  return (
    <ConfirmDialog
      title={texts.addTitle}
      action={texts.add}
      busy={adding.running}
      error={adding.error}
      onConfirm={() => void adding.run()}
      onClose={onClose}
    >
      <p class="soft">{texts.addDetail}</p>
      <TextField
        label={texts.email}
        inputMode="email"
        value={email}
        onInput={setEmail}
        error={invalid ? texts.emailInvalid : adding.error?.fields['email']}
      />
      <RoleField role={role} onChange={setRole} />
    </ConfirmDialog>
  );
}
