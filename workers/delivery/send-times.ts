import type { Lane } from '../../src/domain/delivery/claim.js';
import type {
  ReservedSendTimes,
  WantedSendTimes,
} from '../../src/domain/delivery/sql/reserve-send-times.js';
import { ClockBounds } from '../process/clock-bounds.js';
import type { Clock } from '../process/clock.js';

/** When one request may be sent to an endpoint with a rate limit, in milliseconds of the clock. */
export interface SendTime {
  /** Not before. */
  readonly at: number;
  /** Not after. */
  readonly until: number;
}

/** The send times of one endpoint. */
export interface SendTimesOfEndpoint {
  readonly times: readonly SendTime[];
  /** When it is worth asking for more. */
  readonly retryAt: number;
}

export interface SendTimesOptions {
  /** Reserves in PostgreSQL, at most `aheadMs` ahead. */
  readonly reserve: (
    wanted: readonly WantedSendTimes[],
    aheadMs: number,
  ) => Promise<readonly ReservedSendTimes[]>;
  readonly lane: Lane;
  readonly clock: Clock;
  /** At least 0, below 1; keeps processes out of step. */
  readonly random: () => number;
}

/**
 * How far ahead each lane reserves. A replay finds a time beyond those of all live deliveries. A
 * recovery finds none while the live ones of even one process wait.
 */
const aheadMs: Readonly<Record<Lane, number>> = {
  isolated: 1_250,
  replay: 1_250,
  live: 1_000,
  recovery: 100,
};

/**
 * A request is sent at most this late. A tenth of a second of lateness would be a burst of a tenth of
 * the rate. The other half is for what delays requests on their way.
 */
const toleranceMs = 50;

/** For an endpoint that was purged, or when PostgreSQL does not answer. */
const retryAfterMs = 1_000;

/**
 * Claims of one endpoint that wait for their send times in one lane, at most: those of 250 ms. Claims
 * are made when half of them are left, so live ones always cover what a recovery reserves ahead.
 */
export function maxWaitingOf(perSecond: number): number {
  return Math.ceil(perSecond / 4);
}

/** Reserves send times, and tells them in the time of this process. */
export class SendTimes {
  readonly #options: SendTimesOptions;
  readonly #bounds = new ClockBounds();

  constructor(options: SendTimesOptions) {
    this.#options = options;
  }

  /**
   * Reserves send times of endpoints.
   * @param wanted how many, by endpoint
   * @throws what the statement throws
   */
  async reserve(
    wanted: ReadonlyMap<string, number>,
  ): Promise<ReadonlyMap<string, SendTimesOfEndpoint>> {
    const { reserve, lane, clock } = this.#options;
    const ids = [...wanted.keys()].sort();
    const sentAt = clock.now();
    const reserved = await reserve(
      ids.map((endpointId) => ({ endpointId, count: wanted.get(endpointId) ?? 0 })),
      aheadMs[lane],
    );
    const answeredAt = clock.now();
    for (const { nowMs } of reserved) this.#bounds.note(nowMs, sentAt, answeredAt);
    const answers = new Map(ids.map((id) => [id, this.#refusal(answeredAt)]));
    for (const each of reserved) {
      const { endpointId, count, firstMs, stepMs } = each;
      const times = Array.from({ length: count }, (_, index) => {
        const { earliest, latest } = this.#bounds.of(firstMs + index * stepMs);
        return { at: latest, until: earliest + toleranceMs };
      });
      answers.set(endpointId, { times, retryAt: answeredAt + this.#retryMs(each) });
    }
    return answers;
  }

  #refusal(now: number): SendTimesOfEndpoint {
    return { times: [], retryAt: now + retryAfterMs };
  }

  /** Later than the first that is free, so that a claim then gets several and processes take turns. */
  #retryMs({ count, firstMs, stepMs, nowMs }: ReservedSendTimes): number {
    const { lane, random } = this.#options;
    const freeMs = Math.max(0, firstMs - nowMs + count * stepMs - aheadMs[lane]);
    const steps = stepMs === 0 ? 0 : maxWaitingOf(1_000 / stepMs);
    return freeMs + ((1 + random()) / 2) * Math.min(steps * stepMs, aheadMs[lane] / 2);
  }
}
