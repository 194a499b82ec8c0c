import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { newVersion } from '../api/new-version.js';
import { session } from '../api/session-state.js';
import { useAction } from '../api/use-action.js';
import { Button } from '../components/button.js';
import { DataText } from '../components/data-text.js';
import { ErrorNotice } from '../components/error-notice.js';
import { Notice } from '../components/notice.js';
import icon from '../icon.svg';
import { LanguageSwitch } from '../shell/language-switch.js';
import { ThemeSwitch } from '../shell/theme-switch.js';
import { fill, text } from '../texts/text.js';
import { signOut } from '../api/session.js';
import { paths } from './paths.js';
import { operatorText } from './texts.js';

const menu = [
  { href: paths.overview, label: operatorText.overview.title },
  { href: paths.accounts, label: operatorText.accounts.title },
  { href: paths.deadLetters, label: operatorText.deadLetters.title },
];

/** What surrounds every view: menu, whose token it is, theme, sign out. */
export function OperatorShell({ children }: { readonly children: ComponentChildren }) {
  const { path } = useLocation();
  const [openAt, setOpenAt] = useState<string>();
  // Going to a view closes the menu of a small screen.
  const open = openAt === path;
  return (
    <div class="shell">
      <a class="skip" href="#content">
        {text.shell.skip}
      </a>
      <header class="sidebar">
        <a class="brand" href={paths.overview}>
          <img src={icon} alt="" width="28" height="28" />
          {operatorText.brand}
        </a>
        <button
          type="button"
          class="button button-quiet menu-button"
          aria-expanded={open}
          aria-controls="menu"
          onClick={() => setOpenAt(open ? undefined : path)}
        >
          {text.shell.menu}
        </button>
        <div id="menu" class={open ? 'menu menu-open' : 'menu'}>
          <nav class="nav" aria-label={text.shell.navigation}>
            {menu.map(({ href, label }) => (
              <a key={href} href={href} aria-current={currentOf(path, href)}>
                {label}
              </a>
            ))}
          </nav>
          <MenuEnd />
        </div>
      </header>
      <main id="content" class="content stack" tabIndex={-1}>
        {newVersion.value && (
          <Notice kind="warn" title={text.common.newVersion}>
            <div>
              <Button small onClick={() => location.reload()}>
                {text.common.reload}
              </Button>
            </div>
          </Notice>
        )}
        {children}
      </main>
    </div>
  );
}

function MenuEnd() {
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

function currentOf(path: string, href: string): 'page' | 'true' | undefined {
  if (path === href) return 'page';
  return path.startsWith(`${href}/`) ? 'true' : undefined;
}
