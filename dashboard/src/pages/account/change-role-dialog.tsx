import { useState } from 'preact/hooks';
import { execute } from '../../api/request.js';
import { session } from '../../api/session-state.js';
import { useAction } from '../../api/use-action.js';
import { refresh } from '../../api/use-query.js';
import { ConfirmDialog } from '../../components/dialog.js';
import { showToast } from '../../components/toast.js';
import { changeMemberRoleDocument, type Role } from '../../generated/documents.js';
import { fill, text } from '../../texts/text.js';
import { RoleField } from './role-field.js';

interface ChangeRoleDialogProps {
  readonly member: { readonly id: string; readonly email: string; readonly role: Role };
  readonly onClose: () => void;
}

/** Gives a member another role. */
export function ChangeRoleDialog({ member, onClose }: ChangeRoleDialogProps) {
  const [role, setRole] = useState(member.role);
  const texts = text.members;
  const changing = useAction(async () => {
    const current = session.peek();
    if (current.state !== 'signedIn') return;
    const account = current.viewer.account.id;
    await execute(changeMemberRoleDocument, { input: { account, member: member.id, role } });
    refresh();
    showToast(texts.changed);
    onClose();
  });
  return (
    <ConfirmDialog
      title={fill(texts.changeTitle, { email: member.email })}
      action={texts.change}
      busy={changing.running}
      error={changing.error}
      onConfirm={() => void changing.run()}
      onClose={onClose}
    >
      <RoleField role={role} onChange={setRole} />
      <p class="soft">{texts.changeDetail}</p>
    </ConfirmDialog>
  );
}
