/** What a viewer may do in an area: nothing, read, or read and change. */
export type Level = (typeof levels)[number];
export const levels = ['none', 'read', 'write'] as const;

/** The areas that permissions cover. */
export type Area = 'webhooks' | 'orders';

/** One level for each area. */
export type Permissions = Readonly<Record<Area, Level>>;

/** The role of a member in an account. */
export type Role = (typeof roles)[number];
export const roles = ['owner', 'admin', 'developer', 'accountant', 'viewer'] as const;

/** What a key was issued for: everything that its holder may do, reading only, or one level for each area. */
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

/** The levels of a key as the database stores them. Only restricted keys have a level for each area. */
export interface StoredLevels {
  readonly level: KeyLevel;
  readonly webhooksLevel: Level | null;
  readonly ordersLevel: Level | null;
}

/** Returns the levels that a key was issued with, before its holder's role lowers them. */
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

/**
 * Returns for each area the lower of two levels.
 * @param granted what a key or session was issued for
 * @param role the role of its holder
 */
export function effectivePermissions(granted: Permissions, role: Role): Permissions {
  const { webhooks, orders } = permissionsByRole[role];
  return {
    webhooks: lowerLevel(granted.webhooks, webhooks),
    orders: lowerLevel(granted.orders, orders),
  };
}

/** Whether the permissions reach the level that an operation requires. */
export function allows(
  holder: { readonly permissions: Permissions },
  area: Area,
  level: Level,
): boolean {
  return levelOrder.indexOf(holder.permissions[area]) >= levelOrder.indexOf(level);
}

/**
 * Whether a caller may read what was sold: buyers, amounts, the bodies of events, and responses of receivers,
 * which may repeat them. An internal credential may do everything.
 */
export function mayReadSales(viewer: {
  readonly kind: string;
  readonly permissions: Permissions;
}): boolean {
  return viewer.kind === 'internal' || allows(viewer, 'orders', 'read');
}

function lowerLevel(one: Level, other: Level): Level {
  return levelOrder.indexOf(one) <= levelOrder.indexOf(other) ? one : other;
}
