/** The part of an endpoint that says which events it may take, and since when. */
export interface Subscriptions {
  readonly eventTypes: readonly string[];
  /** A time by type; others are subscribed since the endpoint exists. */
  readonly subscribedSince: Readonly<Record<string, string>> | null;
  readonly createdAt: Date;
}

/**
 * Returns the types that a recovery covers, each with the time from which missed events are sent.
 * @param wanted null for all subscribed types; others are left out
 */
export function recoveredTypes(
  { eventTypes, subscribedSince, createdAt }: Subscriptions,
  wanted: readonly string[] | null,
  includeBefore: boolean,
): ReadonlyMap<string, Date> {
  const since = (type: string) => {
    if (includeBefore) return new Date(0);
    const later = subscribedSince?.[type];
    return later === undefined ? createdAt : new Date(later);
  };
  const covered = eventTypes.filter((type) => wanted === null || wanted.includes(type));
  return new Map(covered.map((type) => [type, since(type)]));
}
