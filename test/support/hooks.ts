import { stopCluster } from './cluster.js';
import { stopSharedService } from './service.js';

/** How long a run may go on when its tests are over and everything shared has ended. */
const exitTimeoutMs = 10_000;

/** Ends what the whole test run shares; a run that something keeps from ending fails and names it. */
export async function mochaGlobalTeardown(): Promise<void> {
  await stopSharedService();
  await stopCluster();
  setTimeout(() => {
    const activeResources = process.getActiveResourcesInfo().join(', ');
    process.stderr.write(
      `The tests are over, and these keep the run from ending: ${activeResources}\n`,
    );
    // After mocha's own listener, which would make it the number of failed tests again.
    process.once('exit', () => (process.exitCode = 1));
    process.exit();
  }, exitTimeoutMs).unref();
}
