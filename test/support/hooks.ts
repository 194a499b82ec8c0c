import { stopCluster } from './cluster.js';
import { stopSharedService } from './service.js';

/** Ends what the whole test run shares. */
export async function mochaGlobalTeardown(): Promise<void> {
  await stopSharedService();
  await stopCluster();
}
