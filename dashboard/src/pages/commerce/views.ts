import type { ComponentType } from 'preact';
import { lazy } from 'preact-iso';
import { base } from '../../api/base.js';

/** The lists and pages of sales. */
export const saleViews: readonly { readonly path: string; readonly component: ComponentType }[] = [
  {
    path: `${base}/orders`,
    component: lazy(() => import('./orders-page.js').then((page) => page.OrdersPage)),
  },
  {
    path: `${base}/orders/:id`,
    component: lazy(() => import('./order-page.js').then((page) => page.OrderPage)),
  },
  {
    path: `${base}/payments`,
    component: lazy(() => import('./payments-page.js').then((page) => page.PaymentsPage)),
  },
  {
    path: `${base}/payments/:id`,
    component: lazy(() => import('./payment-page.js').then((page) => page.PaymentPage)),
  },
  {
    path: `${base}/refunds`,
    component: lazy(() => import('./refunds-page.js').then((page) => page.RefundsPage)),
  },
  {
    path: `${base}/refunds/:id`,
    component: lazy(() => import('./refund-page.js').then((page) => page.RefundPage)),
  },
  {
    path: `${base}/invoices`,
    component: lazy(() => import('./invoices-page.js').then((page) => page.InvoicesPage)),
  },
  {
    path: `${base}/invoices/:id`,
    component: lazy(() => import('./invoice-page.js').then((page) => page.InvoicePage)),
  },
  {
    path: `${base}/offers`,
    component: lazy(() => import('./offers-page.js').then((page) => page.OffersPage)),
  },
  {
    path: `${base}/offers/:id`,
    component: lazy(() => import('./offer-page.js').then((page) => page.OfferPage)),
  },
  {
    path: `${base}/checkouts`,
    component: lazy(() => import('./checkouts-page.js').then((page) => page.CheckoutsPage)),
  },
  {
    path: `${base}/checkouts/:id`,
    component: lazy(() => import('./checkout-page.js').then((page) => page.CheckoutPage)),
  },
];
