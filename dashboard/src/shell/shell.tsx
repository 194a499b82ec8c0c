import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { newVersion } from '../api/new-version.js';
import { can } from '../api/session-state.js';
import { Button } from '../components/button.js';
import { Notice } from '../components/notice.js';
import { text } from '../texts/text.js';
import { AccountMenu } from './account-menu.js';
import { Brand } from './brand.js';
import { FindField, focusFindField } from './find-field.js';
import { KeyboardHelp } from './keyboard-help.js';
import { menu } from './navigation.js';
import { useShortcuts } from './shortcuts.js';

/** What surrounds every view: menu, search by id, account, theme, sign out. */
export function Shell({ children }: { readonly children: ComponentChildren }) {
  const { path, route } = useLocation();
  const [openAt, setOpenAt] = useState<string>();
  const [help, setHelp] = useState(false);
  const entries = menu.filter(({ subject }) => can(subject, 'read'));
  // Going to a view closes the menu of a small screen.
  const open = openAt === path;
  useShortcuts({
    '?': () => setHelp(true),
    '/': () => {
      setOpenAt(path);
      focusFindField();
    },
    ...Object.fromEntries(entries.map(({ key, href }) => [`g ${key}`, () => route(href)])),
  });
  return (
    <div class="shell">
      <a class="skip" href="#content">
        {text.shell.skip}
      </a>
      <header class="sidebar">
        <Brand />
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
          <FindField />
          <nav class="nav" aria-label={text.shell.navigation}>
            {entries.map(({ href, label, also }) => (
              <a key={href} href={href} aria-current={currentOf(path, href, also)}>
                {label}
              </a>
            ))}
          </nav>
          <AccountMenu onHelp={() => setHelp(true)} />
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
      {help && <KeyboardHelp entries={entries} onClose={() => setHelp(false)} />}
    </div>
  );
}

function currentOf(
  path: string,
  href: string,
  also: readonly string[] = [],
): 'page' | 'true' | undefined {
  if (path === href) return 'page';
  const within = (each: string) => path === each || path.startsWith(`${each}/`);
  return [href, ...also].some(within) ? 'true' : undefined;
}
