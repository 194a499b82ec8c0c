import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { session } from '../../api/session-state.js';
import { useQuery } from '../../api/use-query.js';
import { Button } from '../../components/button.js';
import { DataText } from '../../components/data-text.js';
import { EmptyState } from '../../components/card.js';
import { ErrorNotice } from '../../components/notice.js';
import { Instant } from '../../components/instant.js';
import { PageHeader } from '../../components/page-header.js';
import { membersDocument, type membersQuery } from '../../generated/documents.js';
import { fill, text } from '../../texts/text.js';
import { AddMemberDialog } from './add-member-dialog.js';
import { ChangeRoleDialog } from './change-role-dialog.js';
import { MissingRecord } from './missing-record.js';
import { RecordRow } from './record-row.js';
import { RemoveMemberDialog } from './remove-member-dialog.js';
import { mayChange } from './role-rule.js';
import './account.css';

export type ListedMember = membersQuery['members'][number];

/** What is open above the list. */
type Open =
  | { readonly what: 'add' }
  | { readonly what: 'change' | 'remove'; readonly member: ListedMember };

/** The people of the account. */
export function MembersPage() {
  const { find } = useLocation().query;
  const { data, error, loading, reload } = useQuery(membersDocument, {});
  const [open, setOpen] = useState<Open>();
  const texts = text.members;
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
  const texts = text.members;
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
