/** For how long pending deliveries have been due. Claimed ones do not count. */
export interface Ages {
  /**
   * Age in seconds of the oldest due pending delivery that nothing holds up; 0 when there is none.
   * Excludes pending deliveries of disabled, failing or rate-limited endpoints, isolated and
   * recovered ones. Those that waited for an endpoint which failed or was rate-limited count from the
   * end of that: its own backlog does not make the service late.
   */
  readonly oldestDueSeconds: number;
  /** The same age without those exclusions. */
  readonly oldestBacklogSeconds: number;
}

/** In SQL: workers may claim the pending delivery `c`. */
export const claimable = 'c.ready and c.lease_token is null';

/**
 * In SQL: since when the first due pending delivery of an endpoint is awaited; null while the endpoint holds
 * it up. Looks the endpoint up in a subquery: the planner could turn a join into a hash of the whole table.
 */
export const awaitedSince = (endpoint: string, dueAt: string) => `(
               select greatest(${dueAt}, e.resumed_at)
                 from endpoint e
                where e.id = ${endpoint} and e.active and e.deleted_at is null
                  and e.cancelling_since is null and e.failing_since is null
                  and e.max_per_second is null
                limit 1)`;

/** In SQL: how many seconds ago a time was; 0 if it is null or in the future. */
export const secondsSince = (time: string) =>
  `greatest(0, coalesce(extract(epoch from now() - ${time}), 0))::float8`;
