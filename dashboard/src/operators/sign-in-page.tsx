import { useState } from 'preact/hooks';
import { session } from '../api/session-state.js';
import { useAction, useFocusOnRefusal } from '../api/use-action.js';
import { Button } from '../components/button.js';
import { ErrorNotice } from '../components/error-notice.js';
import { Notice } from '../components/notice.js';
import { PageHeader } from '../components/page-header.js';
import { TextField } from '../components/text-field.js';
import icon from '../icon.svg';
import { signIn } from './operator-session.js';
import { operatorText } from './texts.js';

const texts = operatorText.signIn;
const command = 'npm run admin -- credentials create --account <id> --kind internal';

/** Takes an internal token once. It stays in the field until the service answered, and nowhere else. */
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
        {/* The service refuses it too, but then the token was sent already. */}
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
        // No field for a password: the browser would offer to keep it.
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
