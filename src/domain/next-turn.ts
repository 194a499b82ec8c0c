/** Waits for the next turn of the event loop, so that other work of the process can run. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
