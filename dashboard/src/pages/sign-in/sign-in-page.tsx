import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { session } from '../../api/session-state.js';
import icon from '../../icon.svg';
import { startPath } from '../../shell/navigation.js';
import { LanguageSwitch } from '../../shell/switches.js';
import { AskAgain } from './ask-again.js';
import { AskForLink } from './ask-for-link.js';
import { AtProvider } from './at-provider.js';
import { ChooseAccount } from './choose-account.js';
import { EnterCode } from './enter-code.js';
import { readFragment } from './fragment.js';
import { pathAfterSignIn } from './next-path.js';
import { isOwnAttempt, isProviderOnly, providerName, takeNext } from './provider.js';
import { SignInHeader } from './sign-in-header.js';
import { UseLink } from './use-link.js';

/** Signs in by a link of a mail, by its code, or at the operator's OpenID provider. */
export function SignInPage() {
  const { query, route } = useLocation();
  const [brought, setBrought] = useState(() => readFragment(location.hash));
  const [email, setEmail] = useState<string>();
  const current = session.value;
  const again = () => {
    setBrought(undefined);
    setEmail(undefined);
  };
  useEffect(() => {
    const take = () => {
      const found = readFragment(location.hash);
      if (found === undefined) return;
      // The token must not stay in the history of the browser.
      history.replaceState(history.state, '', location.pathname + location.search);
      setBrought(found);
    };
    take();
    addEventListener('hashchange', take);
    return () => removeEventListener('hashchange', take);
  }, []);
  useEffect(() => {
    // A link is a sign-in of its own, perhaps as another member.
    if (current.state !== 'signedIn' || brought !== undefined) return;
    route(pathAfterSignIn(query['next'] ?? takeNext()) ?? startPath(), true);
  }, [current.state, brought]);
  const provider = providerName();
  const only = isProviderOnly();
  return (
    <main class="center">
      <div class="brand">
        <img src={icon} alt="" width="28" height="28" />
        Signalpost
      </div>
      <div class="card card-body">
        {brought?.kind === 'token' && (
          <UseLink token={brought.token} onUsed={() => setBrought(undefined)} onNewLink={again} />
        )}
        {brought?.kind === 'links' && (
          <ChooseAccount
            links={brought.links}
            isOwn={isOwnAttempt(brought.state)}
            onUsed={() => setBrought(undefined)}
            onAgain={again}
          />
        )}
        {brought?.kind === 'refused' && <AskAgain refusal={brought.refusal} onAgain={again} />}
        {!brought && email !== undefined && (
          <EnterCode email={email} onAgain={() => setEmail(undefined)} />
        )}
        {!brought && email === undefined && (
          <>
            <SignInHeader byMail={!only} ended={current.state === 'signedOut' && current.ended} />
            {provider !== undefined && <AtProvider name={provider} only={only} />}
            {!only && <AskForLink onSent={setEmail} focused={provider === undefined} />}
          </>
        )}
      </div>
      <LanguageSwitch />
    </main>
  );
}
