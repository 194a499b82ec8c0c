/** Returns the environment that loads a module of `test/support` before a process of the service starts. */
export function preloaded(
  module:
    | 'preload-blocking'
    | 'preload-listing'
    | 'preload-name-server'
    | 'preload-shifted-clock'
    | 'preload-throwing',
): Record<string, string> {
  return { NODE_OPTIONS: `--import=${new URL(`./${module}.js`, import.meta.url).href}` };
}
