// npm run soak: long fault-injection tests. Needs what `npm test` needs.
//   --minutes <n>   minutes of each fault on each queue; defaults to 1
//   --only <words>  only files of test/fault whose name contains these words
//   --seed <n>      repeats the random choices of an earlier run
//   --previous <commit>  only runs that version beside this one, with its packages from the registry
//   --json          prints one JSON value as the last line of standard output
import { execFileSync, spawn } from 'node:child_process';
import { Console } from 'node:console';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { prepare, root } from './prepare.mjs';

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    seed: { type: 'string' },
    previous: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
/** With --json, progress goes to standard error. */
const output = new Console(options.json ? process.stderr : process.stdout);
const soakMs = Number(options.minutes) * 60_000;
if (!(soakMs > 0)) throw new Error('--minutes must be greater than 0');

await prepare({ tests: true });
const work = mkdtempSync(join(tmpdir(), 'signalpost-soak-'));
const previous = join(work, 'previous');
try {
  if (options.previous !== undefined) build(options.previous);
  const files =
    options.previous !== undefined
      ? ['two-versions']
      : readdirSync(join(root, 'test', 'fault'))
          .map((file) => file.replace(/\.test\.ts$/, ''))
          .filter((name) => injectsFaults(name) && name.includes(options.only))
          .sort();
  if (files.length === 0)
    throw new Error(
      `No file of test/fault with fault injection has "${options.only}" in its name.`,
    );
  const rows = [];
  for (const name of files) rows.push(...(await soak(name)));
  summarize(rows);
} finally {
  if (existsSync(previous)) {
    execFileSync('git', ['worktree', 'remove', '--force', previous], { cwd: root });
  }
  rmSync(work, { recursive: true, force: true });
}

/** Checks out and builds another version. */
function build(commit) {
  output.log(`${commit} …`);
  const run = (cwd, program, ...args) =>
    execFileSync(program, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  run(root, 'git', 'worktree', 'add', '--force', '--detach', previous, commit);
  run(previous, 'npm', 'ci', '--no-audit', '--no-fund');
  run(previous, process.execPath, join('scripts', 'prepare.mjs'));
}

/** Other fault tests inject one fault only, so they cannot run for longer. */
function injectsFaults(name) {
  return readFileSync(join(root, 'test', 'fault', `${name}.test.ts`), 'utf8').includes(
    'new FaultInjection(',
  );
}

/** Runs one file. @returns the lines of its ledger */
async function soak(name) {
  const stream = join(work, name);
  const startedAt = performance.now();

  output.log(`${name} …`);

  const child = spawn(
    join(root, 'node_modules', '.bin', 'mocha'),
    [join('dist', 'test', 'fault', `${name}.test.js`)],
    {
      cwd: root,
      env: {
        ...process.env,
        SOAK_MS: String(soakMs),
        LEDGER: stream,
        ...(options.previous !== undefined && { PREVIOUS_BUILD: join(previous, 'dist') }),
        ...(options.seed !== undefined && { SEED: options.seed }),
      },
      stdio: ['ignore', 'pipe', 2],
    },
  );

  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.trim() !== '') output.log(line);
  });

  const code = await new Promise((resolve) => child.once('close', resolve));
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  output.log(`${name}: ${code === 0 ? 'ok' : 'FAILED'} (${seconds} s)`);

  const lines = existsSync(stream) ? readFileSync(stream, 'utf8').trim().split('\n') : [];
  if (code !== 0) process.exitCode = 1;

  return lines.map((line) => ({ name, ok: code === 0, ...JSON.parse(line) }));
}

function summarize(rows) {
  const figures = ['injected', 'acked', 'received', 'lost', 'deadLettered', 'duplicates'];
  output.table(rows, ['title', 'queue', ...figures]);
  const lost = rows.reduce((sum, row) => sum + (row.lost ?? 0), 0);
  output.log(`\nlost in total: ${lost}${process.exitCode ? '; FAILED, see above' : ''}`);
  if (options.json) process.stdout.write(`${JSON.stringify({ minutes: soakMs / 60_000, rows })}\n`);
}
