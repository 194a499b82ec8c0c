import { existsSync, writeFileSync } from 'node:fs';

// A test loads this into a process by `--import`. SIGUSR2 blocks the event loop of the process until the file named
// by UNBLOCK exists, at most 60 s. The file of that name with `.blocked` says that it blocks.
const file = process.env['UNBLOCK'] ?? '';

process.on('SIGUSR2', () => {
  writeFileSync(`${file}.blocked`, '');
  const cell = new Int32Array(new SharedArrayBuffer(4));
  // The limit, because a failed test creates no file and must not leave a process behind.
  const end = performance.now() + 60_000;
  while (!existsSync(file) && performance.now() < end) Atomics.wait(cell, 0, 0, 20);
});
