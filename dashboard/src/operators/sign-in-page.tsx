import { useState } from 'preact/hooks';
import { execute, request } from '../api/request.js';
import { session, sessionChannel } from '../api/session-state.js';
import { useAction, useFocusOnRefusal } from '../api/use-action.js';
import { clearAnswers } from '../api/use-query.js';
import { Button } from '../components/button.js';
import { TextField } from '../components/fields.js';
import { ErrorNotice, Notice } from '../components/notice.js';
import { PageHeader } from '../components/page-header.js';
import { viewerDocument } from '../generated/operator-documents.js';
import icon from '../icon.svg';
import { operatorText } from './texts.js';

const texts = operatorText.signIn;
const command = 'npm run admin -- credentials create --account <id> --kind internal';

/** Takes an internal token. Only the field holds it, and only until the service has answered. */
export function SignInPage() {
  const current = session.value;
  const ended = current.state === 'signedOut' && current.ended;
  return (
    <main class="center">
      <div class="brand">
        <img src={icon} alt="" width="28" height="28" />
        {operatorText.brand}
      </div>
      <div class="card card-body">
        <PageHeader title={texts.title} lead={ended ? texts.ended : texts.lead} />
        {/* The service refuses a token over plain HTTP, too, but then it was already sent. */}
        {isSecureContext ? (
          <TokenForm />
        ) : (
          <Notice kind="bad" title={texts.insecure}>
            <p>{texts.insecureDetail}</p>
          </Notice>
        )}
      </div>
    </main>
  );
}

function TokenForm() {
  const [token, setToken] = useState('');
  const [missing, setMissing] = useState(false);
  const signing = useAction(async () => {
    await signIn(token.trim());
  });
  const form = useFocusOnRefusal(signing.error);
  const refusal = signing.error?.fields['token'];
  return (
    <form
      ref={form}
      class="stack-s"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setMissing(token.trim() === '');
        if (token.trim() !== '') void signing.run();
      }}
    >
      <TextField
        label={texts.token}
        // Not a password field: the browser would offer to store the token.
        class="input-secret"
        autoFocus
        value={token}
        error={missing ? texts.missing : refusal}
        onInput={(value) => {
          setToken(value);
          setMissing(false);
          signing.clear();
        }}
      />
      <p class="field-hint">
        {texts.hint} <code>{command}</code>
      </p>
      {signing.error && refusal === undefined && <ErrorNotice error={signing.error} />}
      <Button kind="primary" type="submit" busy={signing.running}>
        {texts.submit}
      </Button>
    </form>
  );
}

/**
 * Asks the service who is signed in, and sets `session`.
 * @throws RequestError when the service does not answer
 */
export async function loadSession(): Promise<void> {
  try {
    const { viewer } = await execute(viewerDocument, {});
    session.value = { state: 'signedIn', viewer: { ...viewer, portal: null } };
  } catch (error) {
    // execute() has set the state.
    if (session.peek().state === 'signedOut') return;
    throw error;
  }
}

/** Signs in with an internal token, in every tab. @throws RequestError */
async function signIn(token: string): Promise<void> {
  await request('POST', '/session', { token });
  clearAnswers();
  await loadSession();
  sessionChannel.postMessage('signedIn');
}
