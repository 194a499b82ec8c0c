import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import Mocha from 'mocha';

const shownTests = 10;
const shownCharacters = 500;

/**
 * Mocha's spec reporter. Also appends a line of JSON to the file named by TEST_COUNTS: the numbers of
 * passed, failed and skipped tests, the slowest ones, and what failed.
 */
class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    super(runner, options);
    const file = process.env['TEST_COUNTS'];
    if (file === undefined) return;
    const tests: { ms: number; file: string; title: string }[] = [];
    const failed: { title: string; error: string }[] = [];
    runner.on(Mocha.Runner.constants.EVENT_TEST_FAIL, (test: Mocha.Test, error: Error) => {
      failed.push({ title: test.fullTitle(), error: error.message.slice(0, shownCharacters) });
    });
    runner.on(Mocha.Runner.constants.EVENT_TEST_END, (test: Mocha.Test) => {
      const path = relative('dist', test.file ?? '').replace(/\.js$/, '.ts');
      tests.push({ ms: test.duration ?? 0, file: path, title: test.fullTitle() });
    });
    runner.once(Mocha.Runner.constants.EVENT_RUN_END, () => {
      const { passes, failures, pending } = this.stats;
      const counts = { passed: passes, failed: failures, skipped: pending };
      const slowest = tests.sort((a, b) => b.ms - a.ms).slice(0, shownTests);
      appendFileSync(file, `${JSON.stringify({ counts, slowest, failed })}\n`);
    });
  }
}

export { CountingReporter as default };
