import { mayBecomeUrl, type UrlIssue, urlIssue } from './url-rule.js';

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

/** The draft of an endpoint that exists. */
export function draftOf(
  endpoint: EndpointFields & { readonly notificationEmail: string },
): EndpointDraft {
  const { url, description, notificationEmail, eventTypes } = endpoint;
  return { url, description: description ?? '', notificationEmail, eventTypes };
}

/** What to say about the URL now: less while it is typed than once it is left. */
export function shownUrlIssue(url: string, left: boolean): UrlIssue | undefined {
  if (!left && mayBecomeUrl(url)) return undefined;
  return left && url === '' ? 'scheme' : urlIssue(url.trim());
}

/** Whether the draft can be sent: what it lacks is shown beside its fields. */
export function isComplete({ url, eventTypes }: EndpointDraft): boolean {
  return urlIssue(url.trim()) === undefined && eventTypes.length > 0;
}

/** The input of a mutation: only what differs from the endpoint. */
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
