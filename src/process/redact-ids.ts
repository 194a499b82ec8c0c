/**
 * Ids of checkouts and offers. Anyone who knows one can open its page. The random part is cut;
 * prefix and time stay, so that an operator can recognise an id.
 */
const idPattern = /((?:chk|off)_[0-9A-Za-z]{8})[0-9A-Za-z]+/g;

/** Cuts the ids that open pages from a text for the log. */
export function redactIds(text: string): string {
  return text.includes('chk_') || text.includes('off_') ? text.replace(idPattern, '$1…') : text;
}

/** Cuts these ids from the path of a request, also if the client percent-encoded them. */
export function redactPath(path: string): string {
  return redactIds(path.includes('%') ? decodePath(path) : path);
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // A path that cannot be decoded holds no valid id.
    return path;
  }
}
