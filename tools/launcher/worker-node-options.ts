/**
 * Options of Node for a worker. The objects of a delivery are garbage within milliseconds, and the
 * default young generation of 16 MiB copies many of them twice. The script `worker` of package.json
 * has the same options.
 */
export const workerNodeOptions: readonly string[] = ['--max-semi-space-size=32'];
