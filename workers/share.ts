/** An endpoint that has attempts in flight, or had lately. */
export interface Share {
  readonly accountId: string;
  held: number;
  /** When those of them began that did, the oldest first. */
  readonly askedAt: number[];
  /** Attempts that it may have in flight. */
  most: number;
  /** What the last claim could bring it up to: no more than `most`. */
  granted: number;
  /** When it last answered, or was asked after a rest. */
  heardAt: number;
  answeredAt: number;
  /** The last claim brought as many of it as it had room for: there may be more. */
  filled: boolean;
  /** Whether its last answer came within {@link promptMs}. */
  prompt: boolean;
}

/** Whoever answered so lately will give its slots back soon. */
const livelyMs = 25;

/** An answer within this time is prompt. */
const promptMs = 1_000;

/** An endpoint that answers nothing for so long is one that has answered none. */
const quietMs = 500;

/** Whether an endpoint answers at this moment, `now` in milliseconds of the same clock. */
export function isLively({ answeredAt }: Share, now: number): boolean {
  return now - answeredAt <= livelyMs;
}

/** Whether an answer that took so long is prompt. */
export function isInTime(durationMs: number): boolean {
  return durationMs <= promptMs;
}

/** Whether it answered its last attempt promptly, and none that it was asked since waits for longer. */
export function isPrompt({ prompt, askedAt: [oldest = Infinity] }: Share, now: number): boolean {
  return prompt && now - oldest <= promptMs;
}

/** Whether it has not answered for a while although it was asked. */
export function isQuiet({ askedAt, heardAt }: Share, now: number): boolean {
  return askedAt.length > 0 && now - heardAt > quietMs;
}

/** Notes an answer to what was asked at `askedAt`. */
export function noteAnswer(share: Share, askedAt: number, now: number): void {
  share.heardAt = now;
  share.answeredAt = now;
  share.prompt = isInTime(now - askedAt);
}
