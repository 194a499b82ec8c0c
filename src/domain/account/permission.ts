/** How much of an area somebody may use: nothing, reading, or reading and changing (H88). */
export type Level = (typeof levels)[number];
export const levels = ['none', 'read', 'write'] as const;

/** The areas that permissions are given for (H88). */
export type Area = 'webhooks' | 'orders';

/** One level for each area. */
export type Permissions = Readonly<Record<Area, Level>>;

/** What a member of an account is (H89). */
export type Role = (typeof roles)[number];
export const roles = ['owner', 'admin', 'developer', 'accountant', 'viewer'] as const;

/**
 * What a key was issued for: everything its holder may do, reading only, or a level of its own for
 * each area (H89, H118).
 */
export type KeyLevel = (typeof keyLevels)[number];
export const keyLevels = ['full', 'read', 'restricted'] as const;

const levelOrder: readonly Level[] = levels;

const permissionsByRole: Readonly<Record<Role, Permissions>> = {
  owner: { webhooks: 'write', orders: 'write' },
  admin: { webhooks: 'write', orders: 'write' },
  developer: { webhooks: 'write', orders: 'read' },
  accountant: { webhooks: 'none', orders: 'read' },
  viewer: { webhooks: 'read', orders: 'read' },
};

/** The level of a key as it is stored: the areas have levels of their own on restricted keys only. */
export interface StoredLevels {
  readonly level: KeyLevel;
  readonly webhooksLevel: Level | null;
  readonly ordersLevel: Level | null;
}

/** The levels that a key was issued with, before the role of its holder lowers them. */
export function keyPermissions({ level, webhooksLevel, ordersLevel }: StoredLevels): Permissions {
  switch (level) {
    case 'full':
      return { webhooks: 'write', orders: 'write' };
    case 'read':
      return { webhooks: 'read', orders: 'read' };
    case 'restricted':
      return { webhooks: webhooksLevel ?? 'none', orders: ordersLevel ?? 'none' };
  }
}

/** The lower of the key's own level and its holder's role, for each area (H89). */
export function effectivePermissions(own: Permissions, role: Role): Permissions {
  const { webhooks, orders } = permissionsByRole[role];
  return { webhooks: lowerLevel(own.webhooks, webhooks), orders: lowerLevel(own.orders, orders) };
}

/** Whether these permissions reach the level that an operation asks for (H88). */
export function allows(
  holder: { readonly permissions: Permissions },
  area: Area,
  level: Level,
): boolean {
  return levelOrder.indexOf(holder.permissions[area]) >= levelOrder.indexOf(level);
}

function lowerLevel(one: Level, other: Level): Level {
  return levelOrder.indexOf(one) <= levelOrder.indexOf(other) ? one : other;
}
