/** The exit codes of every command; 0 means done. */
export const exitCodes = {
  refused: 1,
  usage: 2,
  notSignedIn: 3,
  unreachable: 4,
  gap: 5,
  interrupted: 130,
} as const;

/** An error that the user can act on: printed without a stack, and its data escaped. */
export class Failure extends Error {
  readonly lines: readonly string[];

  /** @param text its line, or its lines */
  constructor(
    text: string | readonly string[],
    readonly exitCode: number = exitCodes.refused,
    options?: ErrorOptions,
  ) {
    const lines = typeof text === 'string' ? [text] : text;
    super(lines.join('\n'), options);
    this.lines = lines;
  }
}
