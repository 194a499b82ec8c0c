/** The phases of an attempt, in order. `rest` is the response after its first byte. */
const phases = ['lookup', 'connect', 'tls', 'firstByte'] as const;

/** A phase of an attempt: its start and its length, in milliseconds. */
interface TimingPhase {
  /** `cut` for the phase in which the attempt failed. */
  readonly name: (typeof phases)[number] | 'rest' | 'cut';
  readonly startMs: number;
  readonly lengthMs: number;
}

/** The durations that the service measured. Null for a phase that did not happen or did not finish. */
export interface Timings {
  readonly lookupMs: number | null;
  readonly connectMs: number | null;
  readonly tlsMs: number | null;
  readonly firstByteMs: number | null;
  readonly totalMs: number | null;
}

/** Puts the phases in a row. Time that no phase explains is the rest, or the phase that failed. */
export function timingPhases(timings: Timings): readonly TimingPhase[] {
  const placed: TimingPhase[] = [];
  let end = 0;

  for (const name of phases) {
    const lengthMs = timings[`${name}Ms`];
    if (lengthMs === null) continue;
    placed.push({ name, startMs: end, lengthMs });
    end += lengthMs;
  }

  const left = (timings.totalMs ?? end) - end;
  if (left > 0) {
    const name = timings.firstByteMs === null ? 'cut' : 'rest';
    placed.push({ name, startMs: end, lengthMs: left });
  }

  return placed;
}

/** A part of the signed text. */
interface SignedPart {
  readonly name: 'id' | 'time' | 'stop' | 'body';
  readonly text: string;
}

/** The two families of signature headers. */
export const families = ['service', 'standard'] as const;

interface Signed {
  readonly eventId: string;
  /** The time in seconds, as the headers carry it. */
  readonly time: string;
  readonly body: string;
}

/** The text that a family signs, split into its parts. */
export function signedParts(
  family: (typeof families)[number],
  { eventId, time, body }: Signed,
): readonly SignedPart[] {
  const stop: SignedPart = { name: 'stop', text: '.' };
  const timed: readonly SignedPart[] = [
    { name: 'time', text: time },
    stop,
    { name: 'body', text: body },
  ];
  return family === 'service' ? timed : [{ name: 'id', text: eventId }, stop, ...timed];
}
