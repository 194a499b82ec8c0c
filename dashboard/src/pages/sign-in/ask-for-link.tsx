import { useState } from 'preact/hooks';
import { requestLink } from '../../api/session.js';
import { useAction, useFocusOnRefusal } from '../../api/use-action.js';
import { Button } from '../../components/button.js';
import { ErrorNotice } from '../../components/notice.js';
import { TextField } from '../../components/fields.js';
import { text } from '../../texts/text.js';
import { looksLikeEmail } from './email-rule.js';

interface AskForLinkProps {
  readonly onSent: (email: string) => void;
  /** Whether the field has the focus at once. */
  readonly focused: boolean;
}

/** Asks for the address that gets the mail. */
export function AskForLink({ onSent, focused }: AskForLinkProps) {
  const [email, setEmail] = useState('');
  const [invalid, setInvalid] = useState(false);
  const sending = useAction(async () => {
    await requestLink(email.trim());
    onSent(email.trim());
  });
  const form = useFocusOnRefusal(sending.error);
  const fieldError = invalid ? text.signIn.invalidEmail : sending.error?.fields['email'];
  return (
    <form
      ref={form}
      class="stack-s"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const valid = looksLikeEmail(email);
        setInvalid(!valid);
        if (valid) void sending.run();
      }}
    >
      <TextField
        label={text.signIn.email}
        type="email"
        autoComplete="email"
        autoFocus={focused}
        value={email}
        error={fieldError}
        onInput={(value) => {
          setEmail(value);
          setInvalid(false);
        }}
      />
      {sending.error && fieldError === undefined && <ErrorNotice error={sending.error} />}
      <Button kind="primary" type="submit" busy={sending.running}>
        {text.signIn.send}
      </Button>
    </form>
  );
}
