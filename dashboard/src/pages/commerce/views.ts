import type { ComponentType } from 'preact';
import { base } from '../../api/base.js';
import { lazyView } from '../../shell/fallbacks.js';

/** The lists and pages of sales. */
export const saleViews: readonly { readonly path: string; readonly component: ComponentType }[] = [
  {
    path: `${base}/orders`,
    component: lazyView(() => import('./orders-page.js').then((page) => page.OrdersPage)),
  },
  {
    path: `${base}/orders/:id`,
    component: lazyView(() => import('./order-page.js').then((page) => page.OrderPage)),
  },
  {
    path: `${base}/payments`,
    component: lazyView(() => import('./payments-page.js').then((page) => page.PaymentsPage)),
  },
  {
    path: `${base}/payments/:id`,
    component: lazyView(() => import('./payment-page.js').then((page) => page.PaymentPage)),
  },
  {
    path: `${base}/refunds`,
    component: lazyView(() => import('./refunds-page.js').then((page) => page.RefundsPage)),
  },
  {
    path: `${base}/refunds/:id`,
    component: lazyView(() => import('./refund-page.js').then((page) => page.RefundPage)),
  },
  {
    path: `${base}/invoices`,
    component: lazyView(() => import('./invoices-page.js').then((page) => page.InvoicesPage)),
  },
  {
    path: `${base}/invoices/:id`,
    component: lazyView(() => import('./invoice-page.js').then((page) => page.InvoicePage)),
  },
  {
    path: `${base}/offers`,
    component: lazyView(() => import('./offers-page.js').then((page) => page.OffersPage)),
  },
  {
    path: `${base}/offers/:id`,
    component: lazyView(() => import('./offer-page.js').then((page) => page.OfferPage)),
  },
  {
    path: `${base}/checkouts`,
    component: lazyView(() => import('./checkouts-page.js').then((page) => page.CheckoutsPage)),
  },
  {
    path: `${base}/checkouts/:id`,
    component: lazyView(() => import('./checkout-page.js').then((page) => page.CheckoutPage)),
  },
];
