/** What happened in one seed or in many, to be sure that what is feared does happen. */
export interface Tally {
  chains: number;
  requests: number;
  /** Requests for what had arrived and been accepted before. */
  duplicates: number;
  records: number;
  /** Outcomes that came too late to be recorded. */
  staleOutcomes: number;
  interrupted: number;
  parked: number;
  disabled: number;
  replays: number;
  operations: number;
  crashes: number;
  stalls: number;
  stops: number;
  /** Attempts broken off by a process that stopped. */
  brokenOff: number;
  /** Claims that were given back unsent. */
  released: number;
  /** Chains whose claim was not heard of, given back. */
  unheard: number;
  /** Chains whose cancellation was owed, cancelled. */
  paid: number;
  /** Outcomes dropped because their leases had ended. */
  dropped: number;
  /** Sweeps that found what nobody had been woken for. */
  missed: number;
  statementsLost: number;
  /** Statements that were asked while the database refused something. */
  refusals: number;
  /** Leases that were extended. */
  extended: number;
}

/** Nothing has happened. */
export function emptyTally(): Tally {
  return {
    ...{
      chains: 0,
      requests: 0,
      duplicates: 0,
      records: 0,
      staleOutcomes: 0,
      interrupted: 0,
      parked: 0,
    },
    ...{ disabled: 0, replays: 0, operations: 0, crashes: 0, stalls: 0, stops: 0, brokenOff: 0 },
    ...{ released: 0, unheard: 0, paid: 0, dropped: 0, missed: 0, statementsLost: 0 },
    ...{ refusals: 0, extended: 0 },
  };
}

/** Adds `other` to `sum`. */
export function addTally(sum: Tally, other: Tally): void {
  for (const key of Object.keys(sum) as (keyof Tally)[]) sum[key] += other[key];
}
