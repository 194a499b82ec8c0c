// What npm test prints at its end.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';

/** `.ci/run` names a file for each of its runs, some of which run side by side. */
const timesFile = process.env.TEST_TIMES ?? join('dist', 'test-times.tsv');

/** Writes what each file took, hooks included, longest processor time first. */
function writeTimes(files) {
  const rows = files
    .sort((a, b) => b.processorMs - a.processorMs)
    .map(({ file, ms, processorMs, tests }) =>
      [(processorMs / 1_000).toFixed(1), (ms / 1_000).toFixed(1), tests, file].join('\t'),
    );
  writeFileSync(join(root, timesFile), ['processor s\ts\ttests\tfile', ...rows, ''].join('\n'));
  process.stdout.write(`\nThe times of all test files: ${timesFile}\n`);
}

function reportSlowest(tests) {
  process.stdout.write('\nThe slowest tests:\n');
  for (const { ms, file, title } of tests.sort((a, b) => b.ms - a.ms).slice(0, 10)) {
    process.stdout.write(`${(ms / 1_000).toFixed(1).padStart(7)} s  ${file}: ${title}\n`);
  }
}

/**
 * Prints the slowest tests, failures last, and sets the exit code.
 * @param {string} countsFile what `test/support/reporter.ts` wrote
 * @param {{ name: string, output: Buffer }[]} failures the steps that failed
 */
export async function reportTests(countsFile, failures) {
  const lines = existsSync(countsFile) ? readFileSync(countsFile, 'utf8').trim().split('\n') : [];
  const runs = lines.map((line) => JSON.parse(line));
  const total = { passed: 0, failed: 0, skipped: 0 };

  for (const { counts } of runs) {
    for (const key of Object.keys(total)) total[key] += counts[key];
  }

  reportSlowest(runs.flatMap(({ slowest }) => slowest));
  writeTimes(runs.flatMap(({ files }) => files));

  // Compiled by now, unlike when this file is loaded.
  const { processorTimeMs } = await import('../dist/test/support/processor-time.js');
  const [seconds, processor] = [performance.now(), processorTimeMs()].map((ms) => ms / 1_000);
  process.stdout.write(
    `All took ${seconds.toFixed(0)} s and ${processor.toFixed(0)} s of processor time.\n`,
  );

  // Last, so that the end of a long log shows the causes.
  for (const { name, output } of failures) {
    process.stdout.write(`\n== ${name}: FAILED\n`);
    process.stdout.write(output);
  }

  if (failures.length > 0) {
    process.stdout.write(`\nfailed: ${failures.map(({ name }) => name).join(', ')}\n`);
    for (const { title, error } of runs.flatMap(({ failed }) => failed))
      process.stdout.write(`- ${title}\n  ${error.replaceAll('\n', '\n  ')}\n`);
  }

  process.stdout.write(
    `\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`,
  );
  process.exitCode = failures.length > 0 || total.passed === 0 ? 1 : 0;
}
