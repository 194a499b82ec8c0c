import type { Role } from '../../generated/documents.js';

interface Person {
  readonly id: string;
  readonly role: Role;
}

const roles: readonly Role[] = ['owner', 'admin', 'developer', 'accountant', 'viewer'];

/** The roles that a member with this role may grant. */
export function assignableRoles(by: Role): readonly Role[] {
  return by === 'owner' ? roles : roles.filter((role) => role !== 'owner');
}

/** Whether one member may change or remove another. The service checks this again. */
export function mayChange(by: Person, member: Person): boolean {
  return by.id !== member.id && assignableRoles(by.role).includes(member.role);
}
