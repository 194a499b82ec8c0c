import { base, inPortal } from '../api/base.js';
import { can, type Subject } from '../api/session-state.js';
import { saleKinds, salePath } from '../pages/commerce/sale-paths.js';
import { text } from '../texts/text.js';
import type { MenuLink } from './frame.js';

/** The path of the start page. */
export const home = `${base}/overview`;

/** A link of the menu, with its shortcut and its permission. */
export interface MenuEntry extends MenuLink {
  /** The key that opens it after `g`. */
  readonly key: string;
  /** Only viewers who may read this see the entry. */
  readonly subject: Subject;
}

/** All entries in their order. Views of the menu also have a line in routes.tsx. */
const entries: readonly MenuEntry[] = [
  {
    href: home,
    label: text.shell.overview,
    key: 'o',
    subject: 'webhooks',
  },
  {
    href: `${base}/deliveries`,
    label: text.shell.deliveries,
    key: 'd',
    subject: 'webhooks',
  },
  {
    href: `${base}/endpoints`,
    label: text.shell.endpoints,
    key: 'e',
    subject: 'webhooks',
  },
  {
    href: `${base}/recoveries`,
    label: text.shell.recoveries,
    key: 'r',
    subject: 'webhooks',
  },
  {
    href: `${base}/event-types`,
    label: text.shell.eventTypes,
    key: 't',
    subject: 'webhooks',
  },
  {
    href: `${base}/orders`,
    also: saleKinds.map((kind) => salePath(kind)),
    label: text.commerce.title,
    key: 's',
    subject: 'orders',
  },
  {
    href: `${base}/keys`,
    label: text.keys.title,
    key: 'k',
    subject: 'account',
  },
  {
    href: `${base}/members`,
    label: text.members.title,
    key: 'm',
    subject: 'account',
  },
  {
    href: `${base}/portal`,
    label: text.portalSettings.title,
    key: 'p',
    subject: 'account',
  },
  {
    href: `${base}/audit-log`,
    label: text.audit.title,
    key: 'a',
    subject: 'account',
  },
];

/** The menu of these pages. The portal shows webhooks only. */
export const menu = entries.filter(({ subject }) => !inPortal || subject === 'webhooks');

/** The first view of the menu that the viewer may read. */
export function startPath(): string {
  return menu.find(({ subject }) => can(subject, 'read'))?.href ?? home;
}
