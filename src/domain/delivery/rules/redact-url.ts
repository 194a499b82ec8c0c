const parameter = /([?&#;])([^=?&#;]*)=([^?&#;]*)/g;
const secretName =
  /token|secret|passw|pwd|api[-_.]?key|(^|[-_.])key$|(^|[-_.])sig$|signature|auth|credential|session|jwt|^code$/i;

/**
 * Replaces what a URL holds to prove who calls: user information, and the values of query
 * parameters with names such as `token`, `api_key` and `sig`. The text may also be relative.
 */
export function redactUrl(url: string): string {
  return url
    .replace(/^([a-z][a-z\d+.-]*:)?\/\/[^/?#]*@/i, '$1//')
    .replace(parameter, (whole, before: string, name: string) =>
      secretName.test(decoded(name)) ? `${before}${name}=***` : whole,
    );
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
