import { useState } from 'preact/hooks';
import { signIn } from '../../api/session.js';
import { useAction, useFocusOnRefusal } from '../../api/use-action.js';
import { Button } from '../../components/button.js';
import { ErrorNotice } from '../../components/notice.js';
import { PageHeader } from '../../components/page-header.js';
import { TextField } from '../../components/fields.js';
import { fill, text } from '../../texts/text.js';
import { normalizeCode } from './email-rule.js';

const codeLength = 8;

interface EnterCodeProps {
  readonly email: string;
  readonly onAgain: () => void;
}

/** Waits for the link of the mail, and takes its code instead. Another tab may use the link. */
export function EnterCode({ email, onAgain }: EnterCodeProps) {
  const [code, setCode] = useState('');
  const using = useAction(() => signIn({ code: normalizeCode(code) }));
  const complete = normalizeCode(code).length === codeLength;
  const [incomplete, setIncomplete] = useState(false);
  const form = useFocusOnRefusal(using.error);
  const expired = using.error?.status === 410;
  const refused = expired ? undefined : using.error?.message;
  const fieldError = incomplete ? text.signIn.codeIncomplete : refused;
  return (
    <>
      <PageHeader title={text.signIn.sentTitle} lead={fill(text.signIn.sent, { email })} />
      <p class="soft">{text.signIn.sentHint}</p>
      <form
        ref={form}
        class="stack-s"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setIncomplete(!complete);
          if (complete) void using.run();
        }}
      >
        <TextField
          label={text.signIn.code}
          hint={text.signIn.codeHint}
          class="input-code"
          autoComplete="one-time-code"
          value={code}
          error={fieldError}
          onInput={(value) => {
            setCode(value);
            setIncomplete(false);
          }}
        />
        {expired && <ErrorNotice error={using.error} />}
        <div class="row">
          {!expired && (
            <Button kind="primary" type="submit" busy={using.running}>
              {text.signIn.useCode}
            </Button>
          )}
          <Button kind={expired ? 'primary' : 'quiet'} onClick={onAgain}>
            {expired ? text.signIn.newLink : text.signIn.again}
          </Button>
        </div>
      </form>
    </>
  );
}
