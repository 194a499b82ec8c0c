import type { auditLogQuery } from '../../generated/documents.js';
import { locale } from '../../texts/language.js';
import { fill, text } from '../../texts/text.js';

export type AuditEntry = auditLogQuery['auditLog']['data'][number];

const fields: Readonly<Record<string, string>> = text.audit.fields;
const phrases: Readonly<Record<string, string>> = text.audit.phrases;
const list = new Intl.ListFormat(locale);

/** Where the id of what was changed stands in a phrase. Some phrases are whole without it. */
const resource = '{resource}';

/** The address of a member that exists for one credential only. No person has an address at .invalid. */
const holderPattern = /^(?:owner|admin|developer|accountant|viewer)@acc-[0-9a-z]+\.invalid$/;

/** Who made the change. */
export function whoOf({
  actorKind,
  memberEmail,
}: Pick<AuditEntry, 'actorKind' | 'memberEmail'>): string {
  const { actors } = text.audit;
  const isPerson = memberEmail !== null && !holderPattern.test(memberEmail);
  if (actorKind === 'session') return memberEmail ?? actors.session;
  if (actorKind === 'portal' && isPerson) return fill(actors.portalOf, { email: memberEmail });
  if (actorKind === 'api_key' && isPerson) return fill(actors.keyOf, { email: memberEmail });
  return actors[actorKind];
}

/** What the change did, as the end of a sentence: the words before the id, and those after it if there is an id. */
export function phraseOf(entry: AuditEntry): readonly [before: string, after?: string] {
  const [before = '', after] = templateOf(entry).split(resource);
  return after === undefined ? [before] : [before, after];
}

/** What an action does, without the id. */
export function actionName(action: AuditEntry['action']): string {
  const phrase = phraseFor(action).replace(/:? \{resource\}/, '');
  return phrase.charAt(0).toUpperCase() + phrase.slice(1);
}

/** The service may be newer than this page, and know more actions. */
function phraseFor(action: string): string {
  return phrases[action] ?? `${action.replaceAll('_', ' ')}: ${resource}`;
}

function templateOf({ action, changes, resourceId, credentialId }: AuditEntry): string {
  const { changedFields, enabled, disabled, signedOut } = text.audit;
  if (action === 'session_ended' && resourceId === credentialId) return signedOut;
  // A reason is listed with the changed fields, but is not one of them.
  const changed = changes.filter(({ field }) => field !== 'reason');
  if (action !== 'endpoint_updated' || changed.length === 0) return phraseFor(action);
  const [first] = changed;
  if (changed.length === 1 && first?.field === 'active') {
    return first.to === 'true' ? enabled : disabled;
  }
  const names = changed.map(({ field }) => fieldName(field));
  return fill(changedFields, { fields: list.format(names), resource });
}

/** The old and new value of a field, in words; undefined if the log does not keep its values. */
export function changeOf({ field, from, to }: AuditEntry['changes'][number]): string | undefined {
  const { change, removed, added } = text.audit;
  if (field === 'event_types' || field === 'headers') {
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

/** The reason that a person gave for a change. */
export function reasonOf(entry: {
  readonly changes: readonly Pick<AuditEntry['changes'][number], 'field' | 'to'>[];
}): string | undefined {
  return entry.changes.find(({ field }) => field === 'reason')?.to ?? undefined;
}

/** The name of a field. */
export function fieldName(field: string): string {
  return fields[field] ?? field;
}
