/** A link that signs in to one account. */
export interface AccountLink {
  readonly account: string;
  readonly token: string;
}

/** Why a sign-in at the provider failed. */
export type Refusal = (typeof refusals)[number];
const refusals = ['cancelled', 'no_member', 'provider_failed', 'too_late'] as const;

/** What the URL carries: the token of a mailed link, or the result of a sign-in at the provider. */
type SignInFragment =
  | { readonly kind: 'token'; readonly token: string }
  | {
      readonly kind: 'links';
      readonly links: readonly AccountLink[];
      /** Names the sign-in at the provider that these links end. */
      readonly state: string;
    }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** Reads the fragment of the sign-in page's URL; undefined if there is none. */
export function readFragment(hash: string): SignInFragment | undefined {
  const fragment = hash.slice(1);
  if (fragment === '') return undefined;
  const [, kind, value = '', state = ''] =
    /^(links|refused)=([^&]*)(?:&state=(.*))?$/.exec(fragment) ?? [];
  if (kind === undefined) return { kind: 'token', token: fragment };
  const refusal = refusals.find((known) => known === value);
  if (refusal) return { kind: 'refused', refusal };
  const links = kind === 'links' ? readLinks(value) : [];
  return links.length > 0
    ? { kind: 'links', links, state }
    : { kind: 'refused', refusal: 'provider_failed' };
}

function readLinks(value: string): AccountLink[] {
  try {
    const bytes = Uint8Array.from(
      atob(value.replaceAll('-', '+').replaceAll('_', '/')),
      (character) => character.charCodeAt(0),
    );
    const links: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return Array.isArray(links) ? links.filter(isLink) : [];
  } catch {
    return [];
  }
}

function isLink(value: unknown): value is AccountLink {
  const { account, token } = (value ?? {}) as Partial<Record<keyof AccountLink, unknown>>;
  return typeof account === 'string' && typeof token === 'string';
}

/** The path of the sign-in page. */
export const signInPath = '/dashboard/sign-in';

const here = 'https://dashboard.invalid';

/** The sign-in page, which returns to `url` afterwards. */
export function signInPathFor(url: string): string {
  const next = pathAfterSignIn(url);
  return next === undefined ? signInPath : `${signInPath}?next=${encodeURIComponent(next)}`;
}

/** The path to open after signing in; undefined if it is outside the dashboard. */
export function pathAfterSignIn(next: string | undefined): string | undefined {
  if (next === undefined || !URL.canParse(next, here)) return undefined;
  const { origin, pathname, search } = new URL(next, here);
  if (origin !== here || !next.startsWith('/dashboard/')) return undefined;
  const usable = pathname.startsWith('/dashboard/') && pathname !== signInPath;
  return usable ? pathname + search : undefined;
}

/** Whether a text could be an e-mail address. The service validates it in full. */
export function looksLikeEmail(value: string): boolean {
  return /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(value.trim());
}

/** The code as it was mailed: people type it in lower case and with spaces. */
export function normalizeCode(value: string): string {
  return value.replace(/[\s-]/g, '').toUpperCase();
}
