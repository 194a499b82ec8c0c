// npm start: prepares, then launches everything.
import { readFileSync } from 'node:fs';
import { prepare } from './prepare.mjs';

const isRunByNpm = process.env.npm_lifecycle_event !== undefined;
const begunBelow = ancestors();

await prepare();
process.setSourceMapsEnabled(true);
const { launch } = await import('../dist/src/launcher/main.js');

// When npm is killed nobody can stop us by Ctrl-C any more: then stop as if asked.
if (isRunByNpm) {
  const watch = setInterval(() => {
    if (ancestors() === begunBelow) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 1_000);
  watch.unref();
}
// A closed pipe, as of `npm start | head`, is no reason to fail.
process.stdout.on('error', () => undefined);
process.exit(await launch());

/** Our parent, and npm above it where npm runs us through a shell; changes when one of them ends. */
function ancestors() {
  const parent = process.ppid;
  const isShell = read(`/proc/${parent}/cmdline`).includes('scripts/start.mjs');
  const above = isShell ? /^PPid:\s+(\d+)/m.exec(read(`/proc/${parent}/status`))?.[1] : '';
  return `${parent} ${above}`;
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // There is no /proc, or the process ended.
    return '';
  }
}
