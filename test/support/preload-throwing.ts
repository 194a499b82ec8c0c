// Loaded by `--import` into a process of a test. SIGUSR2 causes an uncaught exception.
process.on('SIGUSR2', () =>
  setImmediate(() => {
    throw new Error('thrown where nobody catches');
  }),
);
