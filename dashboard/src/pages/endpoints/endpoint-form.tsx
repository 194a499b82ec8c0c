import { useLocation, useRoute } from 'preact-iso';
import { useId, useState } from 'preact/hooks';
import { base } from '../../api/base.js';
import { useUnsaved } from '../../api/new-version.js';
import type { RequestError } from '../../api/request-error.js';
import { execute } from '../../api/request.js';
import { can, session } from '../../api/session-state.js';
import { useAction, useFocusOnRefusal } from '../../api/use-action.js';
import { refresh, useQuery } from '../../api/use-query.js';
import { Button, ButtonLink } from '../../components/button.js';
import { EmptyState } from '../../components/card.js';
import { Secret } from '../../components/copy-button.js';
import { escapeHidden } from '../../components/data-text-parts.js';
import { DataText } from '../../components/data-text.js';
import { TextField } from '../../components/fields.js';
import { ErrorNotice } from '../../components/notice.js';
import { PageHeader } from '../../components/page-header.js';
import { showToast } from '../../components/toast.js';
import {
  createEndpointDocument,
  type createEndpointMutation,
  endpointDocument,
  type endpointQuery,
  eventTypesDocument,
  updateEndpointDocument,
} from '../../generated/documents.js';
import { fill, text } from '../../texts/text.js';
import {
  changesOf,
  draftOf,
  type EndpointDraft,
  groupEventTypes,
  isComplete,
  shownUrlIssue,
} from './endpoint-rules.js';
import { hostOf } from './host.js';
import './endpoints.css';

const texts = text.endpointForm;

const listPath = `${base}/endpoints`;

const back = { href: listPath, label: text.endpoints.title };

/** Creates an endpoint, then shows its secret once. */
export function CreateEndpointPage() {
  const [created, setCreated] = useState<createEndpointMutation['created']>();
  const current = session.value;
  const [initial] = useState<EndpointDraft>({
    url: '',
    description: '',
    notificationEmail: (current.state === 'signedIn' && current.viewer.member?.email) || '',
    eventTypes: [],
  });

  const creating = useAction(async (draft: EndpointDraft) => {
    const { created: endpoint } = await execute(createEndpointDocument, {
      input: {
        url: draft.url.trim(),
        notificationEmail: draft.notificationEmail.trim(),
        eventTypes: [...draft.eventTypes],
        ...(draft.description.trim() !== '' && { description: draft.description }),
      },
    });
    setCreated(endpoint);
    refresh();
  });

  if (created) return <CreatedEndpoint created={created} />;

  return (
    <>
      <PageHeader title={text.endpointForm.createTitle} back={back} />
      {can('webhooks', 'write') ? (
        <EndpointForm
          initial={initial}
          exists={false}
          action={text.endpoints.create}
          back={listPath}
          busy={creating.running}
          error={creating.error}
          onSubmit={(draft) => void creating.run(draft)}
        />
      ) : (
        <EmptyState title={text.endpointForm.readOnly}>{text.endpoints.emptyReadOnly}</EmptyState>
      )}
    </>
  );
}

function CreatedEndpoint({ created }: { readonly created: createEndpointMutation['created'] }) {
  return (
    <>
      <PageHeader key="created" title={text.endpointForm.createdTitle} back={back} />
      <div class="card card-body">
        <p class="mono">
          <DataText value={created.url} />
        </p>
        <h2>{text.endpoints.secret}</h2>
        <p>{text.endpointForm.createdLead}</p>
        <Secret value={created.signingSecret} />
        <div class="row">
          <ButtonLink kind="primary" href={`${listPath}/${created.id}`}>
            {text.endpoints.stored}
          </ButtonLink>
        </div>
      </div>
    </>
  );
}

/** Changes an endpoint. */
export function EditEndpointPage() {
  const id = useRoute().params['id'] ?? '';
  const { data, error, reload } = useQuery(endpointDocument, { id });
  const path = `${base}/endpoints/${id}`;
  const label = data ? hostOf(data.endpoint.url) : text.endpoints.title;
  return (
    <>
      <PageHeader title={text.endpointForm.editTitle} back={{ href: path, label }} />
      {error && <ErrorNotice error={error} retry={reload} />}
      {can('webhooks', 'write') ? (
        data && <EditForm key={id} endpoint={data.endpoint} path={path} />
      ) : (
        <EmptyState title={text.endpointForm.readOnly}>{text.endpointForm.editReadOnly}</EmptyState>
      )}
    </>
  );
}

interface EditFormProps {
  readonly endpoint: endpointQuery['endpoint'];
  readonly path: string;
}

