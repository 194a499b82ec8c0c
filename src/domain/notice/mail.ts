// The mails that the service sends: what each kind of notice says, and the possible results of sending one.
//
// This file knows no tables, so that src/mail may import it. Text that clients choose (names, URLs, titles) stays
// within its line and marked as a quotation, so it can add neither headers nor lines that look like ours. Secrets in
// a notice are sealed until the mail is rendered.
import type { DisabledReason } from '../transaction/rules.js';
import type { Sealer } from '../values/sealer.js';
import { formatTimestamp } from '../values/timestamp.js';

/** A mail as its reader sees it. */
export interface Message {
  readonly to: string;
  /** One line. */
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
}

/** The result of an attempt to send a mail. */
export type NoticeOutcome =
  /** The mail server accepted it. */
  | { readonly kind: 'sent' }
  /** The worker retries it later. */
  | (Reason & { readonly kind: 'failed' })
  /** The recipient does not exist, or the mail is no longer relevant. A retry would not help. */
  | (Reason & { readonly kind: 'refused' });

interface Reason {
  /** Codes only, so that it can be logged. */
  readonly reason: string;
  /** For operators who read the row. It may name the recipient, so do not log it. */
  readonly detail: string;
}

/** The kind of a notice, which selects its template. */
export type NoticeKind = keyof NoticeData;

/** The data of each kind of notice, without the id of the resource that it is about. */
export interface NoticeData {
  readonly sign_in_link: SignInRequested;
  readonly endpoint_disabled: EndpointDisabled;
  readonly endpoint_failing: EndpointFailing;
  readonly endpoint_recovered: EndpointRecovered;
  readonly offer_sent: OfferSent;
}

/** An offer at the time it was sent. */
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

/** The content of one notice. */
export interface NoticeContent<Kind extends NoticeKind> {
  readonly kind: Kind;
  /** The id of the resource it is about, such as an endpoint. */
  readonly resourceId: string;
  readonly recipient: string;
  readonly data: NoticeData[Kind];
}

/** A notice in a mail. */
interface Entry<Data> {
  readonly resourceId: string;
  readonly data: Data;
}

/** The content of one mail: notices of one kind to one recipient. */
export interface MailContent<Kind extends NoticeKind> {
  readonly kind: Kind;
  readonly recipient: string;
  /** At least one; exactly one for offers and links to sign in. */
  readonly entries: readonly Entry<NoticeData[Kind]>[];
}

/** A mail of any kind with the data of that kind. */
export type AnyMailContent = { [Kind in NoticeKind]: MailContent<Kind> }[NoticeKind];

type RenderedMail = Omit<Message, 'to'>;

/**
 * Renders one mail.
 * @param sealer opens the sealed secrets of a notice
 * @throws CannotOpen
 */
export function renderMail<Kind extends NoticeKind>(
  { kind, recipient, entries }: MailContent<Kind>,
  sealer: Sealer,
): Message {
  return { to: recipient, ...templates[kind](entries, sealer) };
}

/** The state of an endpoint at the time the service disabled it. */
export interface EndpointDisabled {
  readonly url: string;
  readonly reason: DisabledReason;
  /** RFC 3339. */
  readonly disabledAt: string;
  /** The status of the receiver's last response; null when it sent none. */
  readonly lastStatus: number | null;
}

/** The state of an endpoint that keeps failing. Times are in RFC 3339. */
interface EndpointFailing {
  readonly url: string;
  readonly failingSince: string;
  /** When the service will disable it unless it accepts a delivery. */
  readonly disablesAt: string;
  /** The status of the receiver's last response; null when it sent none. */
  readonly lastStatus: number | null;
}

/** An endpoint that accepts deliveries again. Times are in RFC 3339. */
interface EndpointRecovered {
  readonly url: string;
  readonly failingSince: string;
  readonly recoveredAt: string;
}

/** The texts of one kind. They leave out descriptions of endpoints: clients choose both these and the recipient. */
interface Wording<Data> {
  /** Subject of a mail about one endpoint; its URL follows. */
  readonly subject: string;
  readonly opening: (data: Data) => string;
  /** The lines after the URL, by name. */
  readonly facts: (data: Data) => Readonly<Record<string, string | number>>;
  /** @param id undefined in a mail about several endpoints */
  readonly closing: (id?: string) => readonly string[];
  /** Texts of a mail about several endpoints; their number comes first. */
  readonly several: { readonly subject: string; readonly opening: string };
}

