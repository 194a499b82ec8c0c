/**
 * Ids of checkouts and offers: whoever knows one can open its page. What is cut off is the part that
 * nobody guesses; prefix and time stay, so that an operator recognises one.
 */
const opening = /((?:chk|off)_[0-9A-Za-z]{8})[0-9A-Za-z]+/g;

/** The text as the log may show it, with the ids that open pages cut. */
export function shownIds(text: string): string {
  return text.includes('chk_') || text.includes('off_') ? text.replace(opening, '$1…') : text;
}

/** The path of a request as the log may show it, however the client has encoded an id. */
export function shownPath(path: string): string {
  return shownIds(path.includes('%') ? decoded(path) : path);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // What cannot be decoded is no id.
    return path;
  }
}
