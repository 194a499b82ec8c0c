import type { ComponentType } from 'preact';
import { lazy } from 'preact-iso';
import { base } from '../../api/base.js';

/** Pages about the account and who may use it. */
export const accountViews: readonly {
  readonly path: string;
  readonly component: ComponentType;
}[] = [
  {
    path: `${base}/audit-log`,
    component: lazy(() => import('./audit-page.js').then((page) => page.AuditPage)),
  },
  {
    path: `${base}/sessions`,
    component: lazy(() => import('./sessions-page.js').then((page) => page.SessionsPage)),
  },
  {
    path: `${base}/keys`,
    component: lazy(() => import('./keys-page.js').then((page) => page.KeysPage)),
  },
  {
    path: `${base}/members`,
    component: lazy(() => import('./members-page.js').then((page) => page.MembersPage)),
  },
  {
    path: `${base}/portal`,
    component: lazy(() => import('../portal/portal-page.js').then((page) => page.PortalPage)),
  },
];
