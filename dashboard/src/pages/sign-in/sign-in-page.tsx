import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { session } from '../../api/session-state.js';
import { PageHeader } from '../../components/page-header.js';
import icon from '../../icon.svg';
import { home } from '../../shell/home.js';
import { text } from '../../texts/text.js';
import { AskForLink } from './ask-for-link.js';
import { EnterCode } from './enter-code.js';
import { pathAfterSignIn } from './next-path.js';
import { UseLink } from './use-link.js';

/** Signs in by a link of a mail, or by its code. */
export function SignInPage() {
  const { query, route } = useLocation();
  const [token, setToken] = useState(tokenOfFragment);
  const [email, setEmail] = useState<string>();
  const current = session.value;
  useEffect(() => {
    const take = () => {
      const found = tokenOfFragment();
      if (found === undefined) return;
      // The token must not stay in the history of the browser.
      history.replaceState(history.state, '', location.pathname + location.search);
      setToken(found);
    };
    take();
    addEventListener('hashchange', take);
    return () => removeEventListener('hashchange', take);
  }, []);
  useEffect(() => {
    // A link is a sign-in of its own, perhaps as another member.
    if (current.state !== 'signedIn' || token !== undefined) return;
    route(pathAfterSignIn(query['next']) ?? home, true);
  }, [current.state, token]);
  return (
    <main class="center">
      <div class="brand">
        <img src={icon} alt="" width="28" height="28" />
        Signalpost
      </div>
      <div class="card card-body">
        {token !== undefined && (
          <UseLink
            token={token}
            onUsed={() => setToken(undefined)}
            onNewLink={() => {
              setToken(undefined);
              setEmail(undefined);
            }}
          />
        )}
        {token === undefined && email !== undefined && (
          <EnterCode email={email} onAgain={() => setEmail(undefined)} />
        )}
        {token === undefined && email === undefined && (
          <>
            <PageHeader
              key="ask"
              title={text.signIn.title}
              lead={
                current.state === 'signedOut' && current.ended
                  ? text.signIn.ended
                  : text.signIn.lead
              }
            />
            <AskForLink onSent={setEmail} />
          </>
        )}
      </div>
    </main>
  );
}

function tokenOfFragment(): string | undefined {
  return location.hash.slice(1) || undefined;
}
