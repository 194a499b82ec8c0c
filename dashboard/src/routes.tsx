import type { ComponentType } from 'preact';
import { lazy } from 'preact-iso';
import { saleViews } from './pages/commerce/views.js';
import { home } from './shell/home.js';

/** A view with its path. Its code is loaded when it is opened. */
interface View {
  readonly path: string;
  readonly component: ComponentType;
}

const development: readonly View[] = import.meta.env.DEV
  ? [
      {
        path: '/dashboard/_components',
        component: lazy(() =>
          import('./pages/components/components-page.js').then((page) => page.ComponentsPage),
        ),
      },
    ]
  : [];

/** The views of someone who is signed in. */
export const views: readonly View[] = [
  {
    path: home,
    component: lazy(() =>
      import('./pages/overview/overview-page.js').then((page) => page.OverviewPage),
    ),
  },
  {
    path: '/dashboard/endpoints',
    component: lazy(() =>
      import('./pages/endpoints/endpoints-page.js').then((page) => page.EndpointsPage),
    ),
  },
  {
    path: '/dashboard/endpoints/new',
    component: lazy(() =>
      import('./pages/endpoints/create-endpoint-page.js').then((page) => page.CreateEndpointPage),
    ),
  },
  {
    path: '/dashboard/endpoints/:id',
    component: lazy(() =>
      import('./pages/endpoints/endpoint-page.js').then((page) => page.EndpointPage),
    ),
  },
  {
    path: '/dashboard/endpoints/:id/edit',
    component: lazy(() =>
      import('./pages/endpoints/edit-endpoint-page.js').then((page) => page.EditEndpointPage),
    ),
  },
  {
    path: '/dashboard/deliveries',
    component: lazy(() =>
      import('./pages/deliveries/deliveries-page.js').then((page) => page.DeliveriesPage),
    ),
  },
  {
    path: '/dashboard/deliveries/:id',
    component: lazy(() =>
      import('./pages/deliveries/delivery-page.js').then((page) => page.DeliveryPage),
    ),
  },
  {
    path: '/dashboard/events/:id',
    component: lazy(() => import('./pages/events/event-page.js').then((page) => page.EventPage)),
  },
  {
    path: '/dashboard/recoveries',
    component: lazy(() =>
      import('./pages/recoveries/recoveries-page.js').then((page) => page.RecoveriesPage),
    ),
  },
  {
    path: '/dashboard/recoveries/new',
    component: lazy(() =>
      import('./pages/recoveries/start-recovery-page.js').then((page) => page.StartRecoveryPage),
    ),
  },
  {
    path: '/dashboard/recoveries/:id',
    component: lazy(() =>
      import('./pages/recoveries/recovery-page.js').then((page) => page.RecoveryPage),
    ),
  },
  {
    path: '/dashboard/event-types',
    component: lazy(() =>
      import('./pages/event-types/event-types-page.js').then((page) => page.EventTypesPage),
    ),
  },
  {
    path: '/dashboard/event-types/:id',
    component: lazy(() =>
      import('./pages/event-types/event-type-page.js').then((page) => page.EventTypePage),
    ),
  },
  {
    path: '/dashboard/audit-log',
    component: lazy(() => import('./pages/account/audit-page.js').then((page) => page.AuditPage)),
  },
  {
    path: '/dashboard/sessions',
    component: lazy(() =>
      import('./pages/account/sessions-page.js').then((page) => page.SessionsPage),
    ),
  },
  {
    path: '/dashboard/keys',
    component: lazy(() => import('./pages/account/keys-page.js').then((page) => page.KeysPage)),
  },
  {
    path: '/dashboard/members',
    component: lazy(() =>
      import('./pages/account/members-page.js').then((page) => page.MembersPage),
    ),
  },
  ...saleViews,
  ...development,
];
