/**
 * Imported before anything else by the entry of a process: from here to {@link enableSourceMaps} no source
 * maps are kept, if they are enabled at all. Files of ours have theirs by then, because Node reads all
 * modules before it runs the first; what packages bring would be read and held for stack traces that
 * end in them.
 */
const enabled = process.sourceMapsEnabled;
process.setSourceMapsEnabled(false);

/** Has stack traces tell of our sources again, as the process was started to. */
export function enableSourceMaps(): void {
  process.setSourceMapsEnabled(enabled);
}
