/** In the memory of the page only: where the browser keeps no cookie in the page of another site. */
let token: string | undefined;

/** Sends a token with each request from now on; undefined for none. */
export function setPageToken(given: string | undefined): void {
  token = given;
}

/** The header that proves the session without a cookie. */
export function pageTokenHeader(): Readonly<Record<string, string>> {
  return token === undefined ? {} : { 'Signalpost-Portal-Token': token };
}

/** Whether the session is this page's own; else tabs have it in common, by the cookie. */
export function hasPageToken(): boolean {
  return token !== undefined;
}
