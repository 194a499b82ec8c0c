import type { HostedCheckout } from '../domain/checkout/hosted-checkout.js';
import { sandboxMethod } from '../domain/checkout/hosted-checkout.js';
import { amountText } from '../domain/commerce/amount-text.js';
import { instantText } from '../domain/instant-text.js';
import { pageHeaders } from './page-headers.js';
import { renderPage, renderPart } from './templates.js';

/** What the buyer sent with the form. */
export interface SentForm {
  readonly email: string;
  readonly name: string;
}

/** Why a form was refused; `field` is the name of the input, absent for the payment as a whole. */
export interface FormFault {
  readonly field?: string;
  readonly text: string;
}

/** How a page is asked for. */
export interface Asked {
  /** In a frame of the account's page. */
  readonly framed: boolean;
  /** Whether it takes payments; if not, the shop does. */
  readonly sandbox: boolean;
  /** A form that was refused, to be shown again. */
  readonly sent?: SentForm;
  readonly faults?: readonly FormFault[];
}

/** A page that is ready to be sent. */
export interface Page {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/**
 * The page of a checkout: to pay, or where to pay, while it is open, else what became of it; 410 when it
 * expired or is closed.
 */
export function checkoutPage(checkout: HostedCheckout, asked: Asked): Page {
  const { status, seller, successUrl } = checkout;
  const faults = asked.faults ?? [];
  const part = status === 'open' && !asked.sandbox ? 'elsewhere' : status;
  const text = renderPage({
    title: `${faults.length > 0 ? 'Error: ' : ''}${titles[part]} – ${seller}`,
    seller,
    body: renderPart(part, valuesOf(checkout, asked)),
  });
  const headers = pageHeaders({
    frameAncestor: asked.framed ? checkout.embedOrigin : null,
    leadsTo: part === 'open' ? successUrl : null,
  });
  if (status === 'expired' || status === 'closed') return { status: 410, headers, text };
  const refused = status === 'open' && faults.length > 0;
  return { status: refused ? 422 : 200, headers, text };
}

const titles = {
  open: 'Pay',
  elsewhere: 'Checkout',
  completed: 'Paid',
  expired: 'Expired',
  closed: 'Closed',
} as const;

/** What the browser gets with a redirect; seen only where none is followed. */
export function movedPage(title: string, location: string): Page {
  const body = renderPart('moved', { title, location });
  const headers = pageHeaders({ frameAncestor: null, leadsTo: null });
  const text = renderPage({ title, seller: 'Checkout', body });
  return { status: 303, headers: { ...headers, Location: location }, text };
}

/** A refusal, for people to read. */
export function refusalPage(title: string, text: string): Pick<Page, 'headers' | 'text'> {
  const body = renderPart('refusal', { title, text });
  const headers = pageHeaders({ frameAncestor: null, leadsTo: null });
  return { headers, text: renderPage({ title, seller: 'Checkout', body }) };
}

function valuesOf(checkout: HostedCheckout, { framed, sent, faults = [] }: Asked): object {
  const { seller, cancelUrl, thankYouUrl, totals, buyerEmail, expiresAt } = checkout;
  const faultOf = (name: string) => faults.find(({ field }) => field === name)?.text;
  return {
    ...{ seller, cancelUrl, thankYouUrl, framed, faults },
    summary: renderPart('summary', summaryOf(checkout)),
    expires: { instant: expiresAt.toISOString(), text: instantText(expiresAt) },
    locked: checkout.buyerEmailLocked,
    email: { value: sent?.email ?? buyerEmail ?? '', fault: faultOf('buyer_email') },
    name: { value: sent?.name ?? '', fault: faultOf('buyer_name') },
    method: sandboxMethod,
    total: amountText(totals.totalMinorUnits, totals.currency),
  };
}

/** What is bought, as the part `summary` shows it. */
export function summaryOf({
  lineItems,
  totals,
}: Pick<HostedCheckout, 'lineItems' | 'totals'>): object {
  const written = (minorUnits: number) => amountText(minorUnits, totals.currency);
  const some = (label: string, minorUnits: number) =>
    minorUnits === 0 ? [] : [{ label, amount: written(minorUnits) }];
  return {
    items: lineItems.map(({ product, quantity, unitAmountMinorUnits }) => ({
      name: product.name,
      quantity: quantity.toLocaleString('en'),
      unit: written(unitAmountMinorUnits),
      amount: written(quantity * unitAmountMinorUnits),
    })),
    totals: [
      { label: 'Subtotal', amount: written(totals.subtotalMinorUnits) },
      ...some('Discount', -totals.discountMinorUnits),
      ...some('Shipping', totals.shippingMinorUnits),
      ...some('Tax', totals.taxMinorUnits),
      { label: `Total (${totals.currency})`, amount: written(totals.totalMinorUnits), total: true },
    ],
  };
}
