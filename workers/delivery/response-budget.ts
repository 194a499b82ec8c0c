import { Lru } from '../../src/domain/lru.js';

/** A response has at most 4 KiB of headers and 4 KiB of body: at most 800 KiB in an hour. */
const perHour = 100;
/** Endpoints that are counted; one that failed longest ago is forgotten first. */
const maxEndpoints = 10_000;
const hourMs = 3_600_000;

/**
 * Counts the responses that evidence keeps of each endpoint in an hour. A receiver that refuses a long
 * backlog would otherwise fill the disk with the same answer.
 */
export class ResponseBudget {
  readonly #counts = new Lru<{ readonly hour: number; readonly kept: number }>(maxEndpoints);

  /** Whether evidence of an attempt that began `at` this time may keep the response. */
  allows(endpointId: string, at: Date): boolean {
    return this.#keptIn(endpointId, hourOf(at)) < perHour;
  }

  /** Counts a response that is kept. */
  count(endpointId: string, at: Date): void {
    const hour = hourOf(at);
    this.#counts.set(endpointId, { hour, kept: this.#keptIn(endpointId, hour) + 1 });
  }

  #keptIn(endpointId: string, hour: number): number {
    const count = this.#counts.get(endpointId);
    return count?.hour === hour ? count.kept : 0;
  }
}

function hourOf(at: Date): number {
  return Math.floor(at.getTime() / hourMs);
}
