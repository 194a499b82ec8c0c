import { base, inPortal } from '../api/base.js';
import { can, type Subject } from '../api/session-state.js';
import { saleKinds, salePath } from '../pages/commerce/sale-paths.js';
import { text } from '../texts/text.js';
import { home } from './home.js';

/** A view of the menu. */
export interface MenuEntry {
  readonly href: string;
  readonly label: string;
  /** Where else it is the current entry. */
  readonly also?: readonly string[];
  /** The second key after `g`. */
  readonly key: string;
  /** Shown to those who may read this. */
  readonly subject: Subject;
}

/** All entries, in order. A new view adds a line here and one in routes.tsx. */
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

/** The menu. The portal shows webhooks only. */
export const menu = entries.filter(({ subject }) => !inPortal || subject === 'webhooks');

/** The first view of the menu that the viewer may read. */
export function startPath(): string {
  return menu.find(({ subject }) => can(subject, 'read'))?.href ?? home;
}
