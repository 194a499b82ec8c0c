/** A part of the text that is signed. */
export interface SignedPart {
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

/** The text that a family signs, part by part. Together the parts are that text. */
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
