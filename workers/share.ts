/** An endpoint that has attempts in flight, or had lately. */
export interface Share {
  held: number;
  /** Those of them that were begun. */
  asked: number;
  /** Attempts that it may have in flight. */
  most: number;
  /** What the last claim could bring it up to: no more than `most`. */
  granted: number;
  /** When it last answered, or was asked after a rest. */
  heardAt: number;
  answeredAt: number;
}

/** Whoever answered so lately will give its slots back soon. */
const livelyMs = 25;

/** Whether an endpoint answers at this moment, `now` in milliseconds of the same clock. */
export function isLively({ answeredAt }: Share, now: number): boolean {
  return now - answeredAt <= livelyMs;
}
