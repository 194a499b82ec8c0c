// For a process of a test: SIGUSR2 makes it throw where nobody catches. Loaded by `--import`.
process.on('SIGUSR2', () =>
  setImmediate(() => {
    throw new Error('thrown where nobody catches');
  }),
);
