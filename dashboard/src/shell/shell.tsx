/*
 * What surrounds every view of the dashboard and of the portal: the menu with the search by id, the account,
 * and the keyboard shortcuts. Operators have another shell in the same frame.
 *
 * The portal shows less: no themes (its account chooses the look), no sign-out and no sessions.
 */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { base, inPortal } from '../api/base.js';
import { signOut } from '../api/session.js';
import { can, session } from '../api/session-state.js';
import { useAction } from '../api/use-action.js';
import { Button } from '../components/button.js';
import { DataText } from '../components/data-text.js';
import { escapeHidden } from '../components/data-text-parts.js';
import { ErrorNotice } from '../components/notice.js';
import icon from '../icon.svg';
import { portalMeta } from '../portal/portal-meta.js';
import { text } from '../texts/text.js';
import { FindField, focusFindField } from './find-field.js';
import { Frame, useMenuState } from './frame.js';
import { menu, startPath } from './navigation.js';
import { KeyboardHelp, useShortcuts } from './shortcuts.js';
import { LanguageSwitch, ThemeSwitch } from './switches.js';

/** Surrounds a view with the menu that its viewer may use. */
export function Shell({ children }: { readonly children: ComponentChildren }) {
  const { route } = useLocation();
  const menuState = useMenuState();
  const [help, setHelp] = useState(false);
  const entries = menu.filter(({ subject }) => can(subject, 'read'));

  useShortcuts({
    '?': () => setHelp(true),
    '/': () => {
      const [, setOpen] = menuState;
      setOpen(true);
      focusFindField();
    },
    ...Object.fromEntries(entries.map(({ key, href }) => [`g ${key}`, () => route(href)])),
  });

  return (
    <>
      <Frame
        brand={<Brand />}
        links={entries}
        menuStart={<FindField />}
        menuEnd={<AccountMenu onHelp={() => setHelp(true)} />}
        menuState={menuState}
      >
        {children}
      </Frame>
      {help && <KeyboardHelp entries={entries} onClose={() => setHelp(false)} />}
    </>
  );
}

/** The link home: our name, or in the portal the logo or the name of the account. */
export function Brand() {
  if (inPortal) return <PortalBrand />;
  return (
    <a class="brand" href={startPath()}>
      <img src={icon} alt="" width="28" height="28" />
      Signalpost
    </a>
  );
}

function PortalBrand() {
  const current = session.value;
  const name = current.state === 'signedIn' ? current.viewer.account.name : '';
  const { logo } = portalMeta();
  return (
    <a class="brand" href={startPath()}>
      {logo === null ? (
        <DataText value={name} />
      ) : (
        <img class="brand-logo" src={`${base}/${logo}`} alt={escapeHidden(name)} />
      )}
    </a>
  );
}

/** Who is signed in, with theme, language, keyboard help and sign-out. */
function AccountMenu({ onHelp }: { readonly onHelp: () => void }) {
  const leaving = useAction(signOut);
  const current = session.value;
  if (current.state !== 'signedIn') return null;

  const { account, member, portal } = current.viewer;
  const role = portal?.role ?? member?.role;
  return (
    <div class="menu-end">
      <div class="account">
        <strong>
          <DataText value={account.name} />
        </strong>
        {member && (
          <span class="soft small">
            <DataText value={member.email} />
          </span>
        )}
        {role && <span class="soft small">{text.shell.roles[role]}</span>}
        {!inPortal && (
          <a class="small" href={`${base}/sessions`}>
            {text.sessions.title}
          </a>
        )}
      </div>
      {!inPortal && <ThemeSwitch />}
      <LanguageSwitch />
      <div class="row">
        <Button kind="quiet" small onClick={onHelp}>
          <kbd aria-hidden="true">?</kbd>
          {text.shell.keyboard}
        </Button>
        {!inPortal && (
          <Button kind="quiet" small busy={leaving.running} onClick={() => void leaving.run()}>
            {text.shell.signOut}
          </Button>
        )}
      </div>
      {leaving.error && <ErrorNotice error={leaving.error} />}
    </div>
  );
}
