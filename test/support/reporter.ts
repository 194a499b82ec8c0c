import { appendFileSync } from 'node:fs';
import Mocha from 'mocha';

/** Mocha's spec output; also adds one line `{passed, failed, skipped}` to the file TEST_COUNTS names. */
class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    super(runner, options);
    const file = process.env['TEST_COUNTS'];
    if (file === undefined) return;
    runner.once(Mocha.Runner.constants.EVENT_RUN_END, () => {
      const { passes, failures, pending } = this.stats;
      const counts = { passed: passes, failed: failures, skipped: pending };
      appendFileSync(file, `${JSON.stringify(counts)}\n`);
    });
  }
}

export { CountingReporter as default };
