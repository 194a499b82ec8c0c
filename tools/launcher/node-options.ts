/**
 * Options of Node for an API process. With the default young generation of 16 MiB, a busy process
 * pauses fifteen times a second, about 2 ms each. The slowest 1 % of requests wait for that.
 * The script `api` of package.json has the same options.
 */
export const apiNodeOptions: readonly string[] = ['--max-semi-space-size=64'];

/**
 * Options of Node for a worker. The objects of a delivery are garbage within milliseconds, and the
 * default young generation of 16 MiB copies many of them twice. The script `worker` of package.json
 * has the same options.
 */
export const workerNodeOptions: readonly string[] = ['--max-semi-space-size=32'];
