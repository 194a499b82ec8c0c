import type { Reply, Ask, RestClient } from './rest-client.js';
import { dataOf, toProblem } from './endpoints.js';
import type { TestDatabase } from './database.js';
import type { Tenant } from './tenants.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually } from './eventually.js';
import { type ParsedMail, parseMail } from './mail.js';
import { type AnsweredPage, openPage } from './dashboard.js';
import { testDataDir } from './process.js';
import type { Service } from './service.js';

/** The position of a page in a commerce list. */
interface PaginationBody {
  readonly total_pages: number;
  readonly current_page: number;
  readonly per_page: number;
  readonly total_count: number;
}

/** A page of a commerce list. */
interface NumberedBody {
  readonly ids: readonly string[];
  readonly pagination: PaginationBody;
}

/** Returns the ids and the position of a page of a commerce list. */
export function numberedOf(reply: Reply): NumberedBody {
  const ids = dataOf<{ id: string }[]>(reply, 200).map(({ id }) => id);
  return { ids, pagination: (reply.body as { pagination: PaginationBody }).pagination };
}

/** A refund of `/v1`. */
export interface RefundBody {
  readonly id: string;
  readonly payment: string;
  readonly order: string;
  readonly status: string;
  readonly currency: string;
  readonly amount_minor_units: number;
  readonly reason: string | null;
  readonly note: string | null;
  readonly created_at: string;
  readonly cash_flow_at: string | null;
}

/** A payment of `/v1`. */
export interface PaymentBody {
  readonly id: string;
  readonly order: string;
  readonly status: string;
  readonly amount_minor_units: number;
  readonly refunded_minor_units: number;
  readonly buyer_email: string;
  readonly created_at: string;
  readonly cash_flow_at: string | null;
}

/** An invoice or a credit note of `/v1`. */
export interface InvoiceBody {
  readonly id: string;
  readonly number: string;
  readonly type: string;
  readonly issued_at: string;
  readonly refund: string | null;
  readonly totals: Readonly<Record<string, number>>;
  readonly pdf_url: string;
}

/** Returns the code of a problem other than validation_failed. */
export function codeOf(reply: Reply, status: number): string {
  return toProblem(reply, status).code;
}

/** Creates a checkout with the internal API; `changes` override the defaults. @returns its id */
export async function createCheckout(tenant: Tenant, changes: object = {}): Promise<string> {
  const { createCheckout: checkout } = await tenant.graphql<{ createCheckout: { id: string } }>(
    'createCheckout',
    {
      input: {
        account: tenant.account,
        currency: 'EUR',
        successUrl: 'https://shop.example.com/thanks',
        lineItems: [{ name: 'Poster', quantity: 1, unitAmountMinorUnits: 1_900 }],
        ...changes,
      },
    },
  );
  return checkout.id;
}

/** The objects that a payment created. */
export interface MadePayment {
  readonly order: { readonly id: string };
  readonly payment: { readonly id: string };
  readonly invoice: { readonly id: string };
  readonly thankYouUrl: string;
}

/** Records a successful payment of a checkout, as the platform does. */
export async function payCheckout(
  tenant: Tenant,
  checkout: string,
  changes: object = {},
): Promise<MadePayment> {
  const { recordPayment } = await tenant.graphql<{ recordPayment: MadePayment }>('recordPayment', {
    input: { account: tenant.account, checkout, buyerEmail: 'buyer@example.com', ...changes },
  });
  return recordPayment;
}

/** Moves a checkout in time, so that it expires in `ms` from now. */
export async function expireIn(database: TestDatabase, id: string, ms: number): Promise<void> {
  await database.query(
    // Truncated, because a column of milliseconds rounds up: the checkout would not be expired yet.
    `update checkout
        set expires_at = date_trunc('milliseconds', now()) + $2 * interval '1 millisecond',
            created_at = date_trunc('milliseconds', now()) + $2 * interval '1 millisecond'
                         - interval '30 minutes'
      where id = $1`,
    [id, ms],
  );
}

/** Creates a checkout with `changes` and pays it. */
export async function makeOrder(tenant: Tenant, changes: object = {}): Promise<MadePayment> {
  return payCheckout(tenant, await createCheckout(tenant, changes));
}

export const offersPath = '/v1/commerce/offers';

