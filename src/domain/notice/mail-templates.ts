import { formatInstant } from '../format-instant.js';
import {
  disabledMail,
  type EndpointDisabled,
  type EndpointFailing,
  type EndpointRecovered,
  failingMail,
  recoveredMail,
} from './endpoint-mails.js';
import type { Sealer } from '../sealer.js';
import { signInMail, type SignInRequested } from './sign-in-mail.js';
import { joinLines, quoteLines, toSingleLine } from './mail-text.js';

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
  readonly sign_in_link: SignInRequested;
  readonly endpoint_disabled: EndpointDisabled;
  readonly endpoint_failing: EndpointFailing;
  readonly endpoint_recovered: EndpointRecovered;
  readonly offer_sent: OfferSent;
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
  /** At least one; of offers and links to sign in exactly one. */
  readonly entries: readonly Pick<NoticeContent<Kind>, 'resourceId' | 'data'>[];
}

/** A mail of any kind, with the data of that kind. */
export type AnyMailContent = { [Kind in NoticeKind]: MailContent<Kind> }[NoticeKind];

type RenderedMail = Omit<Message, 'to'>;

const templates: {
  readonly [Kind in NoticeKind]: (
    entries: MailContent<Kind>['entries'],
    sealer: Sealer,
  ) => RenderedMail;
} = {
  sign_in_link: ([link], sealer) => {
    if (!link) throw new Error('a mail has no notices');
    return signInMail(link, sealer);
  },
  endpoint_disabled: disabledMail,
  endpoint_failing: failingMail,
  offer_sent: ([offer]) => {
    if (!offer) throw new Error('a mail has no notices');
    return offerMail(offer.data);
  },
  endpoint_recovered: recoveredMail,
};

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

/** The kinds that this version can send, most urgent first. It leaves others to a version that knows them. */
export const noticeKinds = Object.keys(templates) as NoticeKind[];

/**
 * Renders one mail. Text that clients chose (URLs, titles) stays within its line, so it can add neither
 * headers nor lines that look like ours.
 * @param sealer opens what a notice keeps sealed
 */
export function renderMail<Kind extends NoticeKind>(
  { kind, recipient, entries }: MailContent<Kind>,
  sealer: Sealer,
): Message {
  return { to: recipient, ...templates[kind](entries, sealer) };
}
