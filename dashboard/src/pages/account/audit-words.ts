import type { auditLogQuery } from '../../generated/documents.js';
import { fill, text } from '../../texts/text.js';

export type AuditEntry = auditLogQuery['auditLog']['data'][number];

const fields: Readonly<Record<string, string>> = text.audit.fields;
const list = new Intl.ListFormat('en');

/** Ids of these stand in the sentence already, or say nothing to a reader. */
const withoutResource: ReadonlySet<string> = new Set([
  ...['session_opened', 'session_ended', 'buyer_erasure_started', 'account_created'],
]);

/** Who made the change. */
export function whoOf({ actorKind, memberEmail }: AuditEntry): string {
  const { actors } = text.audit;
  const isPerson = memberEmail !== null && !memberEmail.endsWith('.invalid');
  if (actorKind === 'session') return memberEmail ?? actors.session;
  if (actorKind === 'api_key' && isPerson) return fill(actors.keyOf, { email: memberEmail });
  return actors[actorKind];
}

/** What the change did, as the end of a sentence; what was changed follows it. */
export function phraseOf({ action, changes, resourceId, credentialId }: AuditEntry): string {
  const { phrases, changedFields, enabled, disabled, signedOut } = text.audit;
  if (action === 'session_ended' && resourceId === credentialId) return signedOut;
  if (action !== 'endpoint_updated' || changes.length === 0) return phrases[action];
  const [first] = changes;
  if (changes.length === 1 && first?.field === 'active') {
    return first.to === 'true' ? enabled : disabled;
  }
  const names = changes.map(({ field }) => fieldName(field));
  return fill(changedFields, { fields: list.format(names) });
}

/** The id to show after the phrase; null when the sentence is whole without it. */
export function resourceOf({ action, resourceId }: AuditEntry): string | null {
  return withoutResource.has(action) ? null : resourceId;
}

/** What a field was and is, in words; undefined when its values stay out of the log. */
export function changeOf({ field, from, to }: AuditEntry['changes'][number]): string | undefined {
  const { change, removed, added } = text.audit;
  if (field === 'event_types') {
    const parts = [
      ...(from ? [fill(removed, { values: from })] : []),
      ...(to ? [fill(added, { values: to })] : []),
    ];
    return parts.length === 0 ? undefined : parts.join(', ');
  }
  if (from == null && to == null) return undefined;
  if (from == null || to == null) return to ?? from ?? undefined;
  return fill(change, { from, to });
}

/** The name of a field. */
export function fieldName(field: string): string {
  return fields[field] ?? field;
}
