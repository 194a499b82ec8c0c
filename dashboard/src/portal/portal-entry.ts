import { signal } from '@preact/signals';
import { base } from '../api/base.js';
import type { RequestError } from '../api/request-error.js';
import { loadSession } from '../api/session.js';
import { session } from '../api/session-state.js';
import { toRequestError } from '../api/use-query.js';
import { linkToken } from './link-token.js';
import { openPortal } from './open-portal.js';
import { portalMeta } from './portal-meta.js';

/** Whether the page has come in, and what it waits for if not. */
export type PortalEntry =
  | { readonly at: 'opening' }
  /** Outside a frame a person chooses: scanners of mails open links, but choose no buttons. */
  | { readonly at: 'link'; readonly token: string }
  /** The page around this one was asked for a link. */
  | { readonly at: 'asked' }
  | { readonly at: 'refused'; readonly error?: RequestError };

/** Where this page is. It matters only without a session. */
export const portalEntry = signal<PortalEntry>({ at: 'opening' });

/** Whether another page is around this one. */
export const framed = window.parent !== window;

/** The messages between this page and the one around it. */
const messages = { needed: 'signalpost.link-needed', link: 'signalpost.link' } as const;

const maxWaitMs = 10_000;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Comes in by the link of the address, by the cookie, or by a link that it asks for. */
export async function enter(): Promise<void> {
  const token = takeToken();
  if (token !== undefined && !framed) {
    portalEntry.value = { at: 'link', token };
    return;
  }
  try {
    if (token === undefined) await loadSession();
    else await openPortal(token);
  } catch (thrown) {
    const error = toRequestError(thrown);
    if (error.status !== 410) {
      portalEntry.value = { at: 'refused', error };
      return;
    }
  }
  if (session.peek().state !== 'signedIn') askForLink();
}

/** Redeems the link that a person has chosen. */
export async function useLink(token: string): Promise<void> {
  try {
    await openPortal(token);
  } catch (thrown) {
    const error = toRequestError(thrown);
    portalEntry.value = { at: 'refused', ...(error.status !== 410 && { error }) };
  }
}

/** Asks the page around this one for a link. The message says nothing secret. */
export function askForLink(): void {
  clearTimeout(timer);
  const { origins } = portalMeta();
  if (!framed || origins.length === 0) {
    portalEntry.value = { at: 'refused' };
    return;
  }
  portalEntry.value = { at: 'asked' };
  // Only the one that is around this page gets it.
  for (const origin of likelyParents(origins)) {
    window.parent.postMessage({ type: messages.needed }, origin);
  }
  timer = setTimeout(() => {
    if (portalEntry.value.at === 'asked') portalEntry.value = { at: 'refused' };
  }, maxWaitMs);
}

/** Takes links from the page around this one, if it is of an origin of the account and was asked. */
export function listenToParent(): void {
  addEventListener('message', ({ origin, source, data }: MessageEvent<unknown>) => {
    if (source !== window.parent || !portalMeta().origins.includes(origin)) return;
    if (portalEntry.value.at !== 'asked' || typeof data !== 'object' || data === null) return;
    const { type, url } = data as { readonly type?: unknown; readonly url?: unknown };
    const token = type === messages.link ? linkToken(url, location.origin + base) : undefined;
    if (token === undefined) return;
    clearTimeout(timer);
    portalEntry.value = { at: 'opening' };
    void useLink(token);
  });
}

/** The origin that led here, if it is one of them; else all, of which the browser serves the right one. */
function likelyParents(origins: readonly string[]): readonly string[] {
  const referrer = URL.canParse(document.referrer) ? new URL(document.referrer).origin : '';
  return origins.includes(referrer) ? [referrer] : origins;
}

/** The secret must not stay in the address or the history of the browser. */
function takeToken(): string | undefined {
  const { hash, pathname, search } = location;
  if (hash.length < 2) return undefined;
  history.replaceState(history.state, '', pathname + search);
  return hash.slice(1);
}
