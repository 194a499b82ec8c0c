import { useLocation } from 'preact-iso';
import { beginAtProvider } from '../../api/session.js';
import { useAction } from '../../api/use-action.js';
import { Button } from '../../components/button.js';
import { ErrorNotice } from '../../components/notice.js';
import { fill, text } from '../../texts/text.js';
import { keepAttempt, keepNext } from './provider.js';

interface AtProviderProps {
  readonly name: string;
  /** Whether there is no other way to sign in. */
  readonly only: boolean;
}

/** Sends the browser to the operator's OpenID provider. */
export function AtProvider({ name, only }: AtProviderProps) {
  const { query } = useLocation();
  const leaving = useAction(async () => {
    const url = await beginAtProvider();
    keepNext(query['next']);
    keepAttempt(url);
    location.assign(url);
  });
  return (
    <div class="stack-s">
      <Button busy={leaving.running} onClick={() => void leaving.run()}>
        {fill(text.signIn.atProvider, { provider: name })}
      </Button>
      {leaving.error && <ErrorNotice error={leaving.error} />}
      {!only && <p class="soft">{text.signIn.or}</p>}
    </div>
  );
}
