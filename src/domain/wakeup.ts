/**
 * A hint to workers that rows are due. It carries no ids: the worker finds the rows in PostgreSQL.
 */
export interface Wakeup {
  readonly kind: WakeupKind;
  /** Defaults to at once. */
  readonly at?: Date;
  /** Whether the commit has signalled, so only the job that keeps the wake-up is missing. */
  readonly signalled?: boolean;
}

/**
 * Due pending deliveries, replays that a client waits for, notices, expiring checkouts. Each kind has a
 * queue of its own, so that operators can pause and scale them separately.
 */
export const wakeupKinds = ['due', 'replay', 'notify', 'expire'] as const;
export type WakeupKind = (typeof wakeupKinds)[number];

/** The channel of PostgreSQL on which workers hear signals of `kind`, wherever the queue is. */
export const channelOf = (kind: WakeupKind): string => `signalpost_wake_${kind}`;
