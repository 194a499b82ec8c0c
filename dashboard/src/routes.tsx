import type { ComponentType } from 'preact';
import { base, inPortal } from './api/base.js';
import { lazyView } from './shell/fallbacks.js';
import { home } from './shell/navigation.js';

/** Imports the code of a view, by the path of the view. */
type Loads = Readonly<Record<string, () => Promise<ComponentType>>>;

const webhooks: Loads = {
  [home]: () => import('./pages/overview/overview-page.js').then((page) => page.OverviewPage),
  [`${base}/endpoints`]: () =>
    import('./pages/endpoints/endpoints-page.js').then((page) => page.EndpointsPage),
  [`${base}/endpoints/new`]: () =>
    import('./pages/endpoints/endpoint-form.js').then((page) => page.CreateEndpointPage),
  [`${base}/endpoints/:id`]: () =>
    import('./pages/endpoints/endpoint-page.js').then((page) => page.EndpointPage),
  [`${base}/endpoints/:id/edit`]: () =>
    import('./pages/endpoints/endpoint-form.js').then((page) => page.EditEndpointPage),
  [`${base}/deliveries`]: () =>
    import('./pages/deliveries/deliveries-page.js').then((page) => page.DeliveriesPage),
  [`${base}/deliveries/:id`]: () =>
    import('./pages/deliveries/delivery-page.js').then((page) => page.DeliveryPage),
  [`${base}/events/:id`]: () =>
    import('./pages/deliveries/event-page.js').then((page) => page.EventPage),
  [`${base}/recoveries`]: () =>
    import('./pages/recoveries/recoveries.js').then((page) => page.RecoveriesPage),
  [`${base}/recoveries/new`]: () =>
    import('./pages/recoveries/start-recovery-page.js').then((page) => page.StartRecoveryPage),
  [`${base}/recoveries/:id`]: () =>
    import('./pages/recoveries/recoveries.js').then((page) => page.RecoveryPage),
  [`${base}/event-types`]: () =>
    import('./pages/event-types/event-types-page.js').then((page) => page.EventTypesPage),
  [`${base}/event-types/:id`]: () =>
    import('./pages/event-types/event-type-page.js').then((page) => page.EventTypePage),
};

const account: Loads = {
  [`${base}/audit-log`]: () =>
    import('./pages/account/audit-page.js').then((page) => page.AuditPage),
  [`${base}/sessions`]: () =>
    import('./pages/account/sessions-page.js').then((page) => page.SessionsPage),
  [`${base}/keys`]: () => import('./pages/account/keys-page.js').then((page) => page.KeysPage),
  [`${base}/members`]: () =>
    import('./pages/account/members-page.js').then((page) => page.MembersPage),
  [`${base}/portal`]: () => import('./pages/portal/portal-page.js').then((page) => page.PortalPage),
};

const sales: Loads = {
  [`${base}/orders`]: () => import('./pages/commerce/orders.js').then((page) => page.OrdersPage),
  [`${base}/orders/:id`]: () => import('./pages/commerce/orders.js').then((page) => page.OrderPage),
  [`${base}/payments`]: () =>
    import('./pages/commerce/payments.js').then((page) => page.PaymentsPage),
  [`${base}/payments/:id`]: () =>
    import('./pages/commerce/payments.js').then((page) => page.PaymentPage),
  [`${base}/refunds`]: () => import('./pages/commerce/refunds.js').then((page) => page.RefundsPage),
  [`${base}/refunds/:id`]: () =>
    import('./pages/commerce/refunds.js').then((page) => page.RefundPage),
  [`${base}/invoices`]: () =>
    import('./pages/commerce/invoices.js').then((page) => page.InvoicesPage),
  [`${base}/invoices/:id`]: () =>
    import('./pages/commerce/invoices.js').then((page) => page.InvoicePage),
  [`${base}/offers`]: () => import('./pages/commerce/offers.js').then((page) => page.OffersPage),
  [`${base}/offers/:id`]: () => import('./pages/commerce/offers.js').then((page) => page.OfferPage),
  [`${base}/checkouts`]: () =>
    import('./pages/commerce/checkouts.js').then((page) => page.CheckoutsPage),
  [`${base}/checkouts/:id`]: () =>
    import('./pages/commerce/checkouts.js').then((page) => page.CheckoutPage),
};

/** The views of someone who is signed in. The code of each is loaded when it is opened. */
export const views: readonly { readonly path: string; readonly component: ComponentType }[] =
  Object.entries(inPortal ? webhooks : { ...webhooks, ...account, ...sales }).map(
    ([path, load]) => ({ path, component: lazyView(load) }),
  );
