/** What a host of the database said. */
export interface HostState {
  readonly url: string;
  readonly isStandby: boolean;
  /** Grows with every promotion; 0 of a standby. */
  readonly timeline: number;
}

/** The host to use, or why there is none. */
export type Choice = { readonly primary: HostState } | { readonly reason: string };

/**
 * Chooses the host that takes writes: the one on the highest timeline. A former primary that still
 * takes writes is on a lower timeline than the host that was promoted, so it is never chosen.
 * @param hosts those that answered
 * @param seenTimeline the highest timeline that this process has used
 */
export function choosePrimary(hosts: readonly HostState[], seenTimeline: number): Choice {
  const primaries = hosts.filter(({ isStandby }) => !isStandby);
  const timeline = Math.max(0, ...primaries.map((host) => host.timeline));
  const [primary, ...others] = primaries.filter((host) => host.timeline === timeline);
  if (!primary) return { reason: 'no host that answers takes writes' };
  if (timeline < seenTimeline) return { reason: 'only a former primary answers' };
  if (others.length > 0) return { reason: 'several hosts take writes on the same timeline' };
  return { primary };
}
