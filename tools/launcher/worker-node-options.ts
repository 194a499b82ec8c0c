/**
 * How Node is started for a worker: what one delivery leaves behind is garbage within milliseconds,
 * and the default young generation of 16 MiB moves much of it twice. `npm run worker` says the same.
 */
export const workerNodeOptions: readonly string[] = ['--max-semi-space-size=32'];
