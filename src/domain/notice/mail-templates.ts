import type { DisabledReason } from '../disabled-reason.js';
import { formatInstant } from '../format-instant.js';

/** A mail as its reader sees it. */
export interface Message {
  readonly to: string;
  /** One line. */
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
}

/** The data of each kind of notice, besides the id of the resource it is about. */
export interface NoticeData {
  readonly endpoint_disabled: EndpointDisabled;
  readonly offer_sent: OfferSent;
}

/** The state of an endpoint when the service disabled it. */
export interface EndpointDisabled {
  readonly url: string;
  readonly reason: DisabledReason;
  /** RFC 3339. */
  readonly disabledAt: string;
  /** The status of the receiver's last response; null when it sent none. */
  readonly lastStatus: number | null;
}

/** An offer when it was sent, for its recipient. */
export interface OfferSent {
  /** The name of the account that makes it. */
  readonly seller: string;
  readonly title: string;
  readonly message: string | null;
  /** Formatted with its currency, as on the hosted page: "€119.00". */
  readonly total: string;
  /** The hosted page of the offer. */
  readonly url: string;
  /** RFC 3339. */
  readonly expiresAt: string;
}

/** The kind of a notice, which decides its template. */
export type NoticeKind = keyof NoticeData;

/** The content of one notice. */
export interface NoticeContent<Kind extends NoticeKind> {
  readonly kind: Kind;
  /** The id of the resource it is about, such as an endpoint. */
  readonly resourceId: string;
  readonly recipient: string;
  readonly data: NoticeData[Kind];
}

/** The content of one mail: notices of one kind to one recipient. */
export interface MailContent<Kind extends NoticeKind> {
  readonly kind: Kind;
  readonly recipient: string;
  /** At least one; of offers exactly one. */
  readonly entries: readonly Pick<NoticeContent<Kind>, 'resourceId' | 'data'>[];
}

/** A mail of any kind, with the data of that kind. */
export type AnyMailContent = { [Kind in NoticeKind]: MailContent<Kind> }[NoticeKind];

type RenderedMail = Omit<Message, 'to'>;

const templates: {
  readonly [Kind in NoticeKind]: (entries: MailContent<Kind>['entries']) => RenderedMail;
} = {
  endpoint_disabled: (entries) => {
    const [firstEntry] = entries;
    if (firstEntry && entries.length === 1) return singleDisabledMail(firstEntry);
    return {
      subject: `${entries.length} webhook endpoints disabled`,
      text: joinLines(
        `${entries.length} of your webhook endpoints were disabled.`,
        'Each line has endpoint, time, reason, last response status and URL:',
        '',
        ...entries.map(detailLine),
        '',
        'Pending deliveries were cancelled and are marked abandoned.',
        'To enable an endpoint again, set "active" to true: PATCH /v1/webhooks/endpoints/{id}',
        'You can then replay abandoned deliveries.',
      ),
    };
  },
  offer_sent: ([offer]) => offerMail(offer?.data ?? emptyMail()),
};

type DisabledEntry = MailContent<'endpoint_disabled'>['entries'][number];

function singleDisabledMail(entry: DisabledEntry): RenderedMail {
  const { resourceId, data } = entry;
  return {
    subject: `Webhook endpoint disabled: ${shortenUrl(data.url)}`,
    text: joinLines(
      `Your webhook endpoint was disabled because ${explanations[data.reason]}.`,
      '',
      ...detailLines(entry),
      '',
      'Pending deliveries were cancelled and are marked abandoned.',
      `To enable it again, set "active" to true: PATCH /v1/webhooks/endpoints/${resourceId}`,
      'You can then replay abandoned deliveries.',
    ),
  };
}

/** Leaves out the description: clients choose both it and the recipient, so a mail could carry abuse. */
function detailLines({
  resourceId,
  data: { url, reason, disabledAt, lastStatus },
}: DisabledEntry): string[] {
  return [
    `Endpoint: ${resourceId}`,
    `URL: ${shortenUrl(url)}`,
    `Reason: ${reason}`,
    `Time: ${disabledAt}`,
    `Last response status: ${lastStatus ?? 'none'}`,
  ];
}

/** One line, because a mail can name thousands. Its reader can sort the lines and cut out the ids. */
function detailLine({ resourceId, data }: DisabledEntry): string {
  const { url, reason, disabledAt, lastStatus } = data;
  return [resourceId, disabledAt, reason, lastStatus ?? 'none', shortenUrl(url)].join('  ');
}

function emptyMail(): never {
  throw new Error('a mail has no notices');
}

function offerMail({ seller, title, message, total, url, expiresAt }: OfferSent): RenderedMail {
  return {
    subject: `Offer from ${toSingleLine(seller)}: ${toSingleLine(title)}`,
    text: joinLines(
      `${toSingleLine(seller)} makes you an offer.`,
      '',
      `Offer: ${toSingleLine(title)}`,
      `Total: ${total}`,
      `Open until: ${formatInstant(new Date(expiresAt))}`,
      ...(message === null ? [] : ['', ...quoteLines(message)]),
      '',
      'Read it in full, and accept it by paying:',
      url,
    ),
  };
}

const explanations: Readonly<Record<DisabledReason, string>> = {
  consecutive_failures: 'every attempt to deliver to it failed for too long',
  receiver_gone: 'it answered 410 Gone',
};

/** The kinds that this version can send, most urgent first. It leaves others to a version that knows them. */
export const noticeKinds = Object.keys(templates) as NoticeKind[];

/**
 * Renders one mail. Text that clients chose (URLs, titles) stays within its line, so it can add neither
 * headers nor lines that look like ours.
 */
export function renderMail<Kind extends NoticeKind>({
  kind,
  recipient,
  entries,
}: MailContent<Kind>): Message {
  return { to: recipient, ...templates[kind](entries) };
}

/** In characters. Longer URLs are cut, since a mail can name thousands; the id identifies the endpoint. */
const maxUrlLength = 200;

function shortenUrl(url: string): string {
  const characters = Array.from(toSingleLine(url));
  return characters.length > maxUrlLength
    ? `${characters.slice(0, maxUrlLength).join('')}…`
    : characters.join('');
}

/** Replaces characters that break lines or change their direction. */
function toSingleLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ');
}

/** Marks every line as a quotation, so that none looks like ours. */
function quoteLines(text: string): string[] {
  return text.split(/\r\n|[\r\n\p{Zl}\p{Zp}]/u).map((line) => `> ${toSingleLine(line)}`.trimEnd());
}

function joinLines(...texts: readonly (string | undefined)[]): string {
  return texts
    .filter((text) => text !== undefined)
    .map((text) => `${text}\n`)
    .join('');
}
