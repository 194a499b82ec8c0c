/** A signal that Ctrl-C aborts once. A second Ctrl-C ends the process at once. */
export function onInterrupt(): AbortSignal {
  const interrupted = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(name, () => interrupted.abort());
  }
  return interrupted.signal;
}
