/*
 * The gate of an account's portal: how a customer gets in, and what the page shows until then.
 *
 * A customer arrives with a secret link, with the cookie of an earlier visit, or in a frame, whose parent page
 * hands over a link when this page asks for one. A link opens the portal once. Outside a frame the customer must
 * click first, because mail scanners open links, too. This page asks only origins that the account allows. It
 * accepts a link only from its parent page, and only while it waits for one. The secret of a link stays neither
 * in the address nor in the browser's history.
 */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { base } from '../api/base.js';
import { request, setPageToken } from '../api/request.js';
import { RequestError } from '../api/request-error.js';
import { loadSession } from '../api/session.js';
import { session } from '../api/session-state.js';
import { clearAnswers, toRequestError } from '../api/use-query.js';
import { Views } from '../app.js';
import { Button } from '../components/button.js';
import { ErrorNotice } from '../components/notice.js';
import { PageHeader } from '../components/page-header.js';
import { startPath } from '../shell/navigation.js';
import { text } from '../texts/text.js';
import { linkToken } from './link-token.js';
import { portalMeta } from './portal-meta.js';
import { type PortalTheme, themeColours } from './portal-theme.js';

/** What this page does while it has no session. */
type Entry =
  | { readonly at: 'opening' }
  /** It waits for the customer to open the link. */
  | { readonly at: 'link'; readonly token: string }
  /** It has asked the parent page for a link. */
  | { readonly at: 'asked' }
  | { readonly at: 'refused'; readonly error?: RequestError };

const entry = signal<Entry>({ at: 'opening' });

/** Whether another page frames this one. */
const framed = window.parent !== window;

/** The messages between this page and its parent page. */
const messages = { needed: 'signalpost.link-needed', link: 'signalpost.link' } as const;

const maxWaitMs = 10_000;
let timer: ReturnType<typeof setTimeout> | undefined;

applyPortalTheme(portalMeta().theme);
listenToParent();
void enter();

/** The gate of the portal: shows the views to a customer with a session, and lets others in. */
export function PortalGate() {
  const { path, route } = useLocation();
  const current = session.value;
  useEffect(() => {
    if (current.state === 'signedIn')
      applyPortalTheme(current.viewer.portal?.theme ?? portalMeta().theme);
    // The session ended while the page was in use.
    if (current.state === 'signedOut' && current.ended) askForLink();
  }, [current]);

  useEffect(() => {
    if (current.state === 'signedIn' && path.replace(/\/$/, '') === base) route(startPath(), true);
  }, [current.state, path]);

  if (current.state === 'signedIn') return <Views />;

  return (
    <main class="center">
      <Entrance />
    </main>
  );
}

function Entrance() {
  const texts = text.portal;
  const current = entry.value;
  if (current.at === 'link') {
    return (
      <>
        <PageHeader key="link" title={texts.title} lead={texts.linkLead} />
        <Button
          kind="primary"
          onClick={() => {
            entry.value = { at: 'opening' };
            void openByLink(current.token);
          }}
        >
          {texts.open}
        </Button>
      </>
    );
  }

  if (current.at !== 'refused') {
    return (
      <>
        {/* Not a PageHeader, which would take the focus from the parent page. */}
        <h1>{texts.title}</h1>
        <p role="status">{texts.waiting}</p>
      </>
    );
  }

  return (
    <>
      <PageHeader key="refused" title={texts.refusedTitle} lead={texts.refused} />
      <p class="soft">{framed ? texts.refusedFramed : texts.refusedOutsideFrame}</p>
      {current.error && <ErrorNotice error={current.error} />}
      {framed && <Button onClick={askForLink}>{texts.again}</Button>}
    </>
  );
}

/** Opens the portal by the link in the address or by the cookie; otherwise asks the parent page for a link. */
async function enter(): Promise<void> {
  const token = takeToken();
  if (token !== undefined && !framed) {
    entry.value = { at: 'link', token };
    return;
  }

  try {
    if (token === undefined) await loadSession();
    else await redeem(token);
  } catch (thrown) {
    const error = toRequestError(thrown);
    // A used or expired link: the parent page may have another.
    if (error.status !== 410) {
      entry.value = { at: 'refused', error };
      return;
    }
  }

  if (session.peek().state !== 'signedIn') askForLink();
}

/** Opens the portal by a link that the customer has opened or the parent page has sent. */
async function openByLink(token: string): Promise<void> {
  try {
    await redeem(token);
  } catch (thrown) {
    const error = toRequestError(thrown);
    entry.value = { at: 'refused', ...(error.status !== 410 && { error }) };
  }
}

/**
 * Redeems a link. If the browser keeps the cookie, the service deletes the token of the answer. Otherwise the
 * token stays in the memory of this page.
 * @throws RequestError
 */
async function redeem(link: string): Promise<void> {
  const answer = (await request('POST', '/session', { token: link })) as { readonly token: string };
  setPageToken(undefined);
  await request('POST', '/session/kept').catch((error: unknown) => {
    if (!(error instanceof RequestError)) throw error;
    setPageToken(answer.token);
  });

  clearAnswers();
  await loadSession();
  if (session.value.state !== 'signedIn') {
    throw new RequestError('unauthorized', text.portal.refused, {}, 401);
  }
}

/** Asks the parent page for a link. The message contains no secret. */
function askForLink(): void {
  clearTimeout(timer);

  const { origins } = portalMeta();
  if (!framed || origins.length === 0) {
    entry.value = { at: 'refused' };
    return;
  }

  entry.value = { at: 'asked' };

  // The browser delivers the message only to the origin that really frames this page.
  for (const origin of likelyParents(origins)) {
    window.parent.postMessage({ type: messages.needed }, origin);
  }

  timer = setTimeout(() => {
    if (entry.value.at === 'asked') entry.value = { at: 'refused' };
  }, maxWaitMs);
}

/** Accepts a link from the parent page if the account allows its origin and this page has asked. */
function listenToParent(): void {
  addEventListener('message', ({ origin, source, data }: MessageEvent<unknown>) => {
    if (source !== window.parent || !portalMeta().origins.includes(origin)) return;
    if (entry.value.at !== 'asked' || typeof data !== 'object' || data === null) return;
    const { type, url } = data as { readonly type?: unknown; readonly url?: unknown };
    const token = type === messages.link ? linkToken(url, location.origin + base) : undefined;
    if (token === undefined) return;

    clearTimeout(timer);
    entry.value = { at: 'opening' };
    void openByLink(token);
  });
}

/** The allowed origin that led here, if the browser names one; else all of them. */
function likelyParents(origins: readonly string[]): readonly string[] {
  const referrer = URL.canParse(document.referrer) ? new URL(document.referrer).origin : '';
  return origins.includes(referrer) ? [referrer] : origins;
}

/** Takes the secret of a link out of the address and out of the history of the browser. */
function takeToken(): string | undefined {
  const { hash, pathname, search } = location;
  if (hash.length < 2) return undefined;
  history.replaceState(history.state, '', pathname + search);
  return hash.slice(1);
}

/**
 * Gives the page the look of the account. Each colour was parsed, so that none can add anything else to the
 * style sheet.
 */
function applyPortalTheme(theme: PortalTheme): void {
  const { style, dataset } = document.documentElement;
  for (const [name, { light, dark }] of Object.entries(themeColours(theme).colours)) {
    style.setProperty(`--${name}`, `light-dark(${light}, ${dark})`);
  }
  if (theme.scheme === 'light' || theme.scheme === 'dark') dataset['theme'] = theme.scheme;
  else delete dataset['theme'];
}
