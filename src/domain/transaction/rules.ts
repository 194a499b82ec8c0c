import type { PrivateTargets } from '../values/private-targets.js';
import type { Sealer } from '../values/sealer.js';

/** When the service retries an attempt, and when it disables an endpoint that keeps failing. */
export interface RetryPolicy {
  /** Delays before attempts 2, 3, …; a pending delivery has one attempt more than delays. */
  readonly delaysMs: readonly number[];
  /** The delays of other schedules, by name, of which an endpoint may choose one. */
  readonly otherDelaysMs: ReadonlyMap<string, readonly number[]>;
  /** The largest random change of a delay, as a fraction of it: 0.1 means ±10 %. */
  readonly jitter: number;
  readonly disableAfterMs: number;
  readonly disableAfterFailures: number;
}

type Schedules = Pick<RetryPolicy, 'delaysMs' | 'otherDelaysMs'>;

/** A schedule that an endpoint may choose. */
export interface RetrySchedule {
  readonly name: string;
  readonly delaysSeconds: readonly number[];
}

/** The schedule of endpoints that have chosen none. */
export const defaultSchedule = 'default';

/** The schedules that an endpoint may choose, the default one first. */
export function retrySchedules({ delaysMs, otherDelaysMs }: Schedules): RetrySchedule[] {
  return [[defaultSchedule, delaysMs] as const, ...otherDelaysMs].map(([name, delays]) => ({
    name,
    delaysSeconds: delays.map((delayMs) => delayMs / 1_000),
  }));
}

/** The schedule that is in force for an endpoint: the default one for null, and for a name that the settings lack. */
export function scheduleOf(schedules: Schedules, chosen: string | null): RetrySchedule {
  const all = retrySchedules(schedules);
  const [byDefault] = all as [RetrySchedule];
  return all.find(({ name }) => name === chosen) ?? byDefault;
}

/** The delays of {@link scheduleOf}, in milliseconds. */
export function delaysOf(
  { delaysMs, otherDelaysMs }: Schedules,
  chosen: string | null,
): readonly number[] {
  return (chosen === null ? undefined : otherDelaysMs.get(chosen)) ?? delaysMs;
}

/** How many attempts a delivery has under {@link scheduleOf}. */
export function attemptsOf(schedules: Schedules, chosen: string | null): number {
  return delaysOf(schedules, chosen).length + 1;
}

/** The first key signs. Every key verifies, so that signatures outlive a change of keys. */
export type SigningKeys = readonly [Buffer, ...Buffer[]];

/** The settings that the domain uses; one value per process. */
export interface DomainRules {
  readonly sealer: Sealer;
  readonly privateTargets: PrivateTargets;
  /** These keys sign list cursors. */
  readonly cursorKeys: SigningKeys;
  /** These keys sign URLs that need no credential. */
  readonly linkKeys: SigningKeys;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly retry: RetryPolicy;
  /** The account that gets the events about endpoints of all accounts; undefined for none. */
  readonly operatorAccount: string | undefined;
  /** At most this many endpoints per account. */
  readonly endpointsPerAccount: number;
  /** Whether members sign in at the OpenID provider only: links that are mailed or printed open nothing. */
  readonly signInByProviderOnly: boolean;
  /** Returns a number of at least 0 and below 1; only for jitter, since it need not be secure. */
  readonly random: () => number;
}

/** Why the service disabled an endpoint. */
export type DisabledReason = (typeof disabledReasons)[number];
export const disabledReasons = ['consecutive_failures', 'receiver_gone'] as const;
