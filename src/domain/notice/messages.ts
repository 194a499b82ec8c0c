import type { DisabledReason } from '../delivery/health.js';
import { instantText } from '../instant-text.js';

/** A mail as its reader sees it. */
export interface Message {
  readonly to: string;
  /** One line. */
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
}

/** What each kind of notice tells, besides the id of what it is about. */
export interface NoticeData {
  readonly endpoint_disabled: EndpointDisabled;
  readonly offer_sent: OfferSent;
}

/** The state of an endpoint when the service disabled it (H73). */
export interface EndpointDisabled {
  readonly url: string;
  readonly description: string | null;
  readonly reason: DisabledReason;
  /** RFC 3339. */
  readonly disabledAt: string;
  /** What the receiver answered last; null when it did not. */
  readonly lastStatus: number | null;
}

/** An offer when it was sent, for its recipient. */
export interface OfferSent {
  /** The name of the account that makes it. */
  readonly seller: string;
  readonly title: string;
  readonly message: string | null;
  /** With its currency, as the page writes it: "€119.00". */
  readonly total: string;
  /** Where it is read and paid. */
  readonly url: string;
  /** RFC 3339. */
  readonly expiresAt: string;
}

/** Which message a notice becomes. */
export type NoticeKind = keyof NoticeData;

/** What a message is made of. */
export interface Told<Kind extends NoticeKind> {
  readonly kind: Kind;
  /** The id of what it tells of. */
  readonly about: string;
  readonly recipient: string;
  readonly data: NoticeData[Kind];
}

/** A notice of any kind, with the data of that kind. */
export type AnyTold = { [Kind in NoticeKind]: Told<Kind> }[NoticeKind];

type Written = Omit<Message, 'to'>;

const writers: {
  readonly [Kind in NoticeKind]: (about: string, data: NoticeData[Kind]) => Written;
} = {
  endpoint_disabled: (endpoint, { url, description, reason, disabledAt, lastStatus }) => ({
    subject: `Webhook endpoint disabled: ${oneLine(url)}`,
    text: lines(
      `Your webhook endpoint was disabled because ${explanations[reason]}.`,
      '',
      `Endpoint: ${endpoint}`,
      description === null ? undefined : `Description: ${oneLine(description)}`,
      `URL: ${oneLine(url)}`,
      `Reason: ${reason}`,
      `Time: ${disabledAt}`,
      `Last response status: ${lastStatus ?? 'none'}`,
      '',
      'Scheduled attempts were cancelled and their deliveries are marked abandoned.',
      `To enable it again, set "active" to true: PATCH /v1/webhooks/endpoints/${endpoint}`,
      'Abandoned deliveries can be replayed afterwards.',
    ),
  }),
  offer_sent: (_offer, { seller, title, message, total, url, expiresAt }) => ({
    subject: `Offer from ${oneLine(seller)}: ${oneLine(title)}`,
    text: lines(
      `${oneLine(seller)} makes you an offer.`,
      '',
      `Offer: ${oneLine(title)}`,
      `Total: ${total}`,
      `Open until: ${instantText(new Date(expiresAt))}`,
      ...(message === null ? [] : ['', ...quoted(message)]),
      '',
      'To read it in full, and to accept it by paying:',
      url,
    ),
  }),
};

const explanations: Readonly<Record<DisabledReason, string>> = {
  consecutive_failures: 'every attempt to deliver to it has failed for too long',
  receiver_gone: 'it answered 410 Gone',
};

/** The kinds that this version can write, most urgent first; others are left to a version that knows them. */
export const noticeKinds = Object.keys(writers) as NoticeKind[];

/**
 * Writes the mail of a notice. Whatever somebody chose (urls, descriptions) stays within its line,
 * so it can add neither headers nor lines that look like ours.
 */
export function messageOf<Kind extends NoticeKind>(notice: Told<Kind>): Message {
  const { kind, about, recipient, data } = notice;
  return { to: recipient, ...writers[kind](about, data) };
}

/** The text without what breaks lines or turns their direction. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ');
}

/** Every line marked as somebody else's, so that none looks like ours. */
function quoted(text: string): string[] {
  return text.split(/\r\n|[\r\n\p{Zl}\p{Zp}]/u).map((line) => `> ${oneLine(line)}`.trimEnd());
}

function lines(...texts: readonly (string | undefined)[]): string {
  return texts
    .filter((text) => text !== undefined)
    .map((text) => `${text}\n`)
    .join('');
}
