// A test loads this into a process by `--import`. SIGUSR2 then causes an uncaught exception.
process.on('SIGUSR2', () =>
  setImmediate(() => {
    throw new Error('thrown where nobody catches');
  }),
);
