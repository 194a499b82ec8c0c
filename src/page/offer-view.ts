import { formatAmount } from '../domain/commerce/money.js';
import type { HostedOffer } from '../domain/offer/hosted-offer.js';
import { type Page, summaryOf } from './checkout-view.js';
import { pageHeaders } from './page-headers.js';
import { renderPage, renderPart } from './templates.js';
import { formatTimestamp } from '../domain/format-timestamp.js';

/**
 * Renders an offer: to accept it while it is open, otherwise its outcome. The status is 410 after
 * its end.
 * @param origin of the checkout, also if the page was reached under another host name
 */
export function offerPage(offer: HostedOffer, origin: string): Page {
  const { status, seller, title, message, totals, expiresAt } = offer;
  const body = renderPart(`offer-${status}`, {
    seller,
    title,
    message,
    summary: renderPart('summary', summaryOf(offer)),
    expires: { instant: expiresAt.toISOString(), text: formatTimestamp(expiresAt) },
    total: formatAmount(totals.totalMinorUnits, totals.currency),
  });

  const open = status === 'sent';
  return {
    status: open || status === 'accepted' ? 200 : 410,
    headers: pageHeaders({ frameAncestor: null, formTarget: open ? origin : null }),
    text: renderPage({ title: `${title} – ${seller}`, seller, body }),
  };
}
