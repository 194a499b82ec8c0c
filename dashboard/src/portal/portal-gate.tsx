import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { base } from '../api/base.js';
import { session } from '../api/session-state.js';
import { Button } from '../components/button.js';
import { ErrorNotice } from '../components/error-notice.js';
import { PageHeader } from '../components/page-header.js';
import { startPath } from '../shell/navigation.js';
import { text } from '../texts/text.js';
import { Views } from '../app.js';
import { applyPortalTheme } from './apply-portal-theme.js';
import { askForLink, enter, framed, listenToParent, portalEntry, useLink } from './portal-entry.js';
import { portalMeta } from './portal-meta.js';

applyPortalTheme(portalMeta().theme);
listenToParent();
void enter();

/** Shows the views to those who came in by a link, and else what the page waits for. */
export function PortalGate() {
  const { path, route } = useLocation();
  const current = session.value;
  useEffect(() => {
    if (current.state === 'signedIn')
      applyPortalTheme(current.viewer.portal?.theme ?? portalMeta().theme);
    // It ended while the page was in use.
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
  const at = portalEntry.value;
  if (at.at === 'link') {
    return (
      <>
        <PageHeader key="link" title={texts.title} lead={texts.linkLead} />
        <Button
          kind="primary"
          onClick={() => {
            portalEntry.value = { at: 'opening' };
            void useLink(at.token);
          }}
        >
          {texts.open}
        </Button>
      </>
    );
  }
  if (at.at !== 'refused') {
    return (
      <>
        {/* Without the focus, which stays in the page of the merchant. */}
        <h1>{texts.title}</h1>
        <p role="status">{texts.waiting}</p>
      </>
    );
  }
  return (
    <>
      <PageHeader key="refused" title={texts.refusedTitle} lead={texts.refused} />
      <p class="soft">{framed ? texts.refusedFramed : texts.refusedOutsideFrame}</p>
      {at.error && <ErrorNotice error={at.error} />}
      {framed && <Button onClick={askForLink}>{texts.again}</Button>}
    </>
  );
}
