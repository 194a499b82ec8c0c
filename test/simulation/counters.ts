/** What happened in one seed or in many, to be sure that what is feared does happen. */
export interface Counters {
  pendingDeliveries: number;
  requests: number;
  /** Requests for what had arrived and been accepted before. */
  duplicates: number;
  records: number;
  /** Outcomes that came too late to be recorded. */
  staleResults: number;
  interrupted: number;
  deadLettered: number;
  disabled: number;
  replays: number;
  operations: number;
  crashes: number;
  stalls: number;
  stops: number;
  /** Attempts broken off by a process that stopped. */
  aborted: number;
  /** Claims that were given back unsent. */
  released: number;
  /** Pending deliveries of ambiguous claims, given back. */
  ambiguous: number;
  /** Pending deliveries cancelled from the backlog. */
  cancelledFromBacklog: number;
  /** Outcomes dropped because their leases had ended. */
  dropped: number;
  /** Polls that found deliveries without a wake-up. */
  missed: number;
  statementsLost: number;
  /** Statements that were asked while the database refused something. */
  refusals: number;
  /** Leases that were extended. */
  extended: number;
}

/** Nothing has happened. */
export function newCounters(): Counters {
  return {
    pendingDeliveries: 0,
    requests: 0,
    duplicates: 0,
    records: 0,
    staleResults: 0,
    interrupted: 0,
    deadLettered: 0,
    disabled: 0,
    replays: 0,
    operations: 0,
    crashes: 0,
    stalls: 0,
    stops: 0,
    aborted: 0,
    released: 0,
    ambiguous: 0,
    cancelledFromBacklog: 0,
    dropped: 0,
    missed: 0,
    statementsLost: 0,
    refusals: 0,
    extended: 0,
  };
}

/** Adds `other` to `sum`. */
export function addCounters(sum: Counters, other: Counters): void {
  for (const key of Object.keys(sum) as (keyof Counters)[]) sum[key] += other[key];
}
