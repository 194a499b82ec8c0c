/** The exit codes of all commands; 0 is success. */
export const exitCodes = {
  refused: 1,
  usage: 2,
  notSignedIn: 3,
  unreachable: 4,
  gap: 5,
  interrupted: 130,
} as const;

/** An error that the user can act on; `main.ts` prints it escaped and without a stack. */
export class Failure extends Error {
  readonly lines: readonly string[];

  /** @param text one line, or several */
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
