import type { FieldChange } from '../audit/audit-entry.entity.js';
import type { EndpointFields } from './endpoint-input.js';

/**
 * Returns the fields that differ. Of a URL it shows scheme and host, because the path can be a
 * secret; of texts and addresses it shows no value.
 */
export function endpointChanges(before: EndpointFields, after: EndpointFields): FieldChange[] {
  const removed = before.eventTypes.filter((type) => !after.eventTypes.includes(type));
  const added = after.eventTypes.filter((type) => !before.eventTypes.includes(type));
  const [from, to] = [originOf(before.url), originOf(after.url)];
  return [
    ...(before.url === after.url ? [] : [{ field: 'url', ...(from !== to && { from, to }) }]),
    ...(before.active === after.active
      ? []
      : [{ field: 'active', from: String(before.active), to: String(after.active) }]),
    ...(removed.length + added.length === 0
      ? []
      : [{ field: 'event_types', from: removed.join(', '), to: added.join(', ') }]),
    ...(before.description === after.description ? [] : [{ field: 'description' }]),
    ...(before.notificationEmail === after.notificationEmail
      ? []
      : [{ field: 'notification_email' }]),
  ];
}

/** Returns scheme and host of a valid URL. */
export function originOf(url: string): string {
  return new URL(url).origin;
}
