import type { FieldChange } from '../audit/audit-entry.entity.js';
import type { SettableField } from './endpoint.entity.js';
import type { EndpointFields } from './endpoint-input.js';

/** Returns undefined for a field that did not change. */
type Compare = (before: EndpointFields, after: EndpointFields) => FieldChange | undefined;

/** By field, in the order of the changes. The compiler asks for every field that an account sets. */
const compareField: Readonly<Record<SettableField, Compare>> = {
  url(before, after) {
    if (before.url === after.url) return undefined;
    const from = originOf(before.url);
    const to = originOf(after.url);
    return { field: 'url', ...(from !== to && { from, to }) };
  },
  active(before, after) {
    if (before.active === after.active) return undefined;
    return { field: 'active', from: String(before.active), to: String(after.active) };
  },
  eventTypes(before, after) {
    const removed = before.eventTypes.filter((type) => !after.eventTypes.includes(type));
    const added = after.eventTypes.filter((type) => !before.eventTypes.includes(type));
    if (removed.length + added.length === 0) return undefined;
    return { field: 'event_types', from: removed.join(', '), to: added.join(', ') };
  },
  description: (before, after) =>
    before.description === after.description ? undefined : { field: 'description' },
  notificationEmail: (before, after) =>
    before.notificationEmail === after.notificationEmail
      ? undefined
      : { field: 'notification_email' },
};

/**
 * Returns the fields that differ. Of a URL it shows scheme and host, because the path can be a
 * secret; of texts and addresses it shows no value.
 */
export function endpointChanges(before: EndpointFields, after: EndpointFields): FieldChange[] {
  return Object.values(compareField).flatMap((compare) => compare(before, after) ?? []);
}

/** Returns scheme and host of a valid URL. */
export function originOf(url: string): string {
  return new URL(url).origin;
}
