// For a process of a test: writes what it has loaded to LOADED_FILE, a line each. Loaded by `--import`.
import { appendFileSync } from 'node:fs';
import { createRequire, register } from 'node:module';

register('./preload-load-hooks.js', import.meta.url);

// What CommonJS modules require of each other passes by the hooks.
const { cache } = createRequire(import.meta.url);
process.on('exit', () =>
  appendFileSync(process.env['LOADED_FILE'] ?? '', `${Object.keys(cache).join('\n')}\n`),
);
