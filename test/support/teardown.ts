type Stop = () => Promise<void>;

const stops: Stop[] = [];

/** Runs `stop` after all tests, before what was registered earlier. */
export function afterAllTests(stop: Stop): void {
  stops.unshift(stop);
}

/** Stops everything that {@link afterAllTests} registered. */
export async function stopEverything(): Promise<void> {
  for (const stop of stops) await stop();
}
