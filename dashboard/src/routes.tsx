import type { ComponentType } from 'preact';
import { base, inPortal } from './api/base.js';
import { accountViews } from './pages/account/views.js';
import { saleViews } from './pages/commerce/views.js';
import { home } from './shell/navigation.js';
import { lazyView } from './shell/fallbacks.js';

/** A view with its path. Its code is loaded when a reader opens it. */
interface View {
  readonly path: string;
  readonly component: ComponentType;
}

/** All views of someone who is signed in. */
export const views: readonly View[] = [
  {
    path: home,
    component: lazyView(() =>
      import('./pages/overview/overview-page.js').then((page) => page.OverviewPage),
    ),
  },
  {
    path: `${base}/endpoints`,
    component: lazyView(() =>
      import('./pages/endpoints/endpoints-page.js').then((page) => page.EndpointsPage),
    ),
  },
  {
    path: `${base}/endpoints/new`,
    component: lazyView(() =>
      import('./pages/endpoints/create-endpoint-page.js').then((page) => page.CreateEndpointPage),
    ),
  },
  {
    path: `${base}/endpoints/:id`,
    component: lazyView(() =>
      import('./pages/endpoints/endpoint-page.js').then((page) => page.EndpointPage),
    ),
  },
  {
    path: `${base}/endpoints/:id/edit`,
    component: lazyView(() =>
      import('./pages/endpoints/edit-endpoint-page.js').then((page) => page.EditEndpointPage),
    ),
  },
  {
    path: `${base}/deliveries`,
    component: lazyView(() =>
      import('./pages/deliveries/deliveries-page.js').then((page) => page.DeliveriesPage),
    ),
  },
  {
    path: `${base}/deliveries/:id`,
    component: lazyView(() =>
      import('./pages/deliveries/delivery-page.js').then((page) => page.DeliveryPage),
    ),
  },
  {
    path: `${base}/events/:id`,
    component: lazyView(() =>
      import('./pages/events/event-page.js').then((page) => page.EventPage),
    ),
  },
  {
    path: `${base}/recoveries`,
    component: lazyView(() =>
      import('./pages/recoveries/recoveries-page.js').then((page) => page.RecoveriesPage),
    ),
  },
  {
    path: `${base}/recoveries/new`,
    component: lazyView(() =>
      import('./pages/recoveries/start-recovery-page.js').then((page) => page.StartRecoveryPage),
    ),
  },
  {
    path: `${base}/recoveries/:id`,
    component: lazyView(() =>
      import('./pages/recoveries/recovery-page.js').then((page) => page.RecoveryPage),
    ),
  },
  {
    path: `${base}/event-types`,
    component: lazyView(() =>
      import('./pages/event-types/event-types-page.js').then((page) => page.EventTypesPage),
    ),
  },
  {
    path: `${base}/event-types/:id`,
    component: lazyView(() =>
      import('./pages/event-types/event-type-page.js').then((page) => page.EventTypePage),
    ),
  },
  // The portal shows webhooks only.
  ...(inPortal ? [] : [...accountViews, ...saleViews]),
];
