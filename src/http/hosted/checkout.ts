import type { Context as KoaContext, Middleware } from 'koa';
import { formatAmount } from '../../domain/commerce/money.js';
import { DomainError } from '../../domain/errors.js';
import { formatTimestamp } from '../../domain/values/timestamp.js';
import { payHostedCheckout, sandboxMethod } from '../../domain/payment/record-payment.js';
import {
  getHostedCheckout,
  type HostedCheckout,
  visitCheckout,
} from '../../domain/checkout/hosted-checkout.js';
import type { AbortState } from '../../domain/transaction/tx.js';
import { methodReply, readOnly, type Reply, type RequestState } from '../exchange.js';
import { ApiError } from '../problems.js';
import {
  redirectPage,
  type Page,
  type PageOptions,
  readForm,
  rejectCrossSiteForm,
  renderErrorPage,
  pageHeaders,
  summaryOf,
} from './page.js';
import { renderPage, renderPart } from './templates.js';

interface CheckoutPageOptions extends PageOptions {
  /** Whether the page takes payments by the sandbox method, which moves no money. */
  readonly sandbox: boolean;
}

/** The parsed path of a checkout page. */
interface CheckoutPath {
  readonly id: string;
  /** Shown in a frame on the account's page. */
  readonly framed: boolean;
}

/**
 * Serves `checkout_url` and `embed_url` to buyers, who have no credential. The URL is the secret:
 * its id has 95 random bits. Errors are pages too.
 */
export function serveCheckoutPage(options: CheckoutPageOptions): Middleware<RequestState> {
  return async (ctx, next) => {
    if (!ctx.path.startsWith('/checkout/')) return next() as Promise<void>;
    const { state } = ctx;
    state.operation = ctx.method === 'POST' ? 'checkout.pay' : 'checkout.page';
    state.renderProblem = renderErrorPage;
    await options.limits.admit(options.addressOf(ctx.req));
    const address = addressOf(ctx.path);
    if (!address) throw new ApiError('not_found', 'No such page.');
    state.reply = await respond(options, ctx, address);
  };
}

function addressOf(path: string): CheckoutPath | undefined {
  const [, id, frame] = /^\/checkout\/([A-Za-z0-9_]+)(\/embed)?$/.exec(path) ?? [];
  return id === undefined ? undefined : { id, framed: frame !== undefined };
}

async function respond(
  options: CheckoutPageOptions,
  { method, req: request, query, state }: KoaContext,
  address: CheckoutPath,
): Promise<Reply> {
  const { read, sandbox } = options;
  const { id, framed } = address;
  const view = { framed, sandbox };

  if (method === 'POST') {
    if (!sandbox) throw new ApiError('not_found', 'This page takes no payments.');
    rejectCrossSiteForm(request, options.origin);
    return pay(options, address, await readForm(request), (state as RequestState).deadline);
  }

  const answer = methodReply(method, sandbox ? 'GET, HEAD, OPTIONS, POST' : readOnly);
  if (answer) return answer;
  if (method === 'HEAD') return checkoutPage(await getHostedCheckout(read, id), view);

  const visit = { affiliate: firstOf(query['affiliate']), framed };
  return checkoutPage(await visitCheckout(read, id, visit), view);
}

async function pay(
  { read, transact, sandbox }: CheckoutPageOptions,
  { id, framed }: CheckoutPath,
  form: URLSearchParams,
  signal: AbortState,
): Promise<Page> {
  const email = textOf(form, 'buyer_email');
  const name = textOf(form, 'buyer_name');
  const showForm = async (formErrors: readonly FormError[]) =>
    checkoutPage(await getHostedCheckout(read, id), {
      framed,
      sandbox,
      formErrors,
      sent: { email, name },
    });

  if (form.get('method') !== sandboxMethod) {
    return showForm([{ field: 'method', text: 'Choose a payment method.' }]);
  }

  try {
    const buyer = { email: email === '' ? null : email, name: name === '' ? null : name };
    const redirectUrl = await transact((tx) => payHostedCheckout(tx, id, buyer), {
      semaphoreKey: `page ${id}`,
      signal,
    });
    return redirectPage('Paid', redirectUrl);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.code === 'checkout_not_payable') return showForm([]);
    if (error.code !== 'validation_failed') throw error;
    return showForm(error.errors.map(toFormError));
  }
}

function toFormError({ code, param, detail }: DomainError['errors'][number]): FormError {
  if (param === 'buyer_email') {
    if (code === 'invalid_value')
      return { text: 'This e-mail address cannot be used for this checkout.' };
    if (code === 'too_long')
      return { field: param, text: 'Enter an e-mail address of at most 254 characters.' };
    return { field: param, text: 'Enter a valid e-mail address.' };
  }
  if (param === 'buyer_name') {
    return { field: param, text: 'Enter a name of at most 250 plain characters, or none.' };
  }
  return { text: detail };
}

function textOf(form: URLSearchParams, name: string): string {
  return (form.get(name) ?? '').trim();
}

function firstOf(value: string | string[] | undefined): string | null {
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

/** The buyer's input. */
interface SentForm {
  readonly email: string;
  readonly name: string;
}

/** An error in the form. `field` names the input; absent if the whole payment failed. */
interface FormError {
  readonly field?: string;
  readonly text: string;
}

/** The fields of the form, in the order of the page. */
const formFields = ['buyer_email', 'buyer_name', 'method'];

/** How to show the page. */
interface CheckoutPageView {
  /** Shown in a frame on the account's page. */
  readonly framed: boolean;
  /** Whether the page takes payments; otherwise the shop does. */
  readonly sandbox: boolean;
  /** The input of a refused form, shown again. */
  readonly sent?: SentForm;
  readonly formErrors?: readonly FormError[];
}

/**
 * Renders a checkout: to pay or where to pay while it is open, otherwise its outcome. The status is
 * 410 if the checkout has expired or is closed.
 */
function checkoutPage(checkout: HostedCheckout, view: CheckoutPageView): Page {
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
