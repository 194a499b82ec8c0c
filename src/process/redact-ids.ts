/**
 * Ids of checkouts and offers: whoever knows one can open its page. What is cut off is the part that
 * nobody guesses; prefix and time stay, so that an operator recognises one.
 */
const idPattern = /((?:chk|off)_[0-9A-Za-z]{8})[0-9A-Za-z]+/g;

/** The text as the log may show it, with the ids that open pages cut. */
export function redactIds(text: string): string {
  return text.includes('chk_') || text.includes('off_') ? text.replace(idPattern, '$1…') : text;
}

/** The path of a request as the log may show it, however the client has encoded an id. */
export function redactPath(path: string): string {
  return redactIds(path.includes('%') ? decodePath(path) : path);
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // What cannot be decoded is no id.
    return path;
  }
}
