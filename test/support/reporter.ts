import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import Mocha from 'mocha';
import { processorTimeMs } from './processor-time.js';

const shownTests = 10;
const shownCharacters = 500;

/** The times that a test file took, with its hooks. */
interface FileTimes {
  ms: number;
  processorMs: number;
  tests: number;
}

/**
 * Mocha's spec reporter. Also appends a line of JSON to the file named by TEST_COUNTS: the numbers of
 * passed, failed and skipped tests, the slowest ones, the times of each file, and what failed.
 */
class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    super(runner, options);

    const file = process.env['TEST_COUNTS'];
    if (file === undefined) return;

    const tests: { ms: number; file: string; title: string }[] = [];
    const failed: { title: string; error: string }[] = [];
    const files = measureFiles(runner);

    runner.on(Mocha.Runner.constants.EVENT_TEST_FAIL, (test: Mocha.Test, error: Error) => {
      failed.push({ title: test.fullTitle(), error: error.message.slice(0, shownCharacters) });
    });
    runner.on(Mocha.Runner.constants.EVENT_TEST_END, (test: Mocha.Test) => {
      tests.push({ ms: test.duration ?? 0, file: sourceOf(test.file), title: test.fullTitle() });
    });

    runner.once(Mocha.Runner.constants.EVENT_RUN_END, () => {
      const { passes, failures, pending } = this.stats;
      const counts = { passed: passes, failed: failures, skipped: pending };
      const slowest = tests.sort((a, b) => b.ms - a.ms).slice(0, shownTests);
      const times = [...files].map(([path, time]) => ({ file: path, ...time }));
      appendFileSync(file, `${JSON.stringify({ counts, slowest, files: times, failed })}\n`);
    });
  }
}

/** Measures each file from the first line of each outermost suite to its last hook. */
function measureFiles(runner: Mocha.Runner): Map<string, FileTimes> {
  const files = new Map<string, FileTimes>();
  let begin = { ms: performance.now(), processorMs: 0 };
  const timesOf = (path: string) => {
    const times = files.get(path) ?? { ms: 0, processorMs: 0, tests: 0 };
    files.set(path, times);
    return times;
  };

  // Not all tests of a suite run: `--grep` chooses.
  runner.on(Mocha.Runner.constants.EVENT_TEST_END, ({ file }: Mocha.Test) => {
    timesOf(sourceOf(file)).tests += 1;
  });

  runner.on(Mocha.Runner.constants.EVENT_SUITE_BEGIN, (suite: Mocha.Suite) => {
    if (!suite.parent?.root) return;
    begin = { ms: performance.now(), processorMs: processorTimeMs() };
  });

  runner.on(Mocha.Runner.constants.EVENT_SUITE_END, (suite: Mocha.Suite) => {
    if (!suite.parent?.root) return;
    const sum = timesOf(sourceOf(suite.file));
    sum.ms += performance.now() - begin.ms;
    sum.processorMs += processorTimeMs() - begin.processorMs;
  });

  return files;
}

function sourceOf(file: string | undefined): string {
  return relative('dist', file ?? '').replace(/\.js$/, '.ts');
}

export { CountingReporter as default };
