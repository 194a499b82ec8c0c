import { amountText } from '../domain/commerce/amount-text.js';
import { instantText } from '../domain/instant-text.js';
import type { HostedOffer } from '../domain/offer/hosted-offer.js';
import { type Page, summaryOf } from './checkout-view.js';
import { pageHeaders } from './page-headers.js';
import { renderPage, renderPart } from './templates.js';

/**
 * The page of an offer: to accept it while it is open, else what became of it; 410 when it is over.
 * @param origin where the checkout is, whatever name of the service the page was reached by
 */
export function offerPage(offer: HostedOffer, origin: string): Page {
  const { status, seller, title, message, totals, expiresAt } = offer;
  const body = renderPart(`offer-${status}`, {
    ...{ seller, title, message },
    summary: renderPart('summary', summaryOf(offer)),
    expires: { instant: expiresAt.toISOString(), text: instantText(expiresAt) },
    total: amountText(totals.totalMinorUnits, totals.currency),
  });
  const open = status === 'sent';
  return {
    status: open || status === 'accepted' ? 200 : 410,
    headers: pageHeaders({ frameAncestor: null, leadsTo: open ? origin : null }),
    text: renderPage({ title: `${title} – ${seller}`, seller, body }),
  };
}
