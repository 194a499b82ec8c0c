import { base, inPortal } from '../api/base.js';
import { session } from '../api/session-state.js';
import { signOut } from '../api/session.js';
import { useAction } from '../api/use-action.js';
import { Button } from '../components/button.js';
import { DataText } from '../components/data-text.js';
import { ErrorNotice } from '../components/error-notice.js';
import { text } from '../texts/text.js';
import { LanguageSwitch } from './language-switch.js';
import { ThemeSwitch } from './theme-switch.js';

/** Who is signed in, theme, language, help and the way out. */
export function AccountMenu({ onHelp }: { readonly onHelp: () => void }) {
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
