import type { Context as KoaContext, Middleware } from 'koa';
import {
  getHostedCheckout,
  payHostedCheckout,
  sandboxMethod,
  visitCheckout,
} from '../domain/checkout/hosted-checkout.js';
import { DomainError } from '../domain/errors.js';
import type { Aborting } from '../domain/tx.js';
import { Refused } from '../rest/problem.js';
import type { RequestState } from '../rest/serve.js';
import { checkoutPage, type FormFault, movedPage, type Page } from './checkout-view.js';
import type { PageOptions } from './page-options.js';
import { readForm, refuseForeignForm } from './payment-form.js';
import { showRefusal } from './refusal.js';

/** What {@link serveCheckoutPage} needs. */
interface CheckoutPageOptions extends PageOptions {
  /** Whether the page takes payments, by a method that moves no money. */
  readonly sandbox: boolean;
}

/** The page that somebody asks for. */
interface Address {
  readonly id: string;
  /** In a frame of the account's page. */
  readonly framed: boolean;
}

const allowed = (sandbox: boolean) => ({
  Allow: sandbox ? 'GET, HEAD, OPTIONS, POST' : 'GET, HEAD, OPTIONS',
});

/**
 * What is behind `checkout_url` and `embed_url`: for buyers, who have no credential. They were
 * given the address; nobody guesses it, 95 bits of the id are random. Refusals are pages, too.
 */
export function serveCheckoutPage(options: CheckoutPageOptions): Middleware<RequestState> {
  return async (ctx, next) => {
    if (!ctx.path.startsWith('/checkout/')) {
      await next();
      return;
    }
    const { state } = ctx;
    state.operation = ctx.method === 'POST' ? 'checkout.pay' : 'checkout.page';
    state.show = showRefusal;
    await options.limits.admit(options.addressOf(ctx.req));
    const address = addressOf(ctx.path);
    if (!address) throw new Refused('not_found', 'No such page.');
    state.reply = await answer(options, ctx, address);
  };
}

function addressOf(path: string): Address | undefined {
  const [, id, frame] = /^\/checkout\/([A-Za-z0-9_]+)(\/embed)?$/.exec(path) ?? [];
  return id === undefined ? undefined : { id, framed: frame !== undefined };
}

async function answer(
  options: CheckoutPageOptions,
  { method, req: request, query, state }: KoaContext,
  address: Address,
): Promise<RequestState['reply'] & object> {
  const { read, sandbox } = options;
  const { id, framed } = address;
  const asked = { framed, sandbox };
  switch (method) {
    case 'OPTIONS':
      return { status: 204, headers: allowed(sandbox), text: null };
    case 'HEAD':
      return checkoutPage(await getHostedCheckout(read, id), asked);
    case 'GET': {
      const visit = { affiliate: firstOf(query['affiliate']), framed };
      return checkoutPage(await visitCheckout(read, id, visit), asked);
    }
    case 'POST':
      if (!sandbox) throw new Refused('not_found', 'This page takes no payments.');
      refuseForeignForm(request, options.origin);
      return pay(options, address, await readForm(request), (state as RequestState).deadline);
    default: {
      const detail = `Method ${method} is not allowed here.`;
      throw new Refused('method_not_allowed', detail, { headers: allowed(sandbox) });
    }
  }
}

async function pay(
  { read, transact, sandbox }: CheckoutPageOptions,
  { id, framed }: Address,
  form: URLSearchParams,
  signal: Aborting,
): Promise<Page> {
  const [email, name] = [textOf(form, 'buyer_email'), textOf(form, 'buyer_name')];
  const again = async (faults: readonly FormFault[]) =>
    checkoutPage(await getHostedCheckout(read, id), {
      ...{ framed, sandbox, faults },
      sent: { email, name },
    });
  if (form.get('method') !== sandboxMethod) {
    return again([{ field: 'method', text: 'Choose a payment method.' }]);
  }
  try {
    const buyer = { email: email === '' ? null : email, name: name === '' ? null : name };
    const thanks = await transact((tx) => payHostedCheckout(tx, id, buyer), {
      turn: `page ${id}`,
      signal,
    });
    return movedPage('Paid', thanks);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.code === 'checkout_not_payable') return again([]);
    if (error.code !== 'validation_failed') throw error;
    return again(error.errors.map(faultOf));
  }
}

function faultOf({ code, param, detail }: DomainError['errors'][number]): FormFault {
  if (param === 'buyer_email') {
    return code === 'invalid_value'
      ? { text: 'This e-mail address cannot be used for this checkout.' }
      : { field: param, text: 'Enter a valid e-mail address.' };
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
