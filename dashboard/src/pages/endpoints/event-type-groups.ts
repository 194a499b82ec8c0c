/** What the form needs to know about an event type. */
export interface EventTypeChoice {
  readonly id: string;
  readonly category: string;
  readonly summary: string;
  readonly acceptsNewSubscriptions: boolean;
  /** Whether events of the type are published today. */
  readonly sent: boolean;
}

/** Event types of one category. */
export interface EventTypeGroup<Choice extends EventTypeChoice> {
  readonly category: string;
  readonly types: readonly Choice[];
}

/**
 * Groups the types that can be chosen: those that are offered or subscribed to already, whose id,
 * summary or category contains `search` in any case. Types that are sent come first.
 */
export function groupEventTypes<Choice extends EventTypeChoice>(
  types: readonly Choice[],
  subscribed: ReadonlySet<string>,
  search: string,
): readonly EventTypeGroup<Choice>[] {
  const wanted = search.trim().toLowerCase();
  const groups = new Map<string, Choice[]>();
  for (const type of types) {
    if (!type.acceptsNewSubscriptions && !subscribed.has(type.id)) continue;
    const texts = [type.id, type.summary, type.category];
    if (!texts.some((searched) => searched.toLowerCase().includes(wanted))) continue;
    groups.set(type.category, [...(groups.get(type.category) ?? []), type]);
  }
  return [...groups]
    .map(([category, members]) => ({ category, types: members.sort(sentFirst) }))
    .sort((a, b) => sentFirst(a.types[0], b.types[0]) || a.category.localeCompare(b.category));
}

function sentFirst(a?: EventTypeChoice, b?: EventTypeChoice): number {
  return Number(b?.sent) - Number(a?.sent);
}
