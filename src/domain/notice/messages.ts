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

/** What one mail says: notices of a kind to one recipient. */
export interface Mailed<Kind extends NoticeKind> {
  readonly kind: Kind;
  readonly recipient: string;
  /** At least one; of offers exactly one. */
  readonly told: readonly Pick<Told<Kind>, 'about' | 'data'>[];
}

/** A mail of any kind, with the data of that kind. */
export type AnyMailed = { [Kind in NoticeKind]: Mailed<Kind> }[NoticeKind];

type Written = Omit<Message, 'to'>;

const writers: {
  readonly [Kind in NoticeKind]: (told: Mailed<Kind>['told']) => Written;
} = {
  endpoint_disabled: (told) => {
    const [first] = told;
    if (first && told.length === 1) return oneDisabled(first);
    return {
      subject: `${told.length} webhook endpoints disabled`,
      text: lines(
        `${told.length} of your webhook endpoints were disabled.`,
        '',
        ...told.flatMap((each) => [...factsOf(each), '']),
        'Pending deliveries were cancelled and are marked abandoned.',
        'To enable an endpoint again, set "active" to true: PATCH /v1/webhooks/endpoints/{id}',
        'You can then replay abandoned deliveries.',
      ),
    };
  },
  offer_sent: ([offer]) => offerMail(offer?.data ?? nothingTold()),
};

type Disabled = Mailed<'endpoint_disabled'>['told'][number];

function oneDisabled(told: Disabled): Written {
  const { about, data } = told;
  return {
    subject: `Webhook endpoint disabled: ${urlLine(data.url)}`,
    text: lines(
      `Your webhook endpoint was disabled because ${explanations[data.reason]}.`,
      '',
      ...factsOf(told),
      '',
      'Pending deliveries were cancelled and are marked abandoned.',
      `To enable it again, set "active" to true: PATCH /v1/webhooks/endpoints/${about}`,
      'You can then replay abandoned deliveries.',
    ),
  };
}

/** Without the description: anyone can write one, and anyone can be named as the recipient. */
function factsOf({ about, data: { url, reason, disabledAt, lastStatus } }: Disabled): string[] {
  return [
    `Endpoint: ${about}`,
    `URL: ${urlLine(url)}`,
    `Reason: ${reason}`,
    `Time: ${disabledAt}`,
    `Last response status: ${lastStatus ?? 'none'}`,
  ];
}

function nothingTold(): never {
  throw new Error('a mail has no notices');
}

function offerMail({ seller, title, message, total, url, expiresAt }: OfferSent): Written {
  return {
    subject: `Offer from ${oneLine(seller)}: ${oneLine(title)}`,
    text: lines(
      `${oneLine(seller)} makes you an offer.`,
      '',
      `Offer: ${oneLine(title)}`,
      `Total: ${total}`,
      `Open until: ${instantText(new Date(expiresAt))}`,
      ...(message === null ? [] : ['', ...quoted(message)]),
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

/** The kinds that this version can write, most urgent first; others are left to a version that knows them. */
export const noticeKinds = Object.keys(writers) as NoticeKind[];

/**
 * Writes one mail. Whatever somebody chose (urls, titles) stays within its line,
 * so it can add neither headers nor lines that look like ours.
 */
export function messageOf<Kind extends NoticeKind>({
  kind,
  recipient,
  told,
}: Mailed<Kind>): Message {
  return { to: recipient, ...writers[kind](told) };
}

/** Longer urls are cut: a mail names two hundred at most, and the id says which endpoint it is. */
const longestUrl = 200;

function urlLine(url: string): string {
  const characters = Array.from(oneLine(url));
  return characters.length > longestUrl
    ? `${characters.slice(0, longestUrl).join('')}…`
    : characters.join('');
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
