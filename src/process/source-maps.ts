/**
 * Import this first in the entry of a process. From here until {@link enableSourceMaps} Node keeps
 * no source maps. Ours are loaded by then, because Node reads all modules before it runs the first.
 * The maps of packages would only cost memory.
 */
const enabled = process.sourceMapsEnabled;
process.setSourceMapsEnabled(false);

/** Restores source maps, if the process was started with them. */
export function enableSourceMaps(): void {
  process.setSourceMapsEnabled(enabled);
}
