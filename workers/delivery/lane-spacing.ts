import type { Lane } from '../../src/domain/delivery/claim.js';
import type { Clock } from '../process/clock.js';

/** How a lane spreads its work over time. */
export interface LaneSpacing {
  /** Pause between two claims of a busy lane, so that one claim fills several slots. */
  readonly claimMs: number;
  /** Pause between the starts of two attempts; 0 for none. */
  readonly startMs: number;
}

/** A claim takes what is due at once, and its attempts start together. */
const eager: LaneSpacing = { claimMs: 1, startMs: 0 };

/**
 * Live deliveries and replays wait for each claim that PostgreSQL executes and for each attempt that
 * starts before theirs. With ten deliveries in a claim this is enough for 500 a second.
 */
const gentle: LaneSpacing = { claimMs: 10, startMs: 1 };

/** The spacing of a lane. */
export const spacingOf = (lane: Lane): LaneSpacing => (lane === 'recovery' ? gentle : eager);

/** Keeps the pause of a lane between the starts of two attempts. */
export class StartSpacer {
  readonly #startMs: number;
  readonly #clock: Clock;
  readonly #onTurn: () => void;
  #isWaiting = false;

  /** @param onTurn called when the next attempt may start */
  constructor(lane: Lane, clock: Clock, onTurn: () => void) {
    this.#startMs = spacingOf(lane).startMs;
    this.#clock = clock;
    this.#onTurn = onTurn;
  }

  /** Whether an attempt may start now. */
  get mayStart(): boolean {
    return !this.#isWaiting;
  }

  /** Notes that an attempt starts. */
  started(): void {
    if (this.#startMs === 0) return;
    this.#isWaiting = true;
    this.#clock.after(this.#startMs, () => {
      this.#isWaiting = false;
      this.#onTurn();
    });
  }
}
