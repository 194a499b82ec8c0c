/** Lets other work of the process have its turn of the event loop. It takes no time if there is none. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
