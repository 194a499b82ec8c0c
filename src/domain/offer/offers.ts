import { recordChange } from '../audit/record-change.js';
import { priceLineItems } from '../checkout/price-line-items.js';
import { entryList } from '../commerce/entry-list.js';
import { assertEventFits } from '../checkout/event-size.js';
import { lockLedger } from '../commerce/ledger.js';
import { entityOf } from '../entity-of.js';
import { type Issue, validationFailed } from '../errors.js';
import { publishEvent } from '../event/publish.js';
import { makeId } from '../id.js';
import { databaseTime, singleRow } from '../rows.js';
import type { Read, Statement, Tx } from '../tx.js';
import { Offer } from './offer.entity.js';
import { offerData } from './offer-data.js';
import {
  expiryIssues,
  expiryOf,
  offerIssues,
  type PartialOfferInput,
  type OfferInput,
} from './offer-input.js';
import { type OfferStatus, statusOf } from './offer-status.js';

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
  const slot = await singleRow<{ position: number; at: Date }>(tx, nextPositionStatement, values);
  const offer = entityOf(Offer, {
    id: makeId('off', slot.at),
    accountId: account,
    position: slot.position,
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
    createdAt: slot.at,
    updatedAt: slot.at,
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
