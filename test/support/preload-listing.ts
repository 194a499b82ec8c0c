// A test loads this into a process by `--import`. It writes each loaded module to LOADED_FILE, one per line.
import { appendFileSync } from 'node:fs';
import { createRequire, register } from 'node:module';

register('./preload-load-hooks.js', import.meta.url);

// The hooks do not see require() between CommonJS modules.
const { cache } = createRequire(import.meta.url);
process.on('exit', () =>
  appendFileSync(process.env['LOADED_FILE'] ?? '', `${Object.keys(cache).join('\n')}\n`),
);
