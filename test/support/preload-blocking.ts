import { existsSync } from 'node:fs';

// For a process of a test: SIGUSR2 blocks its event loop for real, until the file that UNBLOCK names
// exists. Loaded by `--import`.
const file = process.env['UNBLOCK'] ?? '';

process.on('SIGUSR2', () => {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  while (!existsSync(file)) Atomics.wait(cell, 0, 0, 20);
});
