import { provideEventSchemas } from '../../src/process/open-database.js';
import { stopEverything } from './teardown.js';

// Does what --enable-source-maps does; with that option, mocha would start a second process.
process.setSourceMapsEnabled(true);
provideEventSchemas();

/** The time in which the process must exit after all tests. */
const exitTimeoutMs = 30_000;

/** Stops everything shared. A run that does not exit then fails and names the open resources. */
export async function mochaGlobalTeardown(): Promise<void> {
  await stopEverything();
  setTimeout(() => {
    const activeResources = process.getActiveResourcesInfo().join(', ');
    process.stderr.write(
      `All tests are done, but open resources keep the process alive: ${activeResources}\n`,
    );
    // Runs after mocha's own listener, which sets the exit code to the number of failed tests.
    process.once('exit', () => (process.exitCode = 1));
    process.exit();
  }, exitTimeoutMs).unref();
}
