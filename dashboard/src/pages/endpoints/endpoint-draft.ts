/** What someone typed into the form of an endpoint. */
export interface EndpointDraft {
  readonly url: string;
  readonly description: string;
  readonly notificationEmail: string;
  readonly eventTypes: readonly string[];
}

/** The fields of an endpoint that the form changes. */
interface EndpointFields {
  readonly url: string;
  readonly description: string | null;
  readonly eventTypes: readonly string[];
}

/** The draft of an existing endpoint. */
export function draftOf(
  endpoint: EndpointFields & { readonly notificationEmail: string },
): EndpointDraft {
  const { url, description, notificationEmail, eventTypes } = endpoint;
  return { url, description: description ?? '', notificationEmail, eventTypes };
}

/** The issue to show now: while someone types, an unfinished URL is not yet wrong. */
export function shownUrlIssue(url: string, left: boolean): UrlIssue | undefined {
  if (!left && mayBecomeUrl(url)) return undefined;
  return left && url === '' ? 'scheme' : urlIssue(url.trim());
}

/** Whether the draft can be sent. The form shows what is missing next to the fields. */
export function isComplete({ url, eventTypes }: EndpointDraft): boolean {
  return urlIssue(url.trim()) === undefined && eventTypes.length > 0;
}

/** The input of the mutation: only what has changed. */
export function changesOf(
  before: EndpointFields,
  { url, description, eventTypes }: EndpointDraft,
): Partial<{ url: string; description: string | null; eventTypes: string[] }> {
  const wantedDescription = description.trim() === '' ? null : description;
  const sameTypes =
    eventTypes.length === before.eventTypes.length &&
    eventTypes.every((type) => before.eventTypes.includes(type));
  return {
    ...(url.trim() !== before.url && { url: url.trim() }),
    ...(wantedDescription !== before.description && { description: wantedDescription }),
    ...(!sameTypes && { eventTypes: [...eventTypes] }),
  };
}

/** What the form can check while someone types. The service validates the URL in full. */
type UrlIssue = 'scheme' | 'space' | 'host' | 'userInfo' | 'fragment' | 'tooLong' | 'invalid';

const maxLength = 2_048;

/**
 * Returns what is wrong with the URL of an endpoint, or undefined. Accepts every URL that the
 * service accepts.
 */
export function urlIssue(url: string): UrlIssue | undefined {
  if (!url.startsWith('https://')) return 'scheme';
  if (Array.from(url).length > maxLength) return 'tooLong';
  const rest = url.slice('https://'.length);
  if (/[\p{Cc}\p{Z}]/u.test(rest)) return 'space';
  const [authority = ''] = rest.split(/[/\\?#]/);
  if (authority === '') return 'host';
  if (authority.includes('@')) return 'userInfo';
  if (rest.includes('#')) return 'fragment';
  return URL.canParse(url) ? undefined : 'invalid';
}

/** True while `text` may still become a URL that starts with https://. */
function mayBecomeUrl(text: string): boolean {
  return 'https://'.startsWith(text);
}
