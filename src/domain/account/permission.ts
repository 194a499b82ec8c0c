/** How much of an area somebody may use: nothing, reading, or reading and changing (H88). */
export type Level = 'none' | 'read' | 'write';

/** The areas that permissions are given for (H88). */
export type Area = 'webhooks' | 'orders';

/** One level for each area. */
export type Permissions = Readonly<Record<Area, Level>>;

/** What a member of an account is (H89). */
export type Role = (typeof roles)[number];
export const roles = ['owner', 'admin', 'developer', 'accountant', 'viewer'] as const;

/** What a key was issued for: everything its holder may do, or reading only (H89). */
export type KeyLevel = (typeof keyLevels)[number];
export const keyLevels = ['full', 'read'] as const;

const ascending: readonly Level[] = ['none', 'read', 'write'];

const byRole: Readonly<Record<Role, Permissions>> = {
  owner: { webhooks: 'write', orders: 'write' },
  admin: { webhooks: 'write', orders: 'write' },
  developer: { webhooks: 'write', orders: 'read' },
  accountant: { webhooks: 'none', orders: 'read' },
  viewer: { webhooks: 'read', orders: 'read' },
};

const byKeyLevel: Readonly<Record<KeyLevel, Level>> = { full: 'write', read: 'read' };

/** The lower of the key's own level and its holder's role, for each area (H89). */
export function effective(level: KeyLevel, role: Role): Permissions {
  const key = byKeyLevel[level];
  return { webhooks: lower(key, byRole[role].webhooks), orders: lower(key, byRole[role].orders) };
}

/** Whether these permissions reach the level that an operation asks for (H88). */
export function allows(
  holder: { readonly permissions: Permissions },
  area: Area,
  level: Level,
): boolean {
  return ascending.indexOf(holder.permissions[area]) >= ascending.indexOf(level);
}

function lower(one: Level, other: Level): Level {
  return ascending.indexOf(one) <= ascending.indexOf(other) ? one : other;
}
