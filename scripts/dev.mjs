// npm run dev: runs npm start, and restarts API and worker when a source file changes. PostgreSQL runs on.
import { exitWithNpm } from './npm.mjs';
import { prepare } from './prepare.mjs';
import { watch } from './watch.mjs';

exitWithNpm();
await prepare({ tests: true });
process.setSourceMapsEnabled(true);
const { launch } = await import('../dist/tools/launcher/main.js');

const onServing = (restart) => {
  let first = true;
  let restarting = Promise.resolve();
  void watch('tsconfig.build.json', () => {
    if (first) {
      first = false;
      process.stdout.write('Watching src, workers and tools.\n');
      return;
    }
    restarting = restarting.then(async () => {
      const begin = performance.now();
      await restart();
      process.stdout.write(`Restarted in ${((performance.now() - begin) / 1_000).toFixed(1)} s.\n`);
    });
  });
};
process.exit(await launch({ onServing }));