function EditForm({ endpoint, path }: EditFormProps) {
  const { route } = useLocation();
  const saving = useAction(async (draft: EndpointDraft) => {
    const input = changesOf(endpoint, draft);
    if (Object.keys(input).length > 0) {
      await execute(updateEndpointDocument, { id: endpoint.id, input });
      refresh();
      showToast(text.endpointForm.saved);
    }
    route(path);
  });

  return (
    <EndpointForm
      initial={draftOf(endpoint)}
      exists
      action={text.endpointForm.save}
      back={path}
      busy={saving.running}
      error={saving.error}
      onSubmit={(draft) => void saving.run(draft)}
    />
  );
}

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

/** The fields of an endpoint. Keeps the input when the service refuses it. */
export function EndpointForm(props: EndpointFormProps) {
  const { initial, exists, action, back, busy, error, onSubmit } = props;
  const [draft, setDraft] = useState(initial);
  const [left, setLeft] = useState(false);
  const [sent, setSent] = useState(false);
  const change = (part: Partial<EndpointDraft>) => setDraft((before) => ({ ...before, ...part }));

  useUnsaved(draft !== initial);

  const form = useFocusOnRefusal(error);
  const urlIssue = shownUrlIssue(draft.url, left || sent);
  const urlError = urlIssue && texts.urlIssues[urlIssue];
  const typesError = sent && draft.eventTypes.length === 0 ? texts.needsType : undefined;
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
        label={texts.url}
        hint={texts.urlHint}
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
        label={texts.description}
        hint={texts.descriptionHint}
        value={draft.description}
        error={fields['description']}
        onInput={(description) => change({ description })}
      />
      <TextField
        label={texts.email}
        hint={exists ? texts.emailReadOnly : texts.emailHint}
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

interface EventTypePickerProps {
  readonly chosen: readonly string[];
  /** The current types of the endpoint, which it may keep even if they are no longer offered. */
  readonly subscribed: readonly string[];
  readonly error: string | undefined;
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Chooses event types by category, with a search. */
export function EventTypePicker({ chosen, subscribed, error, onChange }: EventTypePickerProps) {
  const id = useId();
  const [search, setSearch] = useState('');
  const { data, error: failure, reload } = useQuery(eventTypesDocument, {});
  const selected = new Set(chosen);
  const groups = groupEventTypes(data?.eventTypes.data ?? [], new Set(subscribed), search);
  const choose = (ids: readonly string[], wanted: boolean) => {
    const others = chosen.filter((other) => !ids.includes(other));
    onChange(wanted ? [...others, ...ids] : others);
  };

  return (
    <fieldset class="field" aria-describedby={`${id}-hint ${error ? `${id}-error` : ''}`}>
      <legend>{texts.types}</legend>
      <p class="field-hint" id={`${id}-hint`}>
        {texts.typesHint}{' '}
        <span aria-live="polite">{fill(texts.selected, { count: chosen.length })}</span>
      </p>
      {error !== undefined && (
        <p class="field-error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
      <TextField
        label={texts.search}
        labelHidden
        placeholder={texts.search}
        type="search"
        value={search}
        onInput={setSearch}
      />
      {failure && <ErrorNotice error={failure} retry={reload} />}
      <div class="type-groups">
        {groups.map(({ category, types }) => (
          <div key={category} role="group" aria-label={escapeHidden(category)}>
            <div class="type-group-header">
              <strong class="category">
                <DataText value={category} />
              </strong>
              <Button
                kind="quiet"
                small
                onClick={() =>
                  choose(
                    types.map((type) => type.id),
                    true,
                  )
                }
              >
                {texts.selectAll}
                <span class="visually-hidden"> {escapeHidden(fill(texts.of, { category }))}</span>
              </Button>
            </div>
            {types.map((type) => (
              <label key={type.id} class="check">
                <input
                  type="checkbox"
                  checked={selected.has(type.id)}
                  onChange={(event) => choose([type.id], event.currentTarget.checked)}
                />
                <span>
                  <code>{type.id}</code>
                  <span class="soft small">
                    {' '}
                    <DataText value={type.summary} />
                    {!type.sent && ` (${texts.notYetSent})`}
                    {!type.acceptsNewSubscriptions && ` (${texts.retired})`}
                  </span>
                </span>
              </label>
            ))}
          </div>
        ))}
        {data && groups.length === 0 && <p class="soft">{fill(texts.noneFound, { search })}</p>}
        {!data && !failure && <span class="skeleton" />}
      </div>
    </fieldset>
  );
}
