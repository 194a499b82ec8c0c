import { type Clock, delay } from '../process/clock.js';
import type { SendTime, SendTimes } from './send-times.js';

/** The request could not be sent at any send time that was near enough. It was not sent. */
export class SendTimeMissed extends Error {
  override readonly name = 'SendTimeMissed';

  constructor() {
    super('The request missed its send time.');
  }
}

export interface SendGateOptions {
  readonly times: Pick<SendTimes, 'reserve'>;
  readonly clock: Clock;
  readonly endpointId: string;
  /** Undefined to reserve one when the connection is open. */
  readonly time: SendTime | undefined;
  /**
   * The gate closes then, in milliseconds of the clock: the lease must outlast the attempt. The time
   * that connecting took comes on top, because it counts towards the timeout of the attempt.
   */
  readonly closesAt: number;
  /** Called with how long look-up, connect and TLS took. */
  readonly onReady: (tookMs: number) => void;
  /** Called when the endpoint has no send time near enough, with the time to ask again. */
  readonly onRefused: (retryAt: number) => void;
}

/**
 * Makes the gate of one request, which opens at its send time. A request that comes too late gets
 * another send time, on the connection it has: a process that hung must not send a bunch, and a
 * receiver to which connecting takes long must get its requests.
 */
export function createSendGate(options: SendGateOptions): () => Promise<void> {
  const { times, clock, endpointId, onReady, onRefused } = options;
  const startedAt = clock.now();
  let { time, closesAt } = options;
  let ready = false;
  return async () => {
    if (!ready) {
      const tookMs = clock.now() - startedAt;
      onReady(tookMs);
      closesAt += tookMs;
    }
    ready = true;
    for (;;) {
      const now = clock.now();
      if (time && time.at <= now && now <= time.until) return;
      if (!time || now > time.until) {
        if (now > closesAt) throw new SendTimeMissed();
        const answer = (await times.reserve(new Map([[endpointId, 1]]))).get(endpointId);
        [time] = answer?.times ?? [];
        if (!time) {
          if (answer) onRefused(answer.retryAt);
          throw new SendTimeMissed();
        }
      } else {
        if (time.at > closesAt) throw new SendTimeMissed();
        await delay(clock, Math.ceil(time.at - now));
      }
    }
  };
}
