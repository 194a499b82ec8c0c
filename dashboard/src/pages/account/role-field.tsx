import { session } from '../../api/session-state.js';
import { SelectField } from '../../components/fields.js';
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
  const own = current.state === 'signedIn' ? current.viewer.member?.role : undefined;
  const roles = own === undefined ? [] : assignableRoles(own);
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
