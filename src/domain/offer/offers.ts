// Offers: creating, reading and listing them. change-offer.ts sends, cancels and accepts them.
//
// - The status is never stored. Each read derives it from the row and PostgreSQL's time.
// - What changes an offer locks its row first (lockOffer): an offer is accepted or cancelled, never
//   both, and only one payment accepts it.
import { recordChange } from '../audit/audit-log.js';
import { entryList } from '../commerce/entry-list.js';
import {
  assertEventFits,
  type EventData,
  lineItemData,
  totalsData,
} from '../commerce/event-data.js';
import { lockLedger } from '../commerce/ledger.js';
import { priceLineItems } from '../commerce/sale-input.js';
import { type Issue, validationFailed } from '../errors.js';
import { publishEvent } from '../event/publish.js';
import type { NoticeClaim } from '../notice/claim.js';
import { databaseTime, rowById, singleRow } from '../transaction/rows.js';
import type { Read, Statement, Tx } from '../transaction/tx.js';
import { entityOf } from '../transaction/typeorm.js';
import { makeId } from '../values/id.js';
import {
  expiryIssues,
  expiryOf,
  type OfferInput,
  offerIssues,
  type PartialOfferInput,
} from './offer-input.js';
import { Offer } from './offer.entity.js';

/** The status of an offer. It is not stored: each read derives it from the row and the time. */
export type OfferStatus = (typeof offerStatuses)[number];
export const offerStatuses = ['draft', 'sent', 'accepted', 'cancelled', 'expired'] as const;

/** Returns the status of an offer at `now`. An accepted or cancelled offer stays so after its expiry. */
export function statusOf(
  offer: Pick<Offer, 'acceptedAt' | 'cancelledAt' | 'expiresAt' | 'sentAt'>,
  now: Date,
): OfferStatus {
  if (offer.acceptedAt !== null) return 'accepted';
  if (offer.cancelledAt !== null) return 'cancelled';
  if (now.getTime() >= offer.expiresAt.getTime()) return 'expired';
  return offer.sentAt === null ? 'draft' : 'sent';
}

/** An offer as its account sees it. */
export interface OfferView extends Omit<Offer, 'accountId' | 'position' | 'orderId'> {
  readonly object: 'offer';
  readonly status: OfferStatus;
  readonly currency: string;
  /** The hosted page of the offer; it shows the offer once it is sent. */
  readonly offerUrl: string;
  /** The id of the order that the accepting payment made. */
  readonly order: string | null;
}

/** The offers of an account, with their status at the time of the statement. */
export const offers = entryList(Offer, 'off', 'offer', async (read) => {
  const now = await databaseTime(read);
  return (offer: Offer) => offerView(offer, now, read.rules.baseUrl);
});

const nextPositionStatement: Statement = {
  name: 'offer-next',
  text: `
    select coalesce(latest.position, 0) + 1 as position,
           greatest($2::timestamptz, latest.at + interval '1 millisecond') as at
      from (select) as one
      left join lateral (
        select position, created_at as at from offer where account_id = $1
         order by position desc limit 1) latest on true`,
};

/**
 * Creates an offer as a draft and publishes `offer.created`. The recipient gets no mail before it is sent.
 * @throws DomainError validation_failed with every problem
 */
export async function createOffer(tx: Tx, account: string, input: OfferInput): Promise<OfferView> {
  const expiresAt = expiryOf(input, tx.now);
  const issues = [...offerIssues(input, tx.now), ...expiryIssues('expires_at', expiresAt, tx.now)];
  if (issues.length > 0) throw validationFailed(issues);

  const { lineItems, totals } = priceLineItems(tx, input);

  await lockLedger(tx, account);

  const values = [account, tx.now];
  const next = await singleRow<{ position: number; at: Date }>(tx, nextPositionStatement, values);
  const offer = entityOf(Offer, {
    id: makeId('off', next.at),
    accountId: account,
    position: next.position,
    recipientEmail: input.recipientEmail,
    title: input.title,
    message: input.message ?? null,
    metadata: input.metadata ?? {},
    lineItems,
    sendCount: 0,
    sentAt: null,
    acceptedAt: null,
    cancelledAt: null,
    expiresAt,
    orderId: null,
    createdAt: next.at,
    updatedAt: next.at,
    totals,
  });

  const data = offerData(offer, tx.now);
  assertEventFits(data);
  await tx.manager.insert<object>(Offer, offer);
  recordChange(tx, { action: 'offer_created', account, resource: offer.id });

  const subject = `offer:${offer.id}`;
  await publishEvent(tx, account, { type: 'offer.created', subject, data });

  return offerView(offer, tx.now, tx.rules.baseUrl);
}

