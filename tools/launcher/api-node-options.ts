/**
 * How Node is started for an API process: with the default young generation of 16 MiB it stops for it
 * fifteen times a second when it is busy, for about two milliseconds each, which the slowest of a
 * hundred requests wait for. `npm run api` says the same.
 */
export const apiNodeOptions: readonly string[] = ['--max-semi-space-size=64'];
