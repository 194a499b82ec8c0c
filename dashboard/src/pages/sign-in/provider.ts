/** The name of the operator's OpenID provider; undefined without one. */
export function providerName(): string | undefined {
  return document.querySelector<HTMLMetaElement>('meta[name="openid-provider"]')?.content;
}

/** Whether the provider is the only way to sign in. */
export function isProviderOnly(): boolean {
  return document.querySelector('meta[name="openid-only"]') !== null;
}

const nextKey = 'signalpost-next';

/** Keeps the page to open after the sign-in, while this tab is at the provider. */
export function keepNext(next: string | undefined): void {
  if (next === undefined) sessionStorage.removeItem(nextKey);
  else sessionStorage.setItem(nextKey, next);
}

/** Returns what {@link keepNext} kept, once. */
export function takeNext(): string | undefined {
  const next = sessionStorage.getItem(nextKey) ?? undefined;
  sessionStorage.removeItem(nextKey);
  return next;
}

const attemptKey = 'signalpost-attempt';

/** Keeps which sign-in this tab begins. @param url where the browser goes, at the provider */
export function keepAttempt(url: string): void {
  const state = new URL(url).searchParams.get('state') ?? '';
  sessionStorage.setItem(attemptKey, state);
}

/**
 * Says whether this tab began the sign-in that a fragment ends. Another site can open this page with links
 * of its own, which would sign the reader in to a foreign account.
 */
export function isOwnAttempt(state: string): boolean {
  return state !== '' && sessionStorage.getItem(attemptKey) === state;
}
