import { stopCluster } from './cluster.js';

/** Ends what the whole test run shares. */
export async function mochaGlobalTeardown(): Promise<void> {
  await stopCluster();
}
