import { type HostedCheckout, sandboxMethod } from '../domain/payment/hosted-checkout.js';
import { formatAmount } from '../domain/commerce/money.js';
import { pageHeaders } from './page-headers.js';
import { renderPage, renderPart } from './templates.js';
import { formatTimestamp } from '../domain/format-timestamp.js';

/** The buyer's input. */
export interface SentForm {
  readonly email: string;
  readonly name: string;
}

/** An error in the form. `field` names the input; absent if the whole payment failed. */
export interface FormError {
  readonly field?: string;
  readonly text: string;
}

/** In the order of the page. */
const formFields = ['buyer_email', 'buyer_name', 'method'];

/** How to show the page. */
export interface CheckoutPageView {
  /** Shown in a frame on the account's page. */
  readonly framed: boolean;
  /** Whether the page takes payments; otherwise the shop does. */
  readonly sandbox: boolean;
  /** The input of a refused form, shown again. */
  readonly sent?: SentForm;
  readonly formErrors?: readonly FormError[];
}

/** A page ready to send. */
export interface Page {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/**
 * Renders a checkout: to pay or where to pay while it is open, otherwise its outcome. The status is
 * 410 if the checkout has expired or is closed.
 */
export function checkoutPage(checkout: HostedCheckout, view: CheckoutPageView): Page {
  const { status, seller, successUrl } = checkout;
  const formErrors = view.formErrors ?? [];
  const part = status === 'open' && !view.sandbox ? 'elsewhere' : status;
  const text = renderPage({
    title: `${formErrors.length > 0 ? 'Error: ' : ''}${titles[part]} – ${seller}`,
    seller,
    body: renderPart(part, valuesOf(checkout, view)),
  });

  const headers = pageHeaders({
    frameAncestor: view.framed ? checkout.embedOrigin : null,
    formTarget: part === 'open' ? successUrl : null,
  });

  if (status === 'expired' || status === 'closed') return { status: 410, headers, text };

  const refused = status === 'open' && formErrors.length > 0;
  return { status: refused ? 422 : 200, headers, text };
}

const titles = {
  open: 'Pay',
  elsewhere: 'Checkout',
  completed: 'Paid',
  expired: 'Expired',
  closed: 'Closed',
} as const;

/** The body of a redirect; visible only in clients that do not follow it. */
export function redirectPage(title: string, location: string): Page {
  const body = renderPart('moved', { title, location });
  const headers = pageHeaders({ frameAncestor: null, formTarget: null });
  const text = renderPage({ title, seller: 'Checkout', body });
  return { status: 303, headers: { ...headers, Location: location }, text };
}

/** An error page. */
export function errorPage(title: string, text: string): Pick<Page, 'headers' | 'text'> {
  const body = renderPart('refusal', { title, text });
  const headers = pageHeaders({ frameAncestor: null, formTarget: null });
  return { headers, text: renderPage({ title, seller: 'Checkout', body }) };
}

function valuesOf(
  checkout: HostedCheckout,
  { framed, sent, formErrors = [] }: CheckoutPageView,
): object {
  const { seller, cancelUrl, thankYouUrl, totals, buyerEmail, expiresAt } = checkout;
  const errorFor = (name: string) => formErrors.find(({ field }) => field === name)?.text;
  return {
    seller,
    cancelUrl,
    thankYouUrl,
    framed,
    formErrors,
    summary: renderPart('summary', summaryOf(checkout)),
    expires: { instant: expiresAt.toISOString(), text: formatTimestamp(expiresAt) },
    locked: checkout.buyerEmailLocked,
    email: { value: sent?.email ?? buyerEmail ?? '', error: errorFor('buyer_email') },
    name: { value: sent?.name ?? '', error: errorFor('buyer_name') },
    method: sandboxMethod,
    methodError: errorFor('method'),
    firstWrong: formFields.find((name) => errorFor(name) !== undefined),
    total: formatAmount(totals.totalMinorUnits, totals.currency),
  };
}

/** The values of the template part `summary`. */
export function summaryOf({
  lineItems,
  totals,
}: Pick<HostedCheckout, 'lineItems' | 'totals'>): object {
  const formatted = (minorUnits: number) => formatAmount(minorUnits, totals.currency);
  const unlessZero = (label: string, minorUnits: number) =>
    minorUnits === 0 ? [] : [{ label, amount: formatted(minorUnits) }];

  return {
    items: lineItems.map(({ product, quantity, unitAmountMinorUnits }) => ({
      name: product.name,
      quantity: quantity.toLocaleString('en'),
      unit: formatted(unitAmountMinorUnits),
      amount: formatted(quantity * unitAmountMinorUnits),
    })),
    totals: [
      { label: 'Subtotal', amount: formatted(totals.subtotalMinorUnits) },
      ...unlessZero('Discount', -totals.discountMinorUnits),
      ...unlessZero('Shipping', totals.shippingMinorUnits),
      ...unlessZero('Tax', totals.taxMinorUnits),
      {
        label: `Total (${totals.currency})`,
        amount: formatted(totals.totalMinorUnits),
        total: true,
      },
    ],
  };
}
