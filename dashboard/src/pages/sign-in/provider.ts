/** The name of the operator's OpenID provider; undefined without one. */
export function providerName(): string | undefined {
  return document.querySelector<HTMLMetaElement>('meta[name="openid-provider"]')?.content;
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
