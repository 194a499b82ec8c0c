import { existsSync } from 'node:fs';

// For a process of a test: SIGUSR2 blocks its event loop for real, until the file that UNBLOCK names
// exists, a minute at most. Loaded by `--import`.
const file = process.env['UNBLOCK'] ?? '';

process.on('SIGUSR2', () => {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  // A test that failed makes no file, and must not leave a process behind.
  const end = performance.now() + 60_000;
  while (!existsSync(file) && performance.now() < end) Atomics.wait(cell, 0, 0, 20);
});
