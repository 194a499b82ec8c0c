import { session } from '../../api/session-state.js';
import { SelectField } from '../../components/select-field.js';
import type { Role } from '../../generated/documents.js';
import { text } from '../../texts/text.js';
import { assignableRoles } from './role-rule.js';

interface RoleFieldProps {
  readonly role: Role;
  readonly onChange: (role: Role) => void;
}

/** A choice of the roles that the viewer may give, with what the chosen one allows. */
export function RoleField({ role, onChange }: RoleFieldProps) {
  const current = session.value;
  const roles = current.state === 'signedIn' ? assignableRoles(current.viewer.member.role) : [];
  return (
    <>
      <SelectField
        label={text.members.role}
        value={role}
        options={roles.map((each) => [each, text.shell.roles[each]])}
        onChange={(value) => onChange(roles.find((each) => each === value) ?? role)}
      />
      <p class="field-hint">{text.members.roleHints[role]}</p>
    </>
  );
}
