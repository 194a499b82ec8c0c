/** Blocks this thread, as a process that gets no processor stands still: no timer and no socket runs. */
export function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