/** Shows an offer as its account sees it at `now`. */
export function offerView(offer: Offer, now: Date, baseUrl: string): OfferView {
  const { id, recipientEmail, title, message, lineItems, totals, metadata, sendCount } = offer;
  const { sentAt, acceptedAt, cancelledAt, expiresAt, createdAt, updatedAt } = offer;
  return {
    object: 'offer',
    status: statusOf(offer, now),
    currency: totals.currency,
    offerUrl: offerUrl(baseUrl, id),
    order: offer.orderId,
    id,
    recipientEmail,
    title,
    message,
    lineItems,
    totals,
    metadata,
    sendCount,
    sentAt,
    acceptedAt,
    cancelledAt,
    expiresAt,
    createdAt,
    updatedAt,
  };
}

/** Returns the URL where the recipient reads and pays an offer; only the random id keeps it secret. */
export function offerUrl(baseUrl: string, id: string): string {
  return `${baseUrl}/offer/${id}`;
}

/**
 * Validates fields of an offer and returns all problems, for a request that has other problems already.
 * It does not report absent fields.
 */
export async function validateOffer(read: Read, fields: PartialOfferInput): Promise<Issue[]> {
  const now = await databaseTime(read);
  const issues = offerIssues(fields, now);
  if (fields.expiresAt == null || issues.some(({ param }) => param === 'expires_at')) return issues;
  return [...issues, ...expiryIssues('expires_at', expiryOf(fields, now), now)];
}

/**
 * Builds the `data` of `offer.created` v1, `offer.sent` v1 and `offer.cancelled` v1. It leaves out the
 * message, which is only for the recipient.
 * @param now the instant of its status
 */
export function offerData(offer: Offer, now: Date): EventData {
  return toEventData(offer, statusOf(offer, now));
}

/** The order that the payment of an offer made. */
export interface AcceptingOrder {
  readonly id: string;
  readonly checkoutId: string | null;
  readonly completedAt: Date;
}

/** Builds the `data` of `offer.accepted` v1: that of an offer, and the order that its payment made. */
export function offerAcceptedData(
  offer: Offer,
  { id, checkoutId }: Pick<AcceptingOrder, 'id' | 'checkoutId'>,
): EventData {
  return {
    ...toEventData(offer, 'accepted'),
    order: { id, object: 'order' },
    checkout: { id: checkoutId, object: 'checkout' },
  };
}

function toEventData(offer: Offer, status: OfferStatus): EventData {
  return {
    offer: {
      id: offer.id,
      object: 'offer',
      status,
      recipient_email: offer.recipientEmail,
      title: offer.title,
      send_count: offer.sendCount,
      sent_at: offer.sentAt?.toISOString() ?? null,
      accepted_at: offer.acceptedAt?.toISOString() ?? null,
      cancelled_at: offer.cancelledAt?.toISOString() ?? null,
      expires_at: offer.expiresAt.toISOString(),
      created_at: offer.createdAt.toISOString(),
    },
    metadata: offer.metadata,
    currency: offer.totals.currency,
    totals: totalsData(offer.totals),
    line_items: offer.lineItems.map(lineItemData),
  };
}

// Transactions that send, cancel or accept one offer queue here, so each sees what the previous one did.
const lockStatement: Statement = {
  name: 'offer-lock',
  text: 'select id from offer where id = $1 and account_id = $2 for no key update',
};

/**
 * Reads and locks an offer of the account; no other transaction changes it until `tx` ends.
 * @throws DomainError not_found
 */
export async function lockOffer(tx: Tx, account: string, id: string): Promise<Offer> {
  await rowById(tx, 'off', lockStatement, [id, account]);
  return tx.manager.findOneByOrFail(Offer, { id });
}

const offerStateStatement: Statement = {
  name: 'notice_offer',
  text: `
    select o.sent_at as "sentAt", o.accepted_at as "acceptedAt", o.cancelled_at as "cancelledAt",
           o.expires_at as "expiresAt", now() as now
      from (select * from offer where id = $1 limit 1) o
     cross join lateral (
       select from account where id = o.account_id and erased_at is null limit 1) a`,
};

type OfferState = Pick<Offer, 'sentAt' | 'acceptedAt' | 'cancelledAt' | 'expiresAt'> & {
  readonly now: Date;
};

/**
 * Says whether a notice should still be sent. An offer can end while its mail waits for the mail server, and so does
 * every offer of an account that is erased.
 * Other notices are always sent: an endpoint's owner must learn that it was disabled, even when it is
 * active again.
 */
export async function isStillRelevant(
  read: Read,
  { kind, entries }: Pick<NoticeClaim, 'kind' | 'entries'>,
): Promise<boolean> {
  if (kind !== 'offer_sent') return true;
  const resourceId = entries[0]?.resourceId;
  const [offer] = await read.sql<OfferState>(offerStateStatement, [resourceId]);
  return offer !== undefined && statusOf(offer, offer.now) === 'sent';
}