/** An offer of `/v1`. */
export interface OfferBody {
  readonly id: string;
  readonly status: string;
  readonly recipient_email: string;
  readonly offer_url: string;
  readonly send_count: number;
  readonly sent_at: string | null;
  readonly accepted_at: string | null;
  readonly cancelled_at: string | null;
  readonly expires_at: string;
  readonly order: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Returns the body of a new offer over 19.00; `changes` override it. */
export function offerInput(changes: object = {}): object {
  return {
    recipient_email: 'buyer@example.com',
    title: 'One poster',
    currency: 'EUR',
    line_items: [{ name: 'Poster', quantity: 1, unit_amount_minor_units: 1_900 }],
    ...changes,
  };
}

/** Returns the date in UTC in `days` from today, such as 2026-12-31. */
export function dayAhead(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

/** A transition of an existing offer. */
export type OfferTransition = 'send' | 'resend' | 'cancel';

/** Requests a transition of an offer. */
export function ask(
  rest: RestClient,
  id: string,
  step: OfferTransition,
  options: Ask = {},
): Promise<Reply> {
  return rest.post(`${offersPath}/${id}/${step}`, undefined, options);
}

let recipients = 0;

/**
 * Drafts an offer with `changes` to a new recipient, then runs these transitions, which must all
 * succeed.
 */
export async function makeOffer(
  rest: RestClient,
  changes: object = {},
  steps: readonly OfferTransition[] = ['send'],
): Promise<OfferBody> {
  const recipient_email = `buyer${(recipients += 1)}@example.com`;
  const input = offerInput({ recipient_email, ...changes });
  let offer = dataOf<OfferBody>(await rest.post(offersPath, input), 201);
  for (const step of steps) offer = dataOf<OfferBody>(await ask(rest, offer.id, step), 200);
  return offer;
}

/** Moves an offer in time, so that it expires in `ms` from now. @returns the time of its expiry */
export async function expireOfferIn({ database }: Service, id: string, ms: number): Promise<Date> {
  const [row] = await database.query<{ at: Date }>(
    // Truncated, because a column of milliseconds rounds up: the offer would not be expired yet.
    `update offer
        set expires_at = date_trunc('milliseconds', now()) + $2 * interval '1 millisecond'
      where id = $1
      returning expires_at as at`,
    [id, ms],
  );
  if (!row) throw new Error(`no offer ${id}`);
  return row.at;
}

/** Moves an offer a minute into the past, so that it can be sent again. */
export async function moveOffersBack({ database }: Service, id: string): Promise<void> {
  await database.query(
    `update offer set created_at = created_at - interval '1 minute',
            sent_at = sent_at - interval '1 minute', updated_at = updated_at - interval '1 minute'
      where id = $1`,
    [id],
  );
}

/** Returns the Message-IDs of the notices about an offer, oldest first. */
export async function pendingNoticesAbout({ database }: Service, id: string): Promise<string[]> {
  const rows = await database.query<{ message_id: string }>(
    'select message_id from notice where resource_id = $1 order by id',
    [id],
  );
  return rows.map((row) => row.message_id);
}

/** Waits until exactly `count` mails about an offer are written as files. */
export async function mailsAbout(
  service: Service,
  id: string,
  count: number,
): Promise<ParsedMail[]> {
  const ids = await pendingNoticesAbout(service, id);
  expect(ids).to.have.length(count);
  return Promise.all(
    ids.map((messageId) =>
      eventually(() => {
        const file = join(testDataDir(), 'mail', `${messageId.slice(1, -1)}.eml`);
        return Promise.resolve(parseMail(readFileSync(file, 'utf8')));
      }, `the mail ${messageId} is written`),
    ),
  );
}

/** Continues from the page of an offer to its checkout, as the recipient does. @returns its id */
export async function openOfferCheckout(offer: OfferBody): Promise<string> {
  const { status, headers } = await openPage(offer.offer_url, { form: {} });
  expect(status).to.equal(303);
  return String(headers['location']).split('/').at(-1) ?? '';
}

/** Pays on the page of a checkout, as the recipient does. */
export function payPage(checkoutUrl: string): Promise<AnsweredPage> {
  return openPage(checkoutUrl, { form: { method: 'sandbox' } });
}
