import type { WantedSendTimes } from '../../src/domain/delivery/send-times.js';

/** Reserves send times of one endpoint as the statement does. */
export class SendTimesInMemory {
  #nextMs = 0;

  /** @param now milliseconds of PostgreSQL's clock */
  constructor(
    private readonly now: () => number,
    public perSecond: number,
  ) {}

  reserve = (wanted: readonly WantedSendTimes[], aheadMs: number) => {
    const nowMs = this.now();
    const stepMs = 1_000 / this.perSecond;
    return Promise.resolve(
      wanted.map(({ endpointId, count: most }) => {
        const firstMs = Math.max(nowMs, this.#nextMs);
        const free = 1 + Math.floor((nowMs + aheadMs - firstMs) / stepMs);
        const count = Math.max(0, Math.min(most, free));
        if (count > 0) this.#nextMs = firstMs + count * stepMs;
        return { endpointId, count, firstMs, stepMs, nowMs };
      }),
    );
  };
}
