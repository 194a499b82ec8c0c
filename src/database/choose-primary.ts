/** What a host of the database said. */
export interface HostState {
  readonly url: string;
  readonly isStandby: boolean;
  /** Grows with every promotion; 0 of a standby that cannot say it. */
  readonly timeline: number;
}

/** The host to use, or why there is none. */
export type Choice = { readonly primary: HostState } | { readonly reason: string };

/**
 * Chooses the host that takes writes, unless another host is on a higher timeline. The promoted host and
 * its standbys are on a higher timeline than a former primary that still takes writes. So the former
 * primary is never chosen while one of them reports its timeline.
 * @param hosts those that answered
 * @param seenTimeline the highest timeline that any host has reported to this process
 */
export function choosePrimary(hosts: readonly HostState[], seenTimeline: number): Choice {
  const primaries = hosts.filter(({ isStandby }) => !isStandby);
  if (primaries.length === 0) return { reason: 'no host that answers takes writes' };
  const newest = newestTimeline(hosts, seenTimeline);
  const [primary, ...others] = primaries.filter(({ timeline }) => timeline === newest);
  if (!primary) return { reason: 'only a former primary takes writes' };
  if (others.length > 0) return { reason: 'several hosts take writes on the same timeline' };
  return { primary };
}

/** The highest timeline of these hosts and of `seenTimeline`. */
export function newestTimeline(hosts: readonly HostState[], seenTimeline: number): number {
  return Math.max(seenTimeline, ...hosts.map(({ timeline }) => timeline));
}
