/** For how long pending deliveries have been due. Claimed ones do not count. */
export interface Ages {
  /**
   * Age in seconds of the oldest due pending delivery that nothing holds up; 0 when there is none.
   * Excludes pending deliveries of disabled, failing or rate-limited endpoints, isolated and
   * recovered ones.
   */
  readonly oldestDueSeconds: number;
  /** The same age without those exclusions. */
  readonly oldestBacklogSeconds: number;
}

/** In SQL: workers may claim the pending delivery `c`. */
export const claimable = 'c.ready and c.lease_token is null';

/**
 * In SQL: an endpoint takes deliveries without holding them up. Looks it up laterally: the planner could
 * turn an `exists` into a hash of the whole table.
 */
export const isAwaited = (endpoint: string) => `coalesce((
               select e.active and e.deleted_at is null and e.cancelling_since is null
                      and e.failing_since is null and e.max_per_second is null
                 from endpoint e where e.id = ${endpoint} limit 1), false)`;

/** In SQL: how many seconds ago a time was; 0 if it is null or in the future. */
export const secondsSince = (time: string) =>
  `greatest(0, coalesce(extract(epoch from now() - ${time}), 0))::float8`;
