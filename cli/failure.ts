/** The exit codes of every command; 0 means done. */
export const exitCodes = {
  refused: 1,
  usage: 2,
  notSignedIn: 3,
  unreachable: 4,
  gap: 5,
  interrupted: 130,
} as const;

/** An error that the user can act on: printed without a stack. */
export class Failure extends Error {
  constructor(
    message: string,
    readonly exitCode: number = exitCodes.refused,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
