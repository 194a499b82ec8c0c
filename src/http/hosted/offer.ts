import type { Context as KoaContext, Middleware } from 'koa';
import { formatAmount } from '../../domain/commerce/money.js';
import { DomainError } from '../../domain/errors.js';
import { formatTimestamp } from '../../domain/values/timestamp.js';
import {
  getHostedOffer,
  openOfferCheckout,
  type HostedOffer,
} from '../../domain/offer/hosted-offer.js';
import type { AbortState } from '../../domain/transaction/tx.js';
import { methodReply, type Reply, type RequestState } from '../exchange.js';
import { ApiError } from '../problems.js';
import {
  redirectPage,
  type Page,
  summaryOf,
  type PageOptions,
  readForm,
  rejectCrossSiteForm,
  pageHeaders,
  renderErrorPage,
} from './page.js';
import { renderPage, renderPart } from './templates.js';

const allow = 'GET, HEAD, OPTIONS, POST';

/**
 * Serves `offer_url` to recipients, who have no credential. The URL is the secret: its id has 95
 * random bits. GET changes nothing, because programs also follow the links of mails. POST opens a
 * checkout, or redirects to the one that is open.
 */
export function serveOfferPage(options: PageOptions): Middleware<RequestState> {
  return async (ctx, next) => {
    if (!ctx.path.startsWith('/offer/')) return next() as Promise<void>;
    const { state } = ctx;
    state.operation = ctx.method === 'POST' ? 'offer.open' : 'offer.page';
    state.renderProblem = renderErrorPage;
    await options.limits.admit(options.addressOf(ctx.req));
    const [, id] = /^\/offer\/([A-Za-z0-9_]+)$/.exec(ctx.path) ?? [];
    if (id === undefined) throw new ApiError('not_found', 'No such page.');
    state.reply = await respond(options, ctx, id);
  };
}

async function respond(
  options: PageOptions,
  { method, req: request, state }: KoaContext,
  id: string,
): Promise<Reply> {
  const answer = methodReply(method, allow);
  if (answer) return answer;
  if (method !== 'POST') return offerPage(await getHostedOffer(options.read, id), options.origin);
  rejectCrossSiteForm(request, options.origin);
  await readForm(request);
  return open(options, id, (state as RequestState).deadline);
}

async function open(
  { read, transact, origin }: PageOptions,
  id: string,
  signal: AbortState,
): Promise<Page> {
  try {
    const semaphoreKey = `page ${id}`;
    return redirectPage(
      'Offer',
      await transact((tx) => openOfferCheckout(tx, id), { semaphoreKey, signal }),
    );
  } catch (error) {
    // The offer was closed after the page was loaded: show its outcome.
    if (!(error instanceof DomainError) || error.code !== 'offer_state_conflict') throw error;
    return offerPage(await getHostedOffer(read, id), origin);
  }
}

/**
 * Renders an offer: to accept it while it is open, otherwise its outcome. The status is 410 after
 * its end.
 * @param origin of the checkout, also if the page was reached under another host name
 */
function offerPage(offer: HostedOffer, origin: string): Page {
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