const explanations: Readonly<Record<DisabledReason, string>> = {
  consecutive_failures: 'every attempt to deliver to it failed for too long',
  receiver_gone: 'it answered 410 Gone',
};

/** Renders mails about disabled endpoints. */
const disabledMail = mailOf<EndpointDisabled>({
  subject: 'Webhook endpoint disabled',
  opening: ({ reason }) => `Your webhook endpoint was disabled because ${explanations[reason]}.`,
  facts: ({ reason, disabledAt, lastStatus }) => ({
    Reason: reason,
    Time: disabledAt,
    'Last response status': lastStatus ?? 'none',
  }),
  closing: (id) => [
    'Pending deliveries were cancelled and are marked abandoned.',
    `To enable ${id ? 'it' : 'an endpoint'} again, set "active" to true: PATCH /v1/webhooks/endpoints/${id ?? '{id}'}`,
    'You can then replay abandoned deliveries.',
  ],
  several: {
    subject: 'webhook endpoints disabled',
    opening: 'of your webhook endpoints were disabled.',
  },
});

/** Renders mails about endpoints that keep failing. */
const failingMail = mailOf<EndpointFailing>({
  subject: 'Webhook endpoint failing',
  opening: ({ failingSince }) =>
    `Every attempt to deliver to your webhook endpoint has failed since ${failingSince}.`,
  facts: ({ failingSince, disablesAt, lastStatus }) => ({
    'Failing since': failingSince,
    'Will be disabled': disablesAt,
    'Last response status': lastStatus ?? 'none',
  }),
  closing: () => [
    'The service keeps retrying. It disables the endpoint at that time unless a delivery succeeds.',
    'Answer each delivery with a status from 200 to 299.',
  ],
  several: {
    subject: 'webhook endpoints failing',
    opening: 'of your webhook endpoints have failed every delivery attempt.',
  },
});

/** Renders mails about endpoints that accept deliveries again. */
const recoveredMail = mailOf<EndpointRecovered>({
  subject: 'Webhook endpoint recovered',
  opening: () => 'Your webhook endpoint accepts deliveries again.',
  facts: ({ failingSince, recoveredAt }) => ({
    'Failing since': failingSince,
    Recovered: recoveredAt,
  }),
  closing: () => [
    'Deliveries that ran out of attempts meanwhile are marked abandoned. You can replay them.',
  ],
  several: {
    subject: 'webhook endpoints recovered',
    opening: 'of your webhook endpoints accept deliveries again.',
  },
});

/** Returns the renderer of one kind: it shows details of one endpoint, or one line for each of several. */
function mailOf<Data extends { readonly url: string }>(wording: Wording<Data>) {
  const { opening, facts, closing, several } = wording;
  return (entries: readonly Entry<Data>[]): RenderedMail => {
    const { resourceId, data } = firstOf(entries);

    if (entries.length === 1) {
      const lines = Object.entries(facts(data)).map(([name, value]) => `${name}: ${value}`);

      return {
        subject: `${wording.subject}: ${shortenUrl(data.url)}`,
        text: joinLines(
          opening(data),
          '',
          `Endpoint: ${resourceId}`,
          `URL: ${shortenUrl(data.url)}`,
          ...lines,
          '',
          ...closing(resourceId),
        ),
      };
    }

    const names = Object.keys(facts(data)).map((name) => name.toLowerCase());

    // A mail can name thousands of endpoints. Its reader can sort the lines and cut out the ids.
    const lines = entries.map((entry) =>
      [entry.resourceId, ...Object.values(facts(entry.data)), shortenUrl(entry.data.url)].join(
        '  ',
      ),
    );

    return {
      subject: `${entries.length} ${several.subject}`,
      text: joinLines(
        `${entries.length} ${several.opening}`,
        `Each line has ${['endpoint', ...names].join(', ')} and URL:`,
        '',
        ...lines,
        '',
        ...closing(),
      ),
    };
  };
}

