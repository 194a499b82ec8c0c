import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { assignableRoles, mayChange } from '../../api/permissions.js';
import { execute } from '../../api/request.js';
import { session } from '../../api/session-state.js';
import { useAction } from '../../api/use-action.js';
import { refresh, useQuery } from '../../api/use-query.js';
import { Button } from '../../components/button.js';
import { EmptyState } from '../../components/card.js';
import { DataText } from '../../components/data-text.js';
import { ConfirmDialog } from '../../components/dialog.js';
import { SelectField, TextField } from '../../components/fields.js';
import { Instant } from '../../components/instant.js';
import { ErrorNotice } from '../../components/notice.js';
import { PageHeader } from '../../components/page-header.js';
import { showToast } from '../../components/toast.js';
import {
  changeMemberRoleDocument,
  createMemberDocument,
  membersDocument,
  type membersQuery,
  removeMemberDocument,
  type Role,
} from '../../generated/documents.js';
import { fill, text } from '../../texts/text.js';
import { looksLikeEmail } from '../sign-in/sign-in-rules.js';
import { MissingRecord, RecordRow } from './records.js';
import './account.css';

const texts = text.members;

export type ListedMember = membersQuery['members'][number];

/** The open dialog. */
type Open =
  | { readonly what: 'add' }
  | { readonly what: 'change' | 'remove'; readonly member: ListedMember };

/** The people of the account. */
export function MembersPage() {
  const { find } = useLocation().query;
  const { data, error, loading, reload } = useQuery(membersDocument, {});
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const add = data && (
    <Button kind="primary" onClick={() => setOpen({ what: 'add' })}>
      {texts.add}
    </Button>
  );

  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead} actions={add} />
      {error && <ErrorNotice error={error} retry={reload} />}
      <MissingRecord
        wanted={find}
        records={loading ? undefined : data?.members}
        detail={texts.missing}
      />
      {data?.members.length === 0 ? (
        <EmptyState title={texts.empty}>{texts.emptyDetail}</EmptyState>
      ) : (
        <ul class="card records" aria-busy={!data}>
          {(data?.members ?? []).map((member) => (
            <MemberRow
              key={member.id}
              member={member}
              onOpen={(what) => setOpen({ what, member })}
            />
          ))}
        </ul>
      )}
      {open?.what === 'add' && <AddMemberDialog onClose={close} />}
      {open?.what === 'change' && <ChangeRoleDialog member={open.member} onClose={close} />}
      {open?.what === 'remove' && <RemoveMemberDialog member={open.member} onClose={close} />}
    </>
  );
}

interface MemberRowProps {
  readonly member: ListedMember;
  readonly onOpen: (what: 'change' | 'remove') => void;
}

function MemberRow({ member, onOpen }: MemberRowProps) {
  const { id, email, role, createdAt } = member;
  const current = session.value;
  const me = current.state === 'signedIn' ? (current.viewer.member ?? undefined) : undefined;
  return (
    <RecordRow id={id}>
      <div class="record-main">
        <p class="row">
          <strong>
            <DataText value={email} />
          </strong>
          <span class="badge">{text.shell.roles[role]}</span>
          {me?.id === id && <span class="badge badge-good">{texts.you}</span>}
        </p>
        <p class="soft small">
          {texts.since} <Instant at={createdAt} style="relative" />
          {' · '}
          <code>{id}</code>
        </p>
      </div>
      {me && mayChange(me, member) && (
        <div class="row">
          <Button small label={fill(texts.changeOf, { email })} onClick={() => onOpen('change')}>
            {texts.change}
          </Button>
          <Button small label={fill(texts.removeOf, { email })} onClick={() => onOpen('remove')}>
            {texts.remove}
          </Button>
        </div>
      )}
    </RecordRow>
  );
}

/** Adds a person to the account. */
export function AddMemberDialog({ onClose }: { readonly onClose: () => void }) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('developer');
  const [invalid, setInvalid] = useState(false);
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

interface ChangeRoleDialogProps {
  readonly member: { readonly id: string; readonly email: string; readonly role: Role };
  readonly onClose: () => void;
}

/** Gives a member another role. */
export function ChangeRoleDialog({ member, onClose }: ChangeRoleDialogProps) {
  const [role, setRole] = useState(member.role);
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

interface RemoveMemberDialogProps {
  readonly member: { readonly id: string; readonly email: string };
  readonly onClose: () => void;
}

/** Asks for confirmation before it removes a member, which cannot be undone. */
export function RemoveMemberDialog({ member: { id, email }, onClose }: RemoveMemberDialogProps) {
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

interface RoleFieldProps {
  readonly role: Role;
  readonly onChange: (role: Role) => void;
}

/** Offers the roles that the viewer may grant, and says what the chosen one allows. */
export function RoleField({ role, onChange }: RoleFieldProps) {
  const current = session.value;
  const viewerRole = current.state === 'signedIn' ? current.viewer.member?.role : undefined;
  const roles = viewerRole === undefined ? [] : assignableRoles(viewerRole);
  return (
    <>
      <SelectField
        label={texts.role}
        value={role}
        options={roles.map((choice) => [choice, text.shell.roles[choice]])}
        onChange={(value) => onChange(roles.find((choice) => choice === value) ?? role)}
      />
      <p class="field-hint">{texts.roleHints[role]}</p>
    </>
  );
}
