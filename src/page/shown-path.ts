/** What is logged of an id that opens a page to whoever knows it: its prefix and its time. */
const shownLength = 12;

/** The path of a page whose address is its secret, as the log may show it. */
export function shownPath(path: string): string {
  const [, folder = '', id = '', rest = ''] = /^\/(\w+)\/([^/]*)(.*)$/.exec(path) ?? [];
  return `/${folder}/${id.length > shownLength ? `${id.slice(0, shownLength)}…` : id}${rest}`;
}
