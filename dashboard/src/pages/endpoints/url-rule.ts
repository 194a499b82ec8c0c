/** What the form can see in a URL while someone types; the service validates it in full. */
export type UrlIssue =
  | 'scheme'
  | 'space'
  | 'host'
  | 'userInfo'
  | 'fragment'
  | 'tooLong'
  | 'invalid';

const maxLength = 2_048;

/**
 * Returns what is wrong with the URL of an endpoint, undefined for nothing. Refuses nothing that the
 * service accepts.
 */
export function urlIssue(url: string): UrlIssue | undefined {
  if (!url.startsWith('https://')) return 'scheme';
  if (Array.from(url).length > maxLength) return 'tooLong';
  const rest = url.slice('https://'.length);
  if (/[\p{Cc}\p{Z}]/u.test(rest)) return 'space';
  const [authority = ''] = rest.split(/[/\\?#]/);
  if (authority === '') return 'host';
  if (authority.includes('@')) return 'userInfo';
  if (rest.includes('#')) return 'fragment';
  return URL.canParse(url) ? undefined : 'invalid';
}

/** True while `text` may still become a URL that starts with https://. */
export function mayBecomeUrl(text: string): boolean {
  return 'https://'.startsWith(text);
}