function offerMail({ seller, title, message, total, url, expiresAt }: OfferSent): RenderedMail {
  return {
    subject: `Offer from ${toSingleLine(seller)}: ${toSingleLine(title)}`,
    text: joinLines(
      `${toSingleLine(seller)} has sent you an offer.`,
      '',
      `Offer: ${toSingleLine(title)}`,
      `Total: ${total}`,
      `Open until: ${formatTimestamp(new Date(expiresAt))}`,
      ...(message === null ? [] : ['', ...quoteLines(message)]),
      '',
      'View the offer, and accept it by paying:',
      url,
    ),
  };
}

/** The data of a mail to sign in. Its secrets are sealed for the id of the link. */
export interface SignInRequested {
  /** The name of the account. */
  readonly account: string;
  readonly keyId: string;
  /** Base64 of a {@link SignInMail} as JSON. */
  readonly sealed: string;
}

/** The sealed part of a mail to sign in: secrets, and the other accounts of the address. */
export interface SignInMail {
  readonly url: string;
  readonly code: string;
  /** Absent in mails of the previous release. */
  readonly others?: readonly AccountLink[];
}

/** How to sign in to one account. */
interface AccountLink {
  /** The name of the account. */
  readonly account: string;
  readonly url: string;
  readonly code: string;
}

function signInMail({ resourceId, data }: Entry<SignInRequested>, sealer: Sealer): RenderedMail {
  const sealed = { keyId: data.keyId, sealed: Buffer.from(data.sealed, 'base64') };
  const mail = JSON.parse(sealer.open(sealed, resourceId)) as SignInMail;
  const { url, code, others = [] } = mail;
  const account = toSingleLine(data.account);

  if (others.length > 0) return mailOfSeveral([{ account: data.account, url, code }, ...others]);

  return {
    subject: `Sign in to ${account}`,
    text: joinLines(
      `To sign in to the dashboard of ${account}, open this link in the browser that requested it:`,
      '',
      url,
      '',
      'Or enter this code on the sign-in page:',
      '',
      `    ${code}`,
      '',
      'The link and the code work once and expire after 15 minutes.',
      'If you did not request this mail, ignore it.',
    ),
  };
}

function mailOfSeveral(links: readonly AccountLink[]): RenderedMail {
  return {
    subject: `Sign in to one of ${links.length} accounts`,
    text: joinLines(
      'This address is a member of several accounts. Open the link of the account that you want, in the',
      'browser that requested this mail, or enter its code on the sign-in page.',
      ...links.flatMap(({ account, url, code }) => [
        '',
        `${toSingleLine(account)}:`,
        url,
        `    ${code}`,
      ]),
      '',
      'Each link and code works once and expires after 15 minutes.',
      'If you did not request this mail, ignore it.',
    ),
  };
}

const templates: {
  readonly [Kind in NoticeKind]: (
    entries: MailContent<Kind>['entries'],
    sealer: Sealer,
  ) => RenderedMail;
} = {
  sign_in_link: (entries, sealer) => signInMail(firstOf(entries), sealer),
  endpoint_disabled: disabledMail,
  endpoint_failing: failingMail,
  offer_sent: (entries) => offerMail(firstOf(entries).data),
  endpoint_recovered: recoveredMail,
};

function firstOf<Item>(entries: readonly Item[]): Item {
  const [first] = entries;
  if (first === undefined) throw new Error('A mail has no notices.');
  return first;
}

/** The kinds that this version can send, most urgent first. It leaves unknown kinds to a version that knows them. */
export const noticeKinds = Object.keys(templates) as NoticeKind[];

/** In characters. Longer URLs are truncated, because a mail can name thousands; the id identifies the endpoint. */
const maxUrlLength = 200;

/** Returns a URL in one line of at most 200 characters. */
function shortenUrl(url: string): string {
  const characters = Array.from(toSingleLine(url));
  return characters.length > maxUrlLength
    ? `${characters.slice(0, maxUrlLength).join('')}…`
    : characters.join('');
}

/** Replaces characters that break lines or change the direction of text. */
function toSingleLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ');
}

/** Marks every line as a quotation, so that none looks like ours. */
function quoteLines(text: string): string[] {
  return text.split(/\r\n|[\r\n\p{Zl}\p{Zp}]/u).map((line) => `> ${toSingleLine(line)}`.trimEnd());
}

/** Joins lines, each with a line break. */
function joinLines(...texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join('');
}
