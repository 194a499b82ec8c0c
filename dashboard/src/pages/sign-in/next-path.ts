/** The path of the sign-in page. */
export const signInPath = '/dashboard/sign-in';

const here = 'https://dashboard.invalid';

/** The sign-in page that comes back to `url` afterwards. */
export function signInPathFor(url: string): string {
  const next = pathAfterSignIn(url);
  return next === undefined ? signInPath : `${signInPath}?next=${encodeURIComponent(next)}`;
}

/** A path that may be opened after signing in; undefined for one outside the dashboard. */
export function pathAfterSignIn(next: string | undefined): string | undefined {
  if (next === undefined || !URL.canParse(next, here)) return undefined;
  const { origin, pathname, search } = new URL(next, here);
  if (origin !== here || !next.startsWith('/dashboard/')) return undefined;
  const usable = pathname.startsWith('/dashboard/') && pathname !== signInPath;
  return usable ? pathname + search : undefined;
}
