import type { DisabledReason } from '../disabled-reason.js';
import { joinLines, shortenUrl } from './mail-text.js';

/** The state of an endpoint when the service disabled it. */
export interface EndpointDisabled {
  readonly url: string;
  readonly reason: DisabledReason;
  /** RFC 3339. */
  readonly disabledAt: string;
  /** The status of the receiver's last response; null when it sent none. */
  readonly lastStatus: number | null;
}

/** The state of an endpoint that keeps failing. Times are in RFC 3339. */
export interface EndpointFailing {
  readonly url: string;
  readonly failingSince: string;
  /** When the service disables it unless it accepts a delivery. */
  readonly disablesAt: string;
  /** The status of the receiver's last response; null when it sent none. */
  readonly lastStatus: number | null;
}

/** An endpoint that accepts deliveries again. Times are in RFC 3339. */
export interface EndpointRecovered {
  readonly url: string;
  readonly failingSince: string;
  readonly recoveredAt: string;
}

interface Entry<Data> {
  readonly resourceId: string;
  readonly data: Data;
}

interface MailText {
  readonly subject: string;
  readonly text: string;
}

/** How the mails of one kind are worded. Descriptions stay out: clients choose them and the recipient. */
interface Wording<Data> {
  /** Of a mail about one endpoint; its URL follows. */
  readonly subject: string;
  readonly opening: (data: Data) => string;
  /** The facts after the URL, by their names. */
  readonly facts: (data: Data) => Readonly<Record<string, string | number>>;
  /** @param id undefined in a mail about several */
  readonly closing: (id?: string) => readonly string[];
  /** Of a mail about several endpoints; their number comes before. */
  readonly several: { readonly subject: string; readonly opening: string };
}

/** Returns the renderer of one kind: details for one endpoint, one line each for several. */
function mailOf<Data extends { readonly url: string }>(wording: Wording<Data>) {
  const { opening, facts, closing, several } = wording;
  return (entries: readonly Entry<Data>[]): MailText => {
    const [first] = entries;
    if (!first) throw new Error('a mail has no notices');
    const { resourceId, data } = first;
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
    // A mail can name thousands. Its reader can sort the lines and cut out the ids.
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

const explanations: Readonly<Record<DisabledReason, string>> = {
  consecutive_failures: 'every attempt to deliver to it failed for too long',
  receiver_gone: 'it answered 410 Gone',
};

/** Renders mails about disabled endpoints. */
export const disabledMail = mailOf<EndpointDisabled>({
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
export const failingMail = mailOf<EndpointFailing>({
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
    opening: 'of your webhook endpoints fail every attempt to deliver to them.',
  },
});

/** Renders mails about endpoints that accept deliveries again. */
export const recoveredMail = mailOf<EndpointRecovered>({
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
