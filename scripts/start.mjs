// npm start: prepares, then launches everything.
import { prepare } from './prepare.mjs';

await prepare();
process.setSourceMapsEnabled(true);
const { launch } = await import('../dist/src/launcher/main.js');

// When npm is killed nobody can stop us by Ctrl-C any more: then stop as if asked.
if (process.env.npm_lifecycle_event !== undefined) {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 1_000);
  watch.unref();
}
// A closed pipe, as of `npm start | head`, is no reason to fail.
process.stdout.on('error', () => undefined);
process.exit(await launch());
