/*
 * The pages of operators at the internal listener: sign-in, shell and views. They are a separate build, so that
 * neither operators nor members load code of the other.
 *
 * An operator signs in with an internal token. The views show the whole service, without payloads and
 * secrets. The only change that they make is to release a dead letter. The service runs no other documents
 * for them than those of operator-documents.json.
 */
import type { ComponentChildren } from 'preact';
import { LocationProvider, Route, Router, useLocation } from 'preact-iso';
import { useEffect, useState } from 'preact/hooks';
import type { RequestError } from '../api/request-error.js';
import { session } from '../api/session-state.js';
import { signOut } from '../api/session.js';
import { useAction } from '../api/use-action.js';
import { toRequestError } from '../api/use-query.js';
import { Button } from '../components/button.js';
import { DataText } from '../components/data-text.js';
import { ErrorNotice } from '../components/notice.js';
import { Toasts } from '../components/toast.js';
import icon from '../icon.svg';
import { FailedStart, lazyView, NotFoundPage, ViewBoundary } from '../shell/fallbacks.js';
import { Frame, useMenuState } from '../shell/frame.js';
import { LanguageSwitch, ThemeSwitch } from '../shell/switches.js';
import { fill, text } from '../texts/text.js';
import { OverviewPage } from './overview-page.js';
import { paths } from './paths.js';
import { loadSession, SignInPage } from './sign-in-page.js';
import { operatorText } from './texts.js';

const AccountsPage = lazyView(() => import('./accounts-page.js').then((page) => page.AccountsPage));
const AccountPage = lazyView(() => import('./account-page.js').then((page) => page.AccountPage));
const EventPage = lazyView(() => import('./event-page.js').then((page) => page.EventPage));
const DeadLettersPage = lazyView(() =>
  import('./dead-letters.js').then((page) => page.DeadLettersPage),
);
const DeadLetterPage = lazyView(() =>
  import('./dead-letters.js').then((page) => page.DeadLetterPage),
);

/** The links of the menu. */
const links = [
  { href: paths.overview, label: operatorText.overview.title },
  { href: paths.accounts, label: operatorText.accounts.title },
  { href: paths.deadLetters, label: operatorText.deadLetters.title },
];

/** Shows the sign-in, or the shell with the view of the address. Signing in does not change the address. */
export function OperatorApp() {
  return (
    <LocationProvider scope="/dashboard">
      <Gate />
      <Toasts />
    </LocationProvider>
  );
}

function Gate() {
  const { path, route } = useLocation();
  const [error, setError] = useState<RequestError>();
  const { state } = session.value;

  const load = () => {
    setError(undefined);
    loadSession().catch((thrown: unknown) => setError(toRequestError(thrown)));
  };

  useEffect(() => {
    if (state === 'unknown') load();
  }, [state]);
  useEffect(() => {
    if (/^\/dashboard\/?$/.test(path)) route(paths.overview, true);
  }, [path]);

  if (state === 'signedOut') return <SignInPage />;
  if (error) return <FailedStart error={error} retry={load} />;

  return state === 'signedIn' ? <Views /> : null;
}

function Views() {
  return (
    <OperatorShell>
      <ViewBoundary>
        <Router>
          <Route path={paths.overview} component={OverviewPage} />
          <Route path={paths.accounts} component={AccountsPage} />
          <Route path={`${paths.accounts}/:id`} component={AccountPage} />
          <Route path={`${paths.events}/:id`} component={EventPage} />
          <Route path={paths.deadLetters} component={DeadLettersPage} />
          <Route path={`${paths.deadLetters}/:id`} component={DeadLetterPage} />
          <Route default component={NotFoundPage} />
        </Router>
      </ViewBoundary>
    </OperatorShell>
  );
}

/** Surrounds a view with the menu, and shows whose token is signed in. */
function OperatorShell({ children }: { readonly children: ComponentChildren }) {
  const menuState = useMenuState();
  return (
    <Frame
      brand={
        <a class="brand" href={paths.overview}>
          <img src={icon} alt="" width="28" height="28" />
          {operatorText.brand}
        </a>
      }
      links={links}
      menuEnd={<TokenMenu />}
      menuState={menuState}
    >
      {children}
    </Frame>
  );
}

function TokenMenu() {
  const leaving = useAction(signOut);
  const current = session.value;
  if (current.state !== 'signedIn') return null;

  return (
    <div class="menu-end">
      <p class="soft small account">
        <DataText value={fill(operatorText.signedInBy, { account: current.viewer.account.name })} />
      </p>
      <ThemeSwitch />
      <LanguageSwitch />
      <div class="row">
        <Button kind="quiet" small busy={leaving.running} onClick={() => void leaving.run()}>
          {text.shell.signOut}
        </Button>
      </div>
      {leaving.error && <ErrorNotice error={leaving.error} />}
    </div>
  );
}
