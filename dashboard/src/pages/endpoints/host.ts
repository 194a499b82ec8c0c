/** The host of a URL, or the whole text where there is none. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/** Host and path of a URL, or the whole text where there is none. */
export function hostAndPath(url: string): string {
  return URL.canParse(url) ? `${hostOf(url)}${new URL(url).pathname}` : url;
}
