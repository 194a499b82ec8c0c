import type { PermissionLevel, Role } from '../generated/documents.js';

export type Level = PermissionLevel;

const levels: readonly Level[] = ['none', 'read', 'write'];

/** Whether the level `given` includes the level `wanted`. */
export function allows(given: Level, wanted: Level): boolean {
  return levels.indexOf(given) >= levels.indexOf(wanted);
}

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
