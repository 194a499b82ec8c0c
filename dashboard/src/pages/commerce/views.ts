import type { ComponentType } from 'preact';
import { lazy } from 'preact-iso';

/** The lists and pages of sales. */
export const saleViews: readonly { readonly path: string; readonly component: ComponentType }[] = [
  {
    path: '/dashboard/orders',
    component: lazy(() => import('./orders-page.js').then((page) => page.OrdersPage)),
  },
  {
    path: '/dashboard/orders/:id',
    component: lazy(() => import('./order-page.js').then((page) => page.OrderPage)),
  },
  {
    path: '/dashboard/payments',
    component: lazy(() => import('./payments-page.js').then((page) => page.PaymentsPage)),
  },
  {
    path: '/dashboard/payments/:id',
    component: lazy(() => import('./payment-page.js').then((page) => page.PaymentPage)),
  },
  {
    path: '/dashboard/refunds',
    component: lazy(() => import('./refunds-page.js').then((page) => page.RefundsPage)),
  },
  {
    path: '/dashboard/refunds/:id',
    component: lazy(() => import('./refund-page.js').then((page) => page.RefundPage)),
  },
  {
    path: '/dashboard/invoices',
    component: lazy(() => import('./invoices-page.js').then((page) => page.InvoicesPage)),
  },
  {
    path: '/dashboard/invoices/:id',
    component: lazy(() => import('./invoice-page.js').then((page) => page.InvoicePage)),
  },
  {
    path: '/dashboard/offers',
    component: lazy(() => import('./offers-page.js').then((page) => page.OffersPage)),
  },
  {
    path: '/dashboard/offers/:id',
    component: lazy(() => import('./offer-page.js').then((page) => page.OfferPage)),
  },
  {
    path: '/dashboard/checkouts',
    component: lazy(() => import('./checkouts-page.js').then((page) => page.CheckoutsPage)),
  },
  {
    path: '/dashboard/checkouts/:id',
    component: lazy(() => import('./checkout-page.js').then((page) => page.CheckoutPage)),
  },
];
