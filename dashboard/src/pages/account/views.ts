import type { ComponentType } from 'preact';
import { base } from '../../api/base.js';
import { lazyView } from '../../shell/fallbacks.js';

/** Pages about the account and who may use it. */
export const accountViews: readonly {
  readonly path: string;
  readonly component: ComponentType;
}[] = [
  {
    path: `${base}/audit-log`,
    component: lazyView(() => import('./audit-page.js').then((page) => page.AuditPage)),
  },
  {
    path: `${base}/sessions`,
    component: lazyView(() => import('./sessions-page.js').then((page) => page.SessionsPage)),
  },
  {
    path: `${base}/keys`,
    component: lazyView(() => import('./keys-page.js').then((page) => page.KeysPage)),
  },
  {
    path: `${base}/members`,
    component: lazyView(() => import('./members-page.js').then((page) => page.MembersPage)),
  },
  {
    path: `${base}/portal`,
    component: lazyView(() => import('../portal/portal-page.js').then((page) => page.PortalPage)),
  },
];
