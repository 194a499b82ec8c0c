import { useState } from 'preact/hooks';
import type { RequestError } from '../../api/request-error.js';
import { useFocusOnRefusal } from '../../api/use-action.js';
import { useUnsaved } from '../../api/new-version.js';
import { Button, ButtonLink } from '../../components/button.js';
import { ErrorNotice } from '../../components/notice.js';
import { TextField } from '../../components/fields.js';
import { text } from '../../texts/text.js';
import { EventTypePicker } from './event-type-picker.js';
import { type EndpointDraft, isComplete, shownUrlIssue } from './form-state.js';

interface EndpointFormProps {
  readonly initial: EndpointDraft;
  /** Whether the endpoint exists: its notification address is then read-only. */
  readonly exists: boolean;
  readonly action: string;
  readonly back: string;
  readonly busy: boolean;
  readonly error: RequestError | undefined;
  readonly onSubmit: (draft: EndpointDraft) => void;
}

/** The fields of an endpoint. Keeps what was typed when the service refuses it. */
export function EndpointForm(props: EndpointFormProps) {
  const { initial, exists, action, back, busy, error, onSubmit } = props;
  const [draft, setDraft] = useState(initial);
  const [left, setLeft] = useState(false);
  const [sent, setSent] = useState(false);
  const change = (part: Partial<EndpointDraft>) => setDraft((before) => ({ ...before, ...part }));
  useUnsaved(draft !== initial);
  const form = useFocusOnRefusal(error);
  const urlIssue = shownUrlIssue(draft.url, left || sent);
  const urlError = urlIssue && text.endpointForm.urlIssues[urlIssue];
  const typesError =
    sent && draft.eventTypes.length === 0 ? text.endpointForm.needsType : undefined;
  const fields = error?.fields ?? {};
  return (
    <form
      ref={form}
      class="card card-body"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setSent(true);
        if (isComplete(draft) && !busy) onSubmit(draft);
      }}
    >
      <TextField
        label={text.endpointForm.url}
        hint={text.endpointForm.urlHint}
        type="url"
        inputMode="url"
        class="mono"
        placeholder="https://example.com/webhooks"
        value={draft.url}
        error={urlError ?? fields['url']}
        onInput={(url) => change({ url })}
        onBlur={() => setLeft(draft.url !== '')}
      />
      <TextField
        label={text.endpointForm.description}
        hint={text.endpointForm.descriptionHint}
        value={draft.description}
        error={fields['description']}
        onInput={(description) => change({ description })}
      />
      <TextField
        label={text.endpointForm.email}
        hint={exists ? text.endpointForm.emailReadOnly : text.endpointForm.emailHint}
        type="email"
        readOnly={exists}
        value={draft.notificationEmail}
        error={fields['notification_email']}
        onInput={(notificationEmail) => change({ notificationEmail })}
      />
      <EventTypePicker
        chosen={draft.eventTypes}
        subscribed={initial.eventTypes}
        error={typesError ?? fields['event_types']}
        onChange={(eventTypes) => change({ eventTypes })}
      />
      {error && <ErrorNotice error={error} />}
      <div class="row">
        <Button kind="primary" type="submit" busy={busy}>
          {action}
        </Button>
        <ButtonLink kind="quiet" href={back}>
          {text.common.cancel}
        </ButtonLink>
      </div>
    </form>
  );
}
