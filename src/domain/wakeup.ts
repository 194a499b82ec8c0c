/**
 * What can be woken: rows that are due, replays somebody waits for, notices, expiring checkouts.
 * A wake-up carries no payload; whoever it wakes looks in PostgreSQL.
 */
export interface Wakeup {
  readonly kind: WakeupKind;
  /** Absent: at once. */
  readonly at?: Date;
}

/** One queue each, so that operators can pause and scale them apart. */
export const wakeupKinds = ['due', 'replay', 'notify', 'expire'] as const;
export type WakeupKind = (typeof wakeupKinds)[number];
